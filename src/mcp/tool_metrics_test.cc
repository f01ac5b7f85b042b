#include "mcp/tool_metrics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/clock.h"

namespace toolpost::mcp {
namespace {

using namespace std::chrono_literals;

TEST(ToolCounters, PRD_FR_007_2_CountsCalls) {
  ToolCounters counters;
  const auto now = std::chrono::steady_clock::now();
  counters.Record(true, 2ms, now);
  counters.Record(false, 4ms, now);
  const ToolMetrics metrics = counters.Read();
  EXPECT_EQ(metrics.total_invocations, 2u);
  EXPECT_EQ(metrics.successful_invocations, 1u);
  EXPECT_EQ(metrics.failed_invocations, 1u);
  EXPECT_DOUBLE_EQ(metrics.average_execution_ms, 3.0);
  ASSERT_TRUE(metrics.last_invoked);
  EXPECT_LT(base::Now() - *metrics.last_invoked, 60s);
}

TEST(ToolCounters, NeverCalled) {
  const ToolMetrics metrics = ToolCounters().Read();
  EXPECT_EQ(metrics.total_invocations, 0u);
  EXPECT_EQ(metrics.average_execution_ms, 0);
  EXPECT_FALSE(metrics.last_invoked);
}

TEST(ToolCounters, BucketsIncludeTheirBound) {
  ToolCounters counters;
  const auto now = std::chrono::steady_clock::now();
  counters.Record(true, 0ns, now);
  counters.Record(true, 1ms, now);
  counters.Record(true, 1ms + 1ns, now);
  counters.Record(true, 300s, now);
  counters.Record(true, 301s, now);
  const auto histogram = counters.Read().histogram;
  ASSERT_EQ(histogram.size(), kHistogramBounds.size() + 1);
  EXPECT_EQ(histogram[0], 2u);
  EXPECT_EQ(histogram[1], 1u);
  EXPECT_EQ(histogram[15], 1u);
  EXPECT_EQ(histogram[16], 1u);
}

TEST(ToolCounters, LosesNothingBetweenThreads) {
  ToolCounters counters;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n)
        counters.Record(n % 2 == 0, 1us, std::chrono::steady_clock::now());
    });
  }
  threads.clear();
  EXPECT_EQ(counters.Read().total_invocations, 12'000u);
  EXPECT_EQ(counters.Read().failed_invocations, 6'000u);
}

TEST(ToolCounters, Reset) {
  ToolCounters counters;
  counters.Record(false, 1ms, std::chrono::steady_clock::now());
  counters.Reset();
  EXPECT_EQ(counters.Read().total_invocations, 0u);
  EXPECT_FALSE(counters.Read().last_invoked);
}

TEST(ToolCounters, PRD_NFR_007_ThousandToolsAreSmall) {
  EXPECT_LT(sizeof(ToolCounters) * 1000, 2u * 1024 * 1024);
}

}  // namespace
}  // namespace toolpost::mcp
