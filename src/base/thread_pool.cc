// Worker threads that come with the work and leave when idle.
#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/log.h"

namespace toolpost::base {
namespace {

constexpr std::chrono::seconds kIdleTime{10};

void RunLogged(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& exception) {
    Log(Severity::kError, "work of the thread pool failed", {{"what", exception.what()}});
  } catch (...) {
    Log(Severity::kError, "work of the thread pool failed");
  }
}

// Work that the thread which posted it will do itself.
struct Kept {
  const void* pool;
  const std::function<bool()>& may_help;
  std::function<void()> work;
};

thread_local Kept* kept_here = nullptr;         // where this thread keeps work it posts
thread_local const void* helped_now = nullptr;  // the pool whose work this thread does as a helper

}  // namespace

struct ThreadPool::State : std::enable_shared_from_this<ThreadPool::State> {
  using Threads = std::list<std::thread>;

  State(std::size_t thread_limit, std::size_t queue_limit)
      : max_threads(std::max<std::size_t>(thread_limit, 1)), max_queue(queue_limit) {}

  bool StartThread();
  void Work(Threads::iterator self);
  // Waits for work. False when none came for so long that the thread may leave, or the pool stops.
  bool AwaitWork(std::unique_lock<std::mutex>& lock);
  void RunNext(std::unique_lock<std::mutex>& lock);
  // True if the caller has to wake a thread, once it has let go of the lock.
  [[nodiscard]] bool NeedsToWake();
  bool OnWorker() const;
  // Does the work as a helper, which counted as helping since it was kept.
  void Help(std::function<void()> work);

  const std::size_t max_threads;
  const std::size_t max_queue;
  mutable std::mutex mutex;
  std::condition_variable changed;  // work arrived, or the pool stops
  std::condition_variable left;     // a thread moved itself to `ended`
  std::deque<std::function<void()>> queue;
  Threads threads;
  Threads ended;             // to be joined
  std::size_t idle = 0;      // threads that wait or are about to, newly started ones included
  std::size_t sleeping = 0;  // of them in AwaitWork
  bool waking = false;       // one of them was woken and has not come so far
  std::size_t running = 0;
  std::size_t helping = 0;  // other threads that do the pool's work, or are about to
  bool stopping = false;
};

// Called with the mutex held.
bool ThreadPool::State::StartThread() {
  const auto self = threads.emplace(threads.end());
  try {
    *self = std::thread([state = shared_from_this(), self] { state->Work(self); });
  } catch (const std::system_error&) {
    threads.erase(self);
    return false;
  }
  ++idle;
  return true;
}

// Threads are woken one after the other, each by the one before it as it finds more work than it
// takes: short work is done by few threads that stay awake, long work by as many as it needs.
bool ThreadPool::State::NeedsToWake() {
  if (waking || sleeping == 0 || queue.empty()) return false;
  waking = true;
  return true;
}

bool ThreadPool::State::AwaitWork(std::unique_lock<std::mutex>& lock) {
  const auto until = std::chrono::steady_clock::now() + kIdleTime;
  while (!stopping && queue.empty()) {
    ++sleeping;
    const std::cv_status status = changed.wait_until(lock, until);
    --sleeping;
    waking = false;
    if (status == std::cv_status::timeout && queue.empty()) return false;
  }
  return !stopping;
}

void ThreadPool::State::Work(Threads::iterator self) {
  std::unique_lock lock(mutex);
  while (AwaitWork(lock)) RunNext(lock);
  --idle;
  ended.splice(ended.end(), threads, self);
  left.notify_all();
}

void ThreadPool::State::RunNext(std::unique_lock<std::mutex>& lock) {
  std::function<void()> work = std::move(queue.front());
  queue.pop_front();
  --idle;
  ++running;
  const bool wake = NeedsToWake();
  lock.unlock();
  if (wake) changed.notify_one();
  RunLogged(work);
  work = nullptr;  // what it captured goes before the lock comes back
  lock.lock();
  --running;
  ++idle;
}

bool ThreadPool::State::OnWorker() const {
  for (const std::thread& thread : threads) {
    if (thread.get_id() == std::this_thread::get_id()) return true;
  }
  return false;
}

void ThreadPool::State::Help(std::function<void()> work) {
  const void* const before = std::exchange(helped_now, this);
  RunLogged(work);
  work = nullptr;
  helped_now = before;
  const std::lock_guard lock(mutex);
  --helping;
  left.notify_all();
}

ThreadPool::ThreadPool(std::size_t max_threads, std::size_t max_queue)
    : state_(std::make_shared<State>(max_threads, max_queue)) {}

ThreadPool::~ThreadPool() { Stop(); }

bool ThreadPool::HelpWith(const std::function<void()>& make,
                          const std::function<bool()>& may_help) {
  Kept kept{state_.get(), may_help, nullptr};
  Kept* const before = std::exchange(kept_here, &kept);
  RunLogged(make);
  kept_here = before;
  if (!kept.work) return false;
  state_->Help(std::move(kept.work));
  return true;
}

bool ThreadPool::Post(std::function<void()> work) {
  const bool ask = kept_here != nullptr && kept_here->pool == state_.get() && !kept_here->work;
  State::Threads to_join;
  bool wake = false;
  {
    std::lock_guard lock(state_->mutex);
    if (ask && !state_->stopping && kept_here->may_help()) {
      kept_here->work = std::move(work);
      ++state_->helping;
      return true;
    }
    const std::size_t free_threads = state_->max_threads - state_->running;
    if (state_->stopping || state_->queue.size() >= state_->max_queue + free_threads) return false;
    state_->queue.push_back(std::move(work));
    const bool short_of_threads = state_->queue.size() > state_->idle;
    if (short_of_threads && state_->threads.size() < state_->max_threads &&
        !state_->StartThread() && state_->threads.empty()) {
      state_->queue.pop_back();
      return false;
    }
    wake = state_->NeedsToWake();
    to_join.swap(state_->ended);
  }
  if (wake) state_->changed.notify_one();
  for (std::thread& thread : to_join) thread.join();
  return true;
}

std::size_t ThreadPool::queued() const {
  std::lock_guard lock(state_->mutex);
  return state_->queue.size();
}

std::size_t ThreadPool::running() const {
  std::lock_guard lock(state_->mutex);
  return state_->running + state_->helping;
}

void ThreadPool::Stop() {
  const std::shared_ptr<State> state = state_;
  std::deque<std::function<void()>> dropped;
  State::Threads to_join;
  {
    std::unique_lock lock(state->mutex);
    state->stopping = true;
    dropped.swap(state->queue);
    state->changed.notify_all();
    // Work that stops its own pool does not wait for itself.
    const std::size_t own = state->OnWorker() ? 1 : 0;
    const std::size_t own_help = helped_now == state.get() ? 1 : 0;
    state->left.wait(lock,
                     [&] { return state->threads.size() <= own && state->helping <= own_help; });
    for (std::thread& thread : state->threads) {
      if (thread.joinable()) thread.detach();
    }
    to_join.swap(state->ended);
  }
  for (std::thread& thread : to_join) {
    if (thread.joinable()) thread.join();
  }
}

}  // namespace toolpost::base
