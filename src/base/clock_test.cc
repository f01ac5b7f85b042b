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

TEST(Clock, ReadsRfc3339) {
  const WallTime noon = std::chrono::sys_days{std::chrono::year(2026) / 1 / 2} + 12h;
  EXPECT_EQ(FromIso8601("2026-01-02T12:00:00Z"), noon);
  EXPECT_EQ(FromIso8601("2026-01-02t12:00:00.5z"), noon + 500ms);
  EXPECT_EQ(FromIso8601("2026-01-02T14:30:00+02:30"), noon);
  EXPECT_EQ(FromIso8601("2026-01-02 01:00:00.123456789-11:00"), noon + 123456789ns);
  EXPECT_EQ(FromIso8601("2026-01-02"), noon - 12h);
}

TEST(Clock, RefusesWhatIsNoTime) {
  for (const std::string_view text :
       {"", "2026", "2026-13-01", "2026-02-29", "2026-00-10", "2026-01-02T", "2026-01-02T12:00",
        "2026-01-02T24:00:00Z", "2026-01-02T12:60:00Z", "2026-01-02T12:00:60Z",
        "2026-01-02T12:00:00", "2026-01-02T12:00:00.Z", "2026-01-02T12:00:00.1234567890Z",
        "2026-01-02T12:00:00Zx", "2026-01-02T12:00:00+2:00", "20260102T120000Z",
        "9999-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "+026-01-02"}) {
    EXPECT_FALSE(FromIso8601(text)) << text;
  }
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
