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
    if (message || message.error().code == Code::kTooLarge)
      return reading_.pool.HelpWith([&] { reading_.receive(message); },
                                    [this] { return GiveTurn(); });
    reading_.end();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    return false;
  }

  // False if nobody is there to take it.
  bool GiveTurn() {
    {
      const std::lock_guard lock(mutex_);
      if (started_ ? waiting_ == 0 : !StartSecond()) return false;
      free_ = true;
    }
    changed_.notify_one();
    return true;
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
