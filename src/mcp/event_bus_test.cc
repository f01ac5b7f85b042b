#include "mcp/event_bus.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

namespace toolpost::mcp {
namespace {

TEST(EventBus, DeliversUntilUnsubscribed) {
  EventBus bus;
  EXPECT_FALSE(bus.active());
  std::vector<std::string> heard;
  const auto stop = bus.Subscribe([&](const Event& event) { heard.push_back(event.kind); });
  EXPECT_TRUE(bus.active());
  bus.Publish({"a", {}});
  stop();
  stop();
  bus.Publish({"b", {}});
  EXPECT_FALSE(bus.active());
  EXPECT_EQ(heard, std::vector<std::string>{"a"});
}

TEST(EventBus, AListenerMayUnsubscribeAndSubscribeInside) {
  EventBus bus;
  int first = 0;
  int second = 0;
  std::function<void()> stop;
  stop = bus.Subscribe([&](const Event&) {
    ++first;
    stop();
    (void)bus.Subscribe([&](const Event&) { ++second; });
  });
  bus.Publish({"a", {}});
  EXPECT_EQ(second, 0);
  bus.Publish({"b", {}});
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
}

TEST(EventBus, AThrowingListenerStopsNobody) {
  EventBus bus;
  int heard = 0;
  const auto stop_bad = bus.Subscribe([](const Event&) { throw std::runtime_error("no"); });
  const auto stop_worse = bus.Subscribe([](const Event&) { throw 1; });
  const auto stop_good = bus.Subscribe([&](const Event&) { ++heard; });
  bus.Publish({"a", {}});
  EXPECT_EQ(heard, 1);
}

TEST(EventBus, UnsubscribeOutlivesTheBus) {
  std::optional<EventBus> bus(std::in_place);
  const auto stop = bus->Subscribe([](const Event&) {});
  bus.reset();
  stop();
}

}  // namespace
}  // namespace toolpost::mcp
