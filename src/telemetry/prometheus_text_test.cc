#include "telemetry/prometheus_text.h"

#include <gtest/gtest.h>

#include "telemetry/process_metrics.h"

namespace toolpost::telemetry {
namespace {

TEST(PrometheusText, CountersAndGauges) {
  const MetricFamilies families = {
      {"toolpost.tool.calls",
       MetricKind::kCounter,
       "",
       "Calls.",
       {{{{"tool", "file/read"}, {"outcome", "OK"}}, 3}}},
      {"toolpost.sessions.active", MetricKind::kGauge, "", "Sessions.", {{{}, 2.5}}},
      {"process.resident_memory", MetricKind::kGauge, "By", "Memory.", {{{}, 4096}}}};
  EXPECT_EQ(PrometheusText(families),
            "# HELP toolpost_tool_calls_total Calls.\n"
            "# TYPE toolpost_tool_calls_total counter\n"
            "toolpost_tool_calls_total{tool=\"file/read\",outcome=\"OK\"} 3\n"
            "# HELP toolpost_sessions_active Sessions.\n"
            "# TYPE toolpost_sessions_active gauge\n"
            "toolpost_sessions_active 2.5\n"
            "# HELP process_resident_memory_bytes Memory.\n"
            "# TYPE process_resident_memory_bytes gauge\n"
            "process_resident_memory_bytes 4096\n");
}

TEST(PrometheusText, HistogramsAreCumulative) {
  static constexpr double kBounds[] = {0.01, 1};
  MetricFamily family{"a.time", MetricKind::kHistogram, "s", "Time.", {}, kBounds};
  family.samples.push_back({.labels = {{"error.type", "x"}}, .value = 2.25, .counts = {1, 0, 2}});
  EXPECT_EQ(PrometheusText({family}),
            "# HELP a_time_seconds Time.\n"
            "# TYPE a_time_seconds histogram\n"
            "a_time_seconds_bucket{error_type=\"x\",le=\"0.01\"} 1\n"
            "a_time_seconds_bucket{error_type=\"x\",le=\"1\"} 1\n"
            "a_time_seconds_bucket{error_type=\"x\",le=\"+Inf\"} 3\n"
            "a_time_seconds_sum{error_type=\"x\"} 2.25\n"
            "a_time_seconds_count{error_type=\"x\"} 3\n");
}

TEST(PrometheusText, LabelValuesCannotEndTheirLine) {
  const MetricFamilies families = {
      {"x", MetricKind::kGauge, "", "X.", {{{{"name", "a\"b\\c\nd"}}, 1}}}};
  EXPECT_NE(PrometheusText(families).find(R"(x{name="a\"b\\c\nd"} 1)"), std::string::npos);
}

TEST(PrometheusText, LabelsWithoutAValueAreLeftOut) {
  const MetricFamilies families = {
      {"x", MetricKind::kGauge, "", "X.", {{{{"a", ""}, {"b", "1"}}, 2}, {{{"a", ""}}, 3}}}};
  EXPECT_NE(PrometheusText(families).find("x{b=\"1\"} 2\nx 3\n"), std::string::npos);
}

TEST(PrometheusText, FamiliesWithoutSamplesAreLeftOut) {
  EXPECT_EQ(PrometheusText({{"x", MetricKind::kGauge, "", "X."}}), "");
}

TEST(ProcessMetrics, AreThoseOfThisProcess) {
  MetricFamilies families;
  AppendProcessMetrics(families);
  const auto value = [&](std::string_view name) {
    for (const MetricFamily& family : families) {
      if (PrometheusName(family) == name) return family.samples.at(0).value;
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_GT(value("process_cpu_seconds_total"), 0);
  EXPECT_GT(value("process_resident_memory_bytes"), 1'000'000);
  EXPECT_GT(value("process_virtual_memory_bytes"), value("process_resident_memory_bytes"));
  EXPECT_GE(value("process_threads"), 1);
  EXPECT_LT(value("process_threads"), 1000);
  EXPECT_GE(value("process_open_fds"), 3);
  EXPECT_GE(value("process_max_fds"), value("process_open_fds"));
  const auto now = static_cast<double>(time(nullptr));
  EXPECT_NEAR(value("process_start_time_seconds"), now, 3600);
}

}  // namespace
}  // namespace toolpost::telemetry
