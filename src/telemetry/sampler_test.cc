#include "telemetry/sampler.h"

#include <gtest/gtest.h>

#include <set>

namespace toolpost::telemetry {
namespace {

TEST(Sampler, TakesAllOrNone) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(Sampler(1).Begin(std::nullopt));
    EXPECT_FALSE(Sampler(0).Begin(std::nullopt));
  }
}

TEST(Sampler, TakesAboutItsShare) {
  const Sampler sampler(0.1);
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) taken += sampler.Begin(std::nullopt).has_value() ? 1 : 0;
  EXPECT_GT(taken, 1'500);
  EXPECT_LT(taken, 2'500);
}

TEST(Sampler, FollowsTheCaller) {
  const auto parent = ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  const auto span = Sampler(0).Begin(parent);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->trace_id, parent->trace_id);
  EXPECT_NE(span->span_id, parent->span_id);
  auto unsampled = parent;
  unsampled->sampled = false;
  EXPECT_FALSE(Sampler(1).Begin(unsampled));
}

TEST(Sampler, NeverRepeatsAnId) {
  const Sampler sampler(1);
  std::set<TraceId> traces;
  std::set<SpanId> spans;
  for (int i = 0; i < 1'000; ++i) {
    const auto context = sampler.Begin(std::nullopt);
    traces.insert(context->trace_id);
    spans.insert(context->span_id);
  }
  EXPECT_EQ(traces.size(), 1'000u);
  EXPECT_EQ(spans.size(), 1'000u);
}

}  // namespace
}  // namespace toolpost::telemetry
