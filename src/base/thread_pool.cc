// Worker threads that come with the work and leave when idle.
#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/cores.h"
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

// This thread no longer interrupts the one that wakes it, if they share a core: a loop can post
// the work of all requests that are there before any of it is done, and is woken once for the
// replies. What work starts is not affected; where it is not allowed, nothing changes.
void LetOthersFinish() {
  const sched_param priority{};
  (void)sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &priority);
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
  struct Posted {
    std::function<void()> work;
    WorkKind kind;
  };
  using Signal = std::shared_ptr<std::condition_variable>;  // outlives who waits for it
  struct Worker {
    std::thread thread;
    Signal called = std::make_shared<std::condition_variable>();
    bool sleeps = false;      // until `called`
    bool computes = false;    // does brief work that is counted
    std::uint64_t watch = 0;  // the latest when it began
  };
  using Workers = std::list<Worker>;
  struct Brief {
    State* state = nullptr;
    Worker* worker = nullptr;
  };
  static thread_local Brief brief_here;  // the brief work this thread does

  State(std::size_t thread_limit, std::size_t queue_limit, std::chrono::milliseconds brief_limit)
      : max_threads(std::max<std::size_t>(thread_limit, 1)),
        max_queue(queue_limit),
        brief_time(brief_limit) {}

  bool StartThread();
  void Work(Workers::iterator self);
  // Whether a thread may do the next work now.
  bool MayTake() const;
  // Waits for that. False when nothing came for so long that the thread may leave, or the pool
  // stops.
  bool AwaitWork(std::unique_lock<std::mutex>& lock, Worker& self);
  // Gives those that compute a moment, and then another thread the place of whoever took longer.
  void Watch(std::unique_lock<std::mutex>& lock);
  void RunNext(std::unique_lock<std::mutex>& lock, Worker& self);
  void Computes(Worker& worker, bool now);
  // What the caller has to notify, once it has let go of the lock, so that somebody sees to the
  // queue; null: nothing.
  [[nodiscard]] Signal ToWake();
  bool OnWorker() const;
  // Does the work as a helper, which counted as helping since it was kept.
  void Help(std::function<void()> work);

  const std::size_t max_threads;
  const std::size_t max_queue;
  const std::chrono::milliseconds brief_time;
  const std::size_t cores = UsableCores();
  mutable std::mutex mutex;
  const Signal watched = std::make_shared<std::condition_variable>();  // who watches is needed
  std::condition_variable left;                                        // a thread is in `ended`
  std::deque<Posted> queue;
  std::size_t brief = 0;  // of the queue
  Workers threads;
  Workers ended;                  // to be joined
  std::size_t idle = 0;           // threads that wait or are about to, newly started ones included
  std::vector<Worker*> sleepers;  // of them those that can be called, the latest at the end
  bool waking = false;            // one of them was called and has not come so far
  bool watching = false;          // one of them watches
  bool to_watch = false;          // the one that was called shall do so
  std::uint64_t watches = 0;      // that began
  std::uint64_t begun = 0;        // brief work, ever
  std::size_t running = 0;
  std::size_t computing = 0;  // of them those that do brief work that is counted
  std::size_t helping = 0;    // other threads that do the pool's work, or are about to
  bool stopping = false;
};

thread_local ThreadPool::State::Brief ThreadPool::State::brief_here;

// Called with the mutex held.
bool ThreadPool::State::StartThread() {
  const auto self = threads.emplace(threads.end());
  try {
    self->thread = std::thread([state = shared_from_this(), self] { state->Work(self); });
  } catch (const std::system_error&) {
    threads.erase(self);
    return false;
  }
  ++idle;
  return true;
}

bool ThreadPool::State::MayTake() const {
  return !queue.empty() && (brief < queue.size() || computing < cores);
}

// Threads are woken one after the other, each by the one before it as it finds more work than it
// takes: short work is done by few threads that stay awake, long work by as many as it needs. The
// latest to fall asleep comes first, whose memory is warm; those not needed can leave.
ThreadPool::State::Signal ThreadPool::State::ToWake() {
  if (waking || queue.empty()) return nullptr;
  const bool may_take = MayTake();
  if (!may_take && watching) return nullptr;
  if (!sleepers.empty()) {
    Worker& latest = *sleepers.back();
    sleepers.pop_back();
    latest.sleeps = false;
    waking = true;
    to_watch = !may_take;
    return latest.called;
  }
  if (watching) return watched;
  if (idle == 0 && threads.size() < max_threads) StartThread();
  return nullptr;
}

bool ThreadPool::State::AwaitWork(std::unique_lock<std::mutex>& lock, Worker& self) {
  const auto until = std::chrono::steady_clock::now() + kIdleTime;
  while (!stopping && !MayTake()) {
    if ((to_watch || !queue.empty()) && !watching) {
      Watch(lock);
      continue;
    }
    self.sleeps = true;
    sleepers.push_back(&self);
    const bool called =
        self.called->wait_until(lock, until, [&] { return !self.sleeps || stopping; });
    if (self.sleeps) {
      std::erase(sleepers, &self);
    } else {
      waking = false;
    }
    if (!called && !MayTake()) return false;
  }
  return !stopping;
}

