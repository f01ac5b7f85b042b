#include "base/timer_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/future_fixture.h"
#include "base/log.h"

namespace toolpost::base {
namespace {

using namespace std::chrono_literals;

TEST(TimerQueue, RunsWorkNotBeforeItsTime) {
  TimerQueue timers;
  std::promise<std::chrono::steady_clock::time_point> fired;
  auto future = fired.get_future();
  const auto start = std::chrono::steady_clock::now();
  timers.After(20ms, [&] { fired.set_value(std::chrono::steady_clock::now()); });
  ASSERT_TRUE(Arrives(future));
  EXPECT_GE(future.get() - start, 20ms);
}

TEST(TimerQueue, RunsInOrderOfTime) {
  TimerQueue timers;
  std::vector<int> order;
  std::promise<void> last;
  timers.After(0ms, [&] {
    timers.After(300ms, [&] {
      order.push_back(3);
      last.set_value();
    });
    timers.After(150ms, [&] { order.push_back(2); });
    timers.After(0ms, [&] { order.push_back(1); });
  });
  ASSERT_TRUE(Arrives(last.get_future()));
  timers.Stop();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(TimerQueue, CancelledTimersDoNotFireAndReleaseTheirWork) {
  TimerQueue timers;
  std::atomic<bool> fired = false;
  auto captured = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = captured;
  const auto id = timers.After(10ms, [&fired, captured = std::move(captured)] { fired = true; });
  const bool cancelled = timers.Cancel(id);
  std::promise<void> later;
  timers.After(20ms, [&] { later.set_value(); });
  ASSERT_TRUE(Arrives(later.get_future()));
  EXPECT_NE(cancelled, fired);  // a very slow machine may let it fire first
  EXPECT_TRUE(watch.expired());
  EXPECT_FALSE(timers.Cancel(id));
}

TEST(TimerQueue, CancelIsFalseForUnknownRunningAndFinishedTimers) {
  TimerQueue timers;
  EXPECT_FALSE(timers.Cancel(12345));
  std::promise<TimerQueue::Id> id;
  std::promise<bool> cancelled_itself;
  auto result = cancelled_itself.get_future();
  id.set_value(timers.After(0ms, [&, own = id.get_future().share()] {
    cancelled_itself.set_value(timers.Cancel(own.get()));
  }));
  ASSERT_TRUE(Arrives(result));
  EXPECT_FALSE(result.get());
}

TEST(TimerQueue, StopDropsPendingTimers) {
  auto captured = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = captured;
  std::atomic<bool> fired = false;
  TimerQueue timers;
  timers.After(1h, [&fired, captured = std::move(captured)] { fired = true; });
  timers.Stop();
  EXPECT_TRUE(watch.expired());
  EXPECT_FALSE(timers.Cancel(timers.After(0ms, [&fired] { fired = true; })));
  timers.Stop();
  EXPECT_FALSE(fired);
}

TEST(TimerQueue, AcceptsExtremeDelays) {
  TimerQueue timers;
  std::promise<void> fired;
  EXPECT_TRUE(timers.Cancel(timers.After(std::chrono::milliseconds::max(), [] {})));
  timers.After(std::chrono::milliseconds::min(), [&] { fired.set_value(); });
  EXPECT_TRUE(Arrives(fired.get_future()));
}

TEST(TimerQueue, SurvivesExceptions) {
  ConfigureLog(Severity::kOff, LogFormat::kText);
  TimerQueue timers;
  std::promise<void> after;
  timers.After(0ms, [] { throw std::runtime_error("expected by the test"); });
  timers.After(0ms, [] { throw 42; });
  timers.After(1ms, [&] { after.set_value(); });
  EXPECT_TRUE(Arrives(after.get_future()));
  ConfigureLog(Severity::kInfo, LogFormat::kAuto);
}

TEST(TimerQueue, ATimerMayDestroyItsQueue) {
  std::promise<void> destroyed;
  auto timers = std::make_unique<TimerQueue>();
  std::promise<void> ready;
  timers->After(0ms, [&, gate = ready.get_future().share()] {
    gate.wait();
    timers.reset();
    destroyed.set_value();
  });
  ready.set_value();
  EXPECT_TRUE(Arrives(destroyed.get_future()));
}

TEST(TimerQueue, ManyThreadsMayAddAndCancel) {
  std::atomic<int> fired = 0;
  std::atomic<int> cancelled = 0;
  TimerQueue timers;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 500; ++j) {
          const auto id = timers.After(std::chrono::milliseconds(j % 3), [&] { ++fired; });
          if (j % 2 == 0 && timers.Cancel(id)) ++cancelled;
        }
      });
    }
  }
  std::promise<void> last;
  timers.After(10ms, [&] { last.set_value(); });
  ASSERT_TRUE(Arrives(last.get_future()));
  EXPECT_EQ(fired + cancelled, 2'000);
}

}  // namespace
}  // namespace toolpost::base
