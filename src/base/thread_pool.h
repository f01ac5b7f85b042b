// A bounded pool of worker threads for handlers that may block.
//
// Threads start when work finds none idle, up to `max_threads`, and end after being idle for ten
// seconds, so that a process that never blocks has none. Thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace toolpost::base {

class ThreadPool {
 public:
  ThreadPool(std::size_t max_threads, std::size_t max_queue);
  ~ThreadPool();  // Stop()
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // False when the queue is full or the pool stops: the caller answers "busy".
  [[nodiscard]] bool Post(std::function<void()> work);
  // Calls `make`. The first work it posts from this thread is done by this thread after it, which
  // saves waking another one, unless `may_help` says no when it is asked. False if this thread did
  // none.
  bool HelpWith(const std::function<void()>& make, const std::function<bool()>& may_help);
  std::size_t queued() const;
  std::size_t running() const;  // by threads that help, too
  // Drops queued work, waits for running work.
  void Stop();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace toolpost::base
