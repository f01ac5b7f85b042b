// Runs functions at a later time, on one thread that starts with the first timer. Resolution: a few
// milliseconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace toolpost::base {

class TimerQueue {
 public:
  using Id = std::uint64_t;

  TimerQueue();
  ~TimerQueue();  // Stop()
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  // `work` must be short; it runs on the timer thread.
  Id After(std::chrono::milliseconds delay, std::function<void()> work);
  // False when it already ran, runs now, or never was.
  bool Cancel(Id id);
  // Drops pending timers and waits for the running one (unless called by it). No timer fires after
  // this returns; After() then returns ids of timers that never fire.
  void Stop();

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the thread, so that a timer may end its own queue
};

}  // namespace toolpost::base
