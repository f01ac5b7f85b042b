#include "telemetry/trace_context.h"

#include <gtest/gtest.h>

namespace toolpost::telemetry {
namespace {

constexpr std::string_view kGood = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(Traceparent, IsRead) {
  const auto context = ParseTraceparent(kGood);
  ASSERT_TRUE(context);
  EXPECT_EQ(ToHex(context->trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(ToHex(context->span_id), "00f067aa0ba902b7");
  EXPECT_TRUE(context->sampled);
  EXPECT_FALSE(
      ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")->sampled);
}

TEST(Traceparent, OfALaterVersionIsReadAsFarAsItIsKnown) {
  EXPECT_TRUE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"));
  EXPECT_TRUE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
}

TEST(Traceparent, ThatBreaksTheRulesIsIgnored) {
  for (const std::string_view text :
       {"", "00", "garbage", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x"})
    EXPECT_FALSE(ParseTraceparent(text)) << text;
}

TEST(Tracestate, IsPassedOnIfItCanBe) {
  EXPECT_EQ(UsableTracestate("vendor=value"), "vendor=value");
  EXPECT_EQ(UsableTracestate("a\nb"), "");
  EXPECT_EQ(UsableTracestate("\xC3\xA4"), "");
  EXPECT_EQ(UsableTracestate(std::string(513, 'x')), "");
}

}  // namespace
}  // namespace toolpost::telemetry
