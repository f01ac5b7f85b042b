#include "mcp/health_report.h"

#include <gtest/gtest.h>

#include "mcp/core.h"
#include "telemetry/prometheus_text.h"

namespace toolpost::mcp {
namespace {

using namespace std::chrono_literals;

Tool Plain(std::string name) {
  Tool tool;
  tool.info.name = std::move(name);
  tool.input_schema = JsonObject{{"type", "object"}};
  tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Output::Text("ok");
  };
  return tool;
}

class HealthReportTest : public ::testing::Test {
 protected:
  HealthReportTest() {
    EXPECT_TRUE(core.registry.Add(Plain("a/one")));
    EXPECT_TRUE(core.registry.Add(Plain("a/two")));
  }
  void Record(Ending ending, std::chrono::nanoseconds elapsed, std::string_view id) {
    core.registry.Find("a/one")->counters->Record(ending, elapsed, std::chrono::steady_clock::now(),
                                                  id);
  }

  Core core{ServerOptions{}};
};

TEST_F(HealthReportTest, PRD_US_007_PRD_AC_INT_3_StateFollowsTheLifeOfTheServer) {
  EXPECT_EQ(ReportReadiness(core).state, "starting");
  EXPECT_FALSE(ReportReadiness(core).ready());
  core.Opened();
  EXPECT_EQ(ReportReadiness(core).state, "healthy");
  EXPECT_TRUE(ReportReadiness(core).ready());
  std::string problem = "gone";
  core.vitals.AddDependencies([&] { return std::vector<DependencyHealth>{{"store", problem}}; });
  EXPECT_EQ(ReportReadiness(core).state, "degraded");
  EXPECT_TRUE(ReportReadiness(core).ready());
  problem.clear();
  EXPECT_EQ(ReportReadiness(core).state, "healthy");
  core.Drain(0ms);
  EXPECT_EQ(ReportReadiness(core).state, "draining");
  core.Opened();
  EXPECT_FALSE(ReportReadiness(core).ready());
}

TEST_F(HealthReportTest, PRD_US_007_CountsCallsAndErrors) {
  Record({}, 1ms, "r-1");
  Record(Ending::Failed(Code::kTimeout, false), 1ms, "r-2");
  Record(Ending::Failed(Code::kUnavailable, false), 1ms, "r-3");
  Record(Ending::Failed(Code::kUnavailable, true), 1ms, "r-4");
  core.requests.Count(true);
  core.requests.Count(false);
  const HealthReport report = ReportHealth(core);
  EXPECT_EQ(report.requests, 2u);
  EXPECT_EQ(report.failed_requests, 1u);
  EXPECT_EQ(report.success_rate, 0.5);
  EXPECT_GT(report.times.p50_ms, 0);
  ASSERT_EQ(report.tools.size(), 1u);
  EXPECT_EQ(report.tools[0].name, "a/one");
  EXPECT_EQ(report.tools[0].metrics.failed_invocations, 3u);
  ASSERT_EQ(report.tools[0].errors.size(), 2u);
  EXPECT_EQ(report.tools[0].errors[0].type, "TIMEOUT");
  EXPECT_EQ(report.tools[0].errors[0].last_request_id, "r-2");
  EXPECT_EQ(report.tools[0].errors[1].type, "UNAVAILABLE");
  EXPECT_EQ(report.tools[0].errors[1].count, 2u);
}

TEST_F(HealthReportTest, PRD_US_010_ShowsTransportsUntilTheyGo) {
  const auto forget = core.vitals.AddTransport(
      [] { return TransportHealth{.name = "http", .state = "listening", .connections = 3}; });
  ASSERT_EQ(ReportHealth(core).transports.size(), 1u);
  EXPECT_EQ(ReportHealth(core).transports[0].connections, 3);
  forget();
  EXPECT_TRUE(ReportHealth(core).transports.empty());
}

TEST_F(HealthReportTest, ResetStartsAgain) {
  Record({}, 1ms, "r");
  core.requests.Count(false);
  core.ResetMetrics();
  const HealthReport report = ReportHealth(core);
  EXPECT_TRUE(report.tools.empty());
  EXPECT_EQ(report.requests, 0u);
  EXPECT_EQ(report.success_rate, 1);
  EXPECT_GE(report.since, report.started_at);
}

std::string Text(const Core& core) { return telemetry::PrometheusText(ReadMetrics(core)); }

TEST_F(HealthReportTest, MetricsNameToolsMethodsAndEndings) {
  Record({}, 1us, "r");
  Record({}, 3ms, "r");
  Record(Ending::Failed(Code::kTimeout, false), 1ms, "r");
  core.requests.Record("no/such", Ending::Failed(Code::kMethodNotFound, true), 1ms,
                       std::chrono::steady_clock::now(), "r");
  core.requests.Record("tools/call", Ending::Failed(Code::kInvalidArgument, true), 1ms,
                       std::chrono::steady_clock::now(), "r");
  core.vitals.AddPools([] { return std::vector<PoolHealth>{{"shop", 2, 1, 8}}; });
  const std::string text = Text(core);
  const auto has = [&](std::string_view line) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  };
  has("mcp_server_operation_duration_seconds_bucket{mcp_method_name=\"tools/call\","
      "gen_ai_tool_name=\"a/one\",le=\"0.001\"} 1\n");
  has("gen_ai_tool_name=\"a/one\",le=\"0.005\"} 2\n");
  has("gen_ai_tool_name=\"a/one\",error_type=\"tool_error\",le=\"+Inf\"} 1\n");
  has("{mcp_method_name=\"_other\",error_type=\"-32601\",le=\"+Inf\"} 1\n");
  has("{mcp_method_name=\"tools/call\",gen_ai_tool_name=\"_other\",error_type=\"-32602\",");
  has("toolpost_tool_calls_total{tool=\"a/one\",outcome=\"OK\"} 2\n");
  has("toolpost_tool_calls_total{tool=\"a/one\",outcome=\"TIMEOUT\"} 1\n");
  has("toolpost_tool_last_call_timestamp_seconds{tool=\"a/one\"} ");
  has("toolpost_db_pool_in_use{pool=\"shop\"} 1\n");
  has("toolpost_build_info{version=");
  EXPECT_EQ(text.find("a/two"), std::string::npos) << "never called";
}

TEST_F(HealthReportTest, MetricsOfLimitsNameTheKeyById) {
  const auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->key_id = "k1";
  core.limits.Configure({.per_second_per_credential = 0.001});
  const Principal principal{.id = "key:k1", .credential = credential};
  while (!core.limits.Enter(principal)) core.limits.Leave();
  EXPECT_NE(Text(core).find("toolpost_rate_limited_total{key=\"k1\"} 1\n"), std::string::npos);
}

}  // namespace
}  // namespace toolpost::mcp
