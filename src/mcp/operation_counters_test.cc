#include "mcp/operation_counters.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace toolpost::mcp {
namespace {

using namespace std::chrono_literals;
using Clock = OperationCounters::Clock;

constexpr Ending kTimeout = Ending::Failed(Code::kTimeout, false);
constexpr Ending kBusy = Ending::Failed(Code::kUnavailable, true);

TEST(OperationCounters, PRD_FR_007_2_CountsCalls) {
  OperationCounters counters;
  counters.Record({}, 2ms, Clock::now(), "r-1");
  counters.Record(kTimeout, 4ms, Clock::now(), "r-2");
  const ToolMetrics metrics = ToMetrics(counters.Read());
  EXPECT_EQ(metrics.total_invocations, 2u);
  EXPECT_EQ(metrics.successful_invocations, 1u);
  EXPECT_EQ(metrics.failed_invocations, 1u);
  EXPECT_DOUBLE_EQ(metrics.average_execution_ms, 3.0);
  ASSERT_TRUE(metrics.last_invoked);
  EXPECT_LT(base::Now() - *metrics.last_invoked, 60s);
}

TEST(OperationCounters, NeverCalled) {
  const ToolMetrics metrics = ToMetrics(OperationCounters().Read());
  EXPECT_EQ(metrics.total_invocations, 0u);
  EXPECT_EQ(metrics.average_execution_ms, 0);
  EXPECT_FALSE(metrics.last_invoked);
}

TEST(OperationCounters, BucketsIncludeTheirBound) {
  OperationCounters counters;
  for (const std::chrono::nanoseconds elapsed :
       {std::chrono::nanoseconds(0ns), std::chrono::nanoseconds(10us),
        std::chrono::nanoseconds(10us + 1ns), std::chrono::nanoseconds(300s),
        std::chrono::nanoseconds(301s)})
    counters.Record({}, elapsed, Clock::now(), {});
  const auto buckets = counters.Read().successes.buckets;
  EXPECT_EQ(buckets[0], 2u);
  EXPECT_EQ(buckets[1], 1u);
  EXPECT_EQ(buckets[kHistogramBounds.size() - 1], 1u);
  EXPECT_EQ(buckets[kHistogramBounds.size()], 1u);
}

TEST(OperationCounters, PRD_NFR_026_KeepsTheLastErrorOfEachKind) {
  OperationCounters counters;
  counters.Record(kTimeout, 1ms, Clock::now(), "r-1");
  counters.Record(kBusy, 1ms, Clock::now(), "r-2");
  counters.Record(kTimeout, 1ms, Clock::now(), "r-3");
  counters.Record(Ending::ToolError(), 1ms, Clock::now(), std::string(100, 'x'));
  const auto reading = counters.Read();
  ASSERT_EQ(reading.failures.size(), 3u);
  EXPECT_EQ(reading.failures[0].ending.name(), "TIMEOUT");
  EXPECT_EQ(reading.failures[0].times.count(), 2u);
  EXPECT_EQ(reading.failures[0].last_request_id, "r-3");
  EXPECT_EQ(reading.failures[1].ending.name(), "TOOL_ERROR");
  EXPECT_EQ(reading.failures[1].last_request_id, std::string(40, 'x'));
  EXPECT_EQ(reading.failures[2].ending.name(), "UNAVAILABLE");
  EXPECT_EQ(reading.failed(), 4u);
  EXPECT_EQ(reading.total(), 4u);
}

TEST(OperationCounters, FailuresWithoutAnIdAreCountedToo) {
  OperationCounters counters;
  counters.Record(kTimeout, 1ms, Clock::now(), {});
  EXPECT_EQ(counters.Read().failures.at(0).last_request_id, "");
}

TEST(OperationCounters, LosesNothingBetweenThreads) {
  OperationCounters counters;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        const Ending endings[] = {Ending(), kTimeout, kBusy, Ending::ToolError()};
        counters.Record(endings[n % 4], 1us, Clock::now(), "r");
        if (n % 100 == 0) (void)counters.Read();
      }
    });
  }
  threads.clear();
  const auto reading = counters.Read();
  EXPECT_EQ(reading.total(), 12'000u);
  EXPECT_EQ(reading.failures.size(), 3u);
  for (const auto& failure : reading.failures) EXPECT_EQ(failure.times.count(), 3'000u);
}

TEST(OperationCounters, Reset) {
  OperationCounters counters;
  counters.Record(kTimeout, 1ms, Clock::now(), "r");
  counters.Record({}, 1ms, Clock::now(), "r");
  counters.Reset();
  EXPECT_EQ(counters.Read().total(), 0u);
  EXPECT_TRUE(counters.Read().failures.empty());
  EXPECT_FALSE(counters.Read().last);
  counters.Record(kTimeout, 1ms, Clock::now(), "r");
  EXPECT_EQ(counters.Read().failed(), 1u);
}

TEST(OperationCounters, PRD_NFR_007_ThousandToolsAreSmall) {
  EXPECT_LT(sizeof(OperationCounters) * 1000, 2u * 1024 * 1024);
}

TEST(Times, QuantilesLieWithinTheirBucket) {
  OperationCounters counters;
  for (int i = 0; i < 90; ++i) counters.Record({}, 50us, Clock::now(), {});
  for (int i = 0; i < 10; ++i) counters.Record({}, 150ms, Clock::now(), {});
  const Times times = counters.Read().successes;
  EXPECT_GT(times.Quantile(0.5), 0.00001);
  EXPECT_LE(times.Quantile(0.5), 0.0001);
  EXPECT_GT(times.Quantile(0.95), 0.1);
  EXPECT_LE(times.Quantile(0.99), 0.2);
  EXPECT_EQ(Times().Quantile(0.5), 0);
  counters.Reset();
  counters.Record({}, 400s, Clock::now(), {});
  EXPECT_EQ(counters.Read().successes.Quantile(0.5), 300);
}

TEST(Ending, SpeaksOpenTelemetry) {
  EXPECT_EQ(Ending().name(), "OK");
  EXPECT_EQ(Ending().error_type(), "");
  EXPECT_EQ(Ending::ToolError().error_type(), "tool_error");
  EXPECT_EQ(kTimeout.error_type(), "tool_error");
  EXPECT_FALSE(kTimeout.server_error());
  EXPECT_EQ(kBusy.error_type(), "-32603");
  EXPECT_TRUE(kBusy.server_error());
  const Ending unknown = Ending::Failed(Code::kMethodNotFound, true);
  EXPECT_EQ(unknown.error_type(), "-32601");
  EXPECT_FALSE(unknown.server_error());
  const Ending cancelled = Ending::Failed(Code::kCancelled, true);
  EXPECT_EQ(cancelled.error_type(), "cancelled");
  EXPECT_EQ(cancelled.json_rpc(), 0);
  EXPECT_EQ(Ending::Failed(Code::kInputRequired, true).name(), "INPUT_REQUIRED");
}

}  // namespace
}  // namespace toolpost::mcp
