// One thread that sleeps until the next timer.
#include "base/timer_queue.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/log.h"

namespace toolpost::base {
namespace {

// Keeps `now + delay` far from overflow.
constexpr std::chrono::milliseconds kLongestDelay = std::chrono::hours(24 * 365);

void RunLogged(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& exception) {
    Log(Severity::kError, "timer failed", {{"what", exception.what()}});
  } catch (...) {
    Log(Severity::kError, "timer failed");
  }
}

}  // namespace

struct TimerQueue::State {
  using Key = std::pair<SteadyTime, Id>;

  void Start(const std::shared_ptr<State>& self);
  void Run();

  std::mutex mutex;
  std::condition_variable changed;
  std::map<Key, std::function<void()>> timers;
  std::unordered_map<Id, SteadyTime> times;
  std::thread thread;
  // When the thread looks again by itself. A timer that was cancelled may have set it: looking in
  // vain once is cheaper than being woken for every timer that comes and goes.
  SteadyTime wakes_at = SteadyTime::min();
  Id last_id = 0;
  bool stopping = false;
};

void TimerQueue::State::Start(const std::shared_ptr<State>& self) {
  try {
    thread = std::thread([self] { self->Run(); });
  } catch (const std::system_error& error) {
    Log(Severity::kError, "no thread for timers; the next timer tries again",
        {{"what", error.what()}});
  }
}

void TimerQueue::State::Run() {
  std::unique_lock lock(mutex);
  while (!stopping) {
    if (timers.empty()) {
      wakes_at = SteadyTime::max();
      changed.wait(lock);
      continue;
    }
    const auto [time, id] = timers.begin()->first;
    if (std::chrono::steady_clock::now() < time) {
      wakes_at = time;
      changed.wait_until(lock, time);
      continue;
    }
    auto timer = timers.extract(timers.begin());
    times.erase(id);
    lock.unlock();
    RunLogged(timer.mapped());
    timer = {};
    lock.lock();
  }
}

TimerQueue::TimerQueue() : state_(std::make_shared<State>()) {}

TimerQueue::~TimerQueue() { Stop(); }

TimerQueue::Id TimerQueue::After(std::chrono::milliseconds delay, std::function<void()> work) {
  delay = std::clamp(delay, std::chrono::milliseconds(0), kLongestDelay);
  const SteadyTime time = std::chrono::steady_clock::now() + delay;
  std::lock_guard lock(state_->mutex);
  const Id id = ++state_->last_id;
  if (state_->stopping) return id;
  state_->timers.emplace(State::Key(time, id), std::move(work));
  state_->times.emplace(id, time);
  if (!state_->thread.joinable()) {
    state_->Start(state_);
  } else if (time < state_->wakes_at) {
    state_->changed.notify_one();
  }
  return id;
}

bool TimerQueue::Cancel(Id id) {
  std::function<void()> dropped;  // destroyed without the lock
  std::lock_guard lock(state_->mutex);
  const auto time = state_->times.find(id);
  if (time == state_->times.end()) return false;
  const auto timer = state_->timers.find({time->second, id});
  dropped = std::move(timer->second);
  state_->timers.erase(timer);
  state_->times.erase(time);
  return true;
}

void TimerQueue::Stop() {
  const std::shared_ptr<State> state = state_;
  std::map<State::Key, std::function<void()>> dropped;
  std::thread thread;
  {
    std::lock_guard lock(state->mutex);
    state->stopping = true;
    dropped.swap(state->timers);
    state->times.clear();
    thread.swap(state->thread);
    state->changed.notify_one();
  }
  if (thread.get_id() == std::this_thread::get_id()) {
    thread.detach();  // a timer that stops its own queue: Run() ends after it
  } else if (thread.joinable()) {
    thread.join();
  }
}

}  // namespace toolpost::base
