// The turn is a flag; whoever waits for it is free to read.
#include "transport/read_in_turns.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace toolpost::transport {
namespace {

class Readers {
 public:
  explicit Readers(const Reading& reading) : reading_(reading) {}

  // Reads when it is this thread's turn, until the end.
  void Run() {
    while (TakeTurn()) {
      while (!HasWorked()) {
        if (ended_) return;
      }
    }
  }
  void AwaitSecond() {
    if (second_.joinable()) second_.join();
  }

 private:
  // Gives the turn that was promised, also if the receiver throws.
  struct AfterIt {
    Readers& readers;
    const bool& promised;
    ~AfterIt() {
      if (promised) readers.GiveTurn();
    }
  };

  bool TakeTurn() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.wait(lock, [this] { return free_ || ended_; });
    --waiting_;
    free_ = false;
    return !ended_;
  }

  // Reads one message. True if that led to work of this thread, and the turn is gone.
  bool HasWorked() {
    const Result<std::string> message = reading_.transport.Read();
    if (message || message.error().code == Code::kTooLarge) {
      bool promised = false;
      const auto receive = [&] {
        const AfterIt after{*this, promised};
        reading_.receive(message);
      };
      return reading_.pool.HelpWith(receive, [&] { return promised = SomebodyMayRead(); });
    }
    reading_.end();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    return false;
  }

  // Whoever waits does so until the turn is given.
  bool SomebodyMayRead() {
    const std::lock_guard lock(mutex_);
    return started_ ? waiting_ > 0 : StartSecond();
  }

  void GiveTurn() {
    {
      const std::lock_guard lock(mutex_);
      free_ = true;
    }
    changed_.notify_one();
  }

  bool StartSecond() {
    try {
      second_ = std::thread([this] { Run(); });
    } catch (const std::system_error&) {
      return false;
    }
    return started_ = true;
  }

  const Reading& reading_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool free_ = true;  // nobody reads
  int waiting_ = 0;   // threads that wait to read
  bool ended_ = false;
  bool started_ = false;  // second_
  std::thread second_;    // touched by the first thread only
};

}  // namespace

void ReadInTurns(const Reading& reading) {
  Readers readers(reading);
  readers.Run();
  readers.AwaitSecond();
}

}  // namespace toolpost::transport
