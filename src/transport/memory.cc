// Two connected ends in one process, for tests and embedding.
#include <condition_variable>
#include <deque>
#include <mutex>

#include "toolpost/transport.h"

namespace toolpost {
namespace {

struct Pipe {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<std::string> messages;
  bool closed = false;

  void Close() {
    {
      std::lock_guard lock(mutex);
      closed = true;
    }
    filled.notify_all();
  }
};

class MemoryTransport : public Transport {
 public:
  MemoryTransport(std::shared_ptr<Pipe> in, std::shared_ptr<Pipe> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryTransport() override { MemoryTransport::Close(); }

  Result<std::string> Read() override {
    std::unique_lock lock(in_->mutex);
    in_->filled.wait(lock, [this] { return in_->closed || !in_->messages.empty(); });
    if (in_->messages.empty()) return Error::Unavailable("The other end is closed");
    std::string message = std::move(in_->messages.front());
    in_->messages.pop_front();
    return message;
  }

  void Write(std::string_view message) override {
    {
      std::lock_guard lock(out_->mutex);
      if (out_->closed) return;
      out_->messages.emplace_back(message);
    }
    out_->filled.notify_one();
  }

  void Close() override {
    in_->Close();
    out_->Close();
  }

  HealthState Health() const override {
    std::lock_guard lock(in_->mutex);
    return {!in_->closed, in_->closed ? "closed" : "open"};
  }

  std::string_view name() const override { return "memory"; }

 private:
  std::shared_ptr<Pipe> in_;
  std::shared_ptr<Pipe> out_;
};

}  // namespace

std::pair<std::shared_ptr<Transport>, std::shared_ptr<Transport>> MakeMemoryTransport() {
  auto there = std::make_shared<Pipe>();
  auto back = std::make_shared<Pipe>();
  return {std::make_shared<MemoryTransport>(there, back),
          std::make_shared<MemoryTransport>(back, there)};
}

}  // namespace toolpost