// Goes on as long as brief work comes: being woken for each burst of it would cost more.
void ThreadPool::State::Watch(std::unique_lock<std::mutex>& lock) {
  to_watch = false;
  watching = true;
  for (std::uint64_t before = ~begun; before != begun && !stopping && !MayTake();) {
    before = begun;
    ++watches;
    if (watched->wait_for(lock, brief_time) == std::cv_status::no_timeout) break;
    for (Worker& worker : threads) {
      if (worker.watch < watches) Computes(worker, false);
    }
  }
  watching = false;
}

void ThreadPool::State::Work(Workers::iterator self) {
  LetOthersFinish();
  std::unique_lock lock(mutex);
  while (AwaitWork(lock, *self)) RunNext(lock, *self);
  --idle;
  ended.splice(ended.end(), threads, self);
  left.notify_all();
}

void ThreadPool::State::Computes(Worker& worker, bool now) {
  if (worker.computes == now) return;
  worker.computes = now;
  worker.watch = watches;
  computing += now ? 1 : std::size_t{0} - 1;
}

void ThreadPool::State::RunNext(std::unique_lock<std::mutex>& lock, Worker& self) {
  std::function<void()> work = std::move(queue.front().work);
  const bool is_brief = queue.front().kind == WorkKind::kBrief;
  queue.pop_front();
  if (is_brief) {
    --brief;
    ++begun;
    Computes(self, true);
    brief_here = {this, &self};
  }
  --idle;
  ++running;
  const Signal wake = ToWake();
  lock.unlock();
  if (wake != nullptr) wake->notify_one();
  RunLogged(work);
  work = nullptr;  // what it captured goes before the lock comes back
  brief_here = {};
  lock.lock();
  Computes(self, false);
  --running;
  ++idle;
}

bool ThreadPool::State::OnWorker() const {
  for (const Worker& worker : threads) {
    if (worker.thread.get_id() == std::this_thread::get_id()) return true;
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

ThreadPool::ThreadPool(std::size_t max_threads, std::size_t max_queue,
                       std::chrono::milliseconds brief_time)
    : state_(std::make_shared<State>(max_threads, max_queue, brief_time)) {}

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

ThreadPool::Waiting::Waiting() : state_(State::brief_here.state) {
  if (state_ == nullptr) return;
  State::Signal wake;
  {
    const std::lock_guard lock(state_->mutex);
    state_->Computes(*State::brief_here.worker, false);
    wake = state_->ToWake();
  }
  if (wake != nullptr) wake->notify_one();
}

ThreadPool::Waiting::~Waiting() {
  if (state_ == nullptr) return;
  const std::lock_guard lock(state_->mutex);
  state_->Computes(*State::brief_here.worker, true);
}

bool ThreadPool::Post(std::function<void()> work, WorkKind kind) {
  const bool ask = kept_here != nullptr && kept_here->pool == state_.get() && !kept_here->work;
  State::Workers to_join;
  State::Signal wake;
  {
    std::lock_guard lock(state_->mutex);
    if (ask && !state_->stopping && kept_here->may_help()) {
      kept_here->work = std::move(work);
      ++state_->helping;
      return true;
    }
    const std::size_t free_threads = state_->max_threads - state_->running;
    if (state_->stopping || state_->queue.size() >= state_->max_queue + free_threads) return false;
    state_->queue.push_back({std::move(work), kind});
    if (kind == WorkKind::kBrief) ++state_->brief;
    const std::size_t needed = state_->MayTake() ? state_->queue.size() : 1;
    if (needed > state_->idle && state_->threads.size() < state_->max_threads &&
        !state_->StartThread() && state_->threads.empty()) {
      state_->queue.pop_back();
      if (kind == WorkKind::kBrief) --state_->brief;
      return false;
    }
    wake = state_->ToWake();
    to_join.swap(state_->ended);
  }
  if (wake != nullptr) wake->notify_one();
  for (State::Worker& worker : to_join) worker.thread.join();
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
  std::deque<State::Posted> dropped;
  State::Workers to_join;
  {
    std::unique_lock lock(state->mutex);
    state->stopping = true;
    dropped.swap(state->queue);
    state->brief = 0;
    for (const State::Worker& worker : state->threads) worker.called->notify_one();
    state->watched->notify_one();
    // Work that stops its own pool does not wait for itself.
    const std::size_t own = state->OnWorker() ? 1 : 0;
    const std::size_t own_help = helped_now == state.get() ? 1 : 0;
    state->left.wait(lock,
                     [&] { return state->threads.size() <= own && state->helping <= own_help; });
    for (State::Worker& worker : state->threads) {
      if (worker.thread.joinable()) worker.thread.detach();
    }
    to_join.swap(state->ended);
  }
  for (State::Worker& worker : to_join) {
    if (worker.thread.joinable()) worker.thread.join();
  }
}

}  // namespace toolpost::base
