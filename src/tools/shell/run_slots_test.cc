#include "tools/shell/run_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace toolpost::tools::shell {
namespace {

TEST(RunSlots, OneUserCannotTakeThemAll) {
  RunSlots slots({.running = 3, .per_user = 2, .waiting = 0});
  const auto first = slots.Acquire("ann", {});
  const auto second = slots.Acquire("ann", {});
  ASSERT_TRUE(first && second);
  const auto third = slots.Acquire("ann", {});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, Code::kUnavailable);
  EXPECT_TRUE(slots.Acquire("ben", {}));
}

TEST(RunSlots, WaitersGetTheirTurn) {
  RunSlots slots({.running = 1, .per_user = 1, .waiting = 1});
  std::optional<RunSlots::Slot> held(*slots.Acquire("ann", {}));
  std::atomic<bool> got = false;
  std::jthread waiter([&] { got = slots.Acquire("ben", {}).has_value(); });
  // Whichever comes first, the waiter ends with a slot.
  held.reset();
  waiter.join();
  EXPECT_TRUE(got);
}

TEST(RunSlots, AWaiterCanBeStopped) {
  RunSlots slots({.running = 1, .per_user = 1, .waiting = 1});
  const auto held = slots.Acquire("ann", {});
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  const auto waited = slots.Acquire("ben", stop.get_token());
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, Code::kCancelled);
}

TEST(RunSlots, ManyThreadsNeverExceedTheLimit) {
  RunSlots slots({.running = 3, .per_user = 2, .waiting = 1000});
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 16; ++i) {
      threads.emplace_back([&, i] {
        for (int round = 0; round < 50; ++round) {
          const auto slot = slots.Acquire(i % 2 == 0 ? "ann" : "ben", {});
          const int now = ++running;
          for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
          }
          --running;
        }
      });
    }
  }
  EXPECT_LE(most, 3);
}

}  // namespace
}  // namespace toolpost::tools::shell
