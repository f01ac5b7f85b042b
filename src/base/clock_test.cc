#include "base/clock.h"

#include <gtest/gtest.h>

namespace toolpost::base {
namespace {

using namespace std::chrono_literals;

TEST(Clock, WritesIso8601WithMilliseconds) {
  const WallTime time =
      std::chrono::sys_days{std::chrono::year(2026) / 7 / 28} + 12h + 34min + 56s + 789ms;
  EXPECT_EQ(ToIso8601(time), "2026-07-28T12:34:56.789Z");
  EXPECT_EQ(ToIso8601(time + 999us), "2026-07-28T12:34:56.789Z");
  EXPECT_EQ(ToIso8601(WallTime{}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(ToIso8601(WallTime{} - 1ms), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(ToIso8601(std::chrono::sys_days{std::chrono::year(2024) / 2 / 29}),
            "2024-02-29T00:00:00.000Z");
}

TEST(Clock, TestsCanFreezeNow) {
  const WallTime frozen = WallTime{} + 1'000'000s;
  SetNowForTest(frozen);
  EXPECT_EQ(Now(), frozen);
  EXPECT_EQ(Now(), frozen);
  SetNowForTest({});
  EXPECT_GT(Now(), frozen);
}

}  // namespace
}  // namespace toolpost::base
