#include "mcp/event_bus.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

namespace toolpost::mcp {
namespace {

constexpr EventKind kOne = EventKind::kToolExecuted;
constexpr EventKind kOther = EventKind::kSessionOpened;

TEST(EventBus, DeliversUntilUnsubscribed) {
  EventBus bus;
  EXPECT_FALSE(bus.active(kOne));
  std::vector<EventKind> heard;
  const auto stop = bus.Subscribe([&](const Event& event) { heard.push_back(event.kind); });
  EXPECT_TRUE(bus.active(kOne));
  bus.Publish({kOne, {}});
  stop();
  stop();
  bus.Publish({kOther, {}});
  EXPECT_FALSE(bus.active(kOne));
  EXPECT_EQ(heard, std::vector<EventKind>{kOne});
}

TEST(EventBus, PRD_NFR_027_DeliversTheKindsThatWereNamed) {
  EventBus bus;
  std::vector<EventKind> heard;
  const auto stop =
      bus.Subscribe([&](const Event& event) { heard.push_back(event.kind); }, {kOther});
  EXPECT_FALSE(bus.active(kOne));
  EXPECT_TRUE(bus.active(kOther));
  const auto stop_all = bus.Subscribe([](const Event&) {});
  EXPECT_TRUE(bus.active(kOne));
  bus.Publish({kOne, {}});
  bus.Publish({kOther, {}});
  EXPECT_EQ(heard, std::vector<EventKind>{kOther});
  stop_all();
  EXPECT_FALSE(bus.active(kOne));
}

TEST(EventBus, KindsHaveNames) {
  EXPECT_EQ(NameOf(EventKind::kToolRegistered), "toolRegistered");
  EXPECT_EQ(NameOf(EventKind::kToolUnregistered), "toolUnregistered");
  EXPECT_EQ(NameOf(EventKind::kToolExecuted), "toolExecuted");
  EXPECT_EQ(NameOf(EventKind::kSessionOpened), "sessionOpened");
  EXPECT_EQ(NameOf(EventKind::kSessionClosed), "sessionClosed");
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
  bus.Publish({kOne, {}});
  EXPECT_EQ(second, 0);
  bus.Publish({kOther, {}});
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
}

TEST(EventBus, AThrowingListenerStopsNobody) {
  EventBus bus;
  int heard = 0;
  const auto stop_bad = bus.Subscribe([](const Event&) { throw std::runtime_error("no"); });
  const auto stop_worse = bus.Subscribe([](const Event&) { throw 1; });
  const auto stop_good = bus.Subscribe([&](const Event&) { ++heard; });
  bus.Publish({kOne, {}});
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
