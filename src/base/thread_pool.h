// A bounded pool of worker threads for handlers that may block.
//
// Threads start when work finds none idle, up to `max_threads`, and end after being idle for ten
// seconds, so that a process that never blocks has none. Thread-safe.
//
// Most work may wait for somebody, and gets a thread of its own as long as there are some. Brief
// work computes: more threads for it than there are cores would only get into each other's way.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace toolpost::base {

enum class WorkKind {
  kMayWait,
  // Done in less than a millisecond, as a rule. What takes much longer, or says that it waits
  // (ThreadPool::Waiting), does not keep other brief work from being done.
  kBrief,
};

class ThreadPool {
 public:
  class Waiting;

  // `brief_time`: brief work that takes longer does not count as such any more.
  ThreadPool(std::size_t max_threads, std::size_t max_queue,
             std::chrono::milliseconds brief_time = std::chrono::milliseconds(5));
  ~ThreadPool();  // Stop()
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // False when the queue is full or the pool stops: the caller answers "busy".
  [[nodiscard]] bool Post(std::function<void()> work, WorkKind kind = WorkKind::kMayWait);
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

// While it lives, the brief work of this thread waits for somebody else, so that another thread may
// compute. Does nothing in other work.
class ThreadPool::Waiting {
 public:
  Waiting();
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  State* const state_;  // null: not in brief work that computed
};

}  // namespace toolpost::base
