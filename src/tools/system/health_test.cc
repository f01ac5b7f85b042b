#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/json_write.h"
#include "mcp/test_context.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

using namespace std::chrono_literals;

Json Health(const mcp::HealthReport& report, const Principal& caller = {}) {
  SystemProbes probes;
  probes.report = [&] { return report; };
  mcp::TestContext context;
  context.who = caller;
  const auto output = HealthTool(probes).handler({}, context);
  return output ? output->structured : Json();
}

mcp::HealthReport Busy() {
  mcp::HealthReport report;
  report.state = "degraded";
  report.version = "1.2.3";
  report.started_at = report.since = base::WallTime(1'000'000s);
  report.uptime = 5s;
  report.active_sessions = 2;
  report.requests = 4;
  report.successful_requests = 3;
  report.failed_requests = 1;
  report.success_rate = 0.75;
  report.times = {1, 2, 3};
  mcp::ToolReport tool;
  tool.name = "file/read";
  tool.metrics.total_invocations = 2;
  tool.metrics.successful_invocations = 1;
  tool.metrics.failed_invocations = 1;
  tool.metrics.average_execution_ms = 1.5;
  tool.metrics.last_invoked = base::WallTime(1'000'001s);
  tool.times = {1, 2, 3};
  tool.errors = {{"TIMEOUT", 1, base::WallTime(1'000'001s), "r-1"}};
  report.tools = {tool};
  report.running_calls = 1;
  report.pools = {{"shop", 2, 1, 8}};
  report.transports = {{"http", "listening", 3}};
  report.dependencies = {{"store", "The disk is full"}, {"audit", ""}};
  return report;
}

TEST(SystemHealth, PRD_NFR_025_ReportsCounts) {
  EXPECT_EQ(
      base::ToJson(Health(Busy())),
      R"({"status":"degraded","version":"1.2.3","startedAt":"1970-01-12T13:46:40.000Z",)"
      R"("uptimeSeconds":5,"sessions":2,"requests":{"total":4,"successful":3,"failed":1},)"
      R"("successRate":0.75,"latencyMs":{"p50":1.0,"p95":2.0,"p99":3.0},)"
      R"("tools":[{"name":"file/read","totalInvocations":2,"successfulInvocations":1,)"
      R"("failedInvocations":1,"averageExecutionTime":1.5,)"
      R"("latencyMs":{"p50":1.0,"p95":2.0,"p99":3.0},"lastInvoked":"1970-01-12T13:46:41.000Z",)"
      R"("errors":[{"type":"TIMEOUT","count":1,"lastAt":"1970-01-12T13:46:41.000Z",)"
      R"("lastRequestId":"r-1"}]}],"since":"1970-01-12T13:46:40.000Z",)"
      R"("queue":{"running":1,"waiting":0},)"
      R"("pools":[{"name":"shop","open":2,"inUse":1,"limit":8}],)"
      R"("transports":[{"name":"http","state":"listening","connections":3}],)"
      R"("checks":[{"name":"store","ok":false,"problem":"The disk is full"},)"
      R"({"name":"audit","ok":true}]})");
}

TEST(SystemHealth, OnlyAdministratorsLearnWhatIsWrong) {
  const auto credential = std::make_shared<Credential>();
  credential->grants.scopes = {"read"};
  const Json health = Health(Busy(), {.credential = credential});
  EXPECT_EQ(base::ToJson(health.at("checks").at(0)), R"({"name":"store","ok":false})");
  credential->grants.scopes = {"read", "admin"};
  EXPECT_TRUE(Health(Busy(), {.credential = credential})
                  .at("checks")
                  .at(0)
                  .as_object()
                  .contains("problem"));
}

TEST(SystemHealth, ConnectionsAreForThoseWhoMayUseThem) {
  mcp::HealthReport report = Busy();
  report.pools = {{"shop", 2, 1, 8, "shop"}, {"mssql hr", 0, 0, 4, "hr"}};
  report.dependencies = {{"database shop", "", "shop"}, {"database crm", "Gone", "crm"}};
  const auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants.scopes = {"read"};
  credential->grants.connections = std::vector<std::string>{"crm"};
  Json health = Health(report, {.credential = credential});
  EXPECT_EQ(health.at("pools"), JsonArray());
  EXPECT_EQ(health.at("checks").as_array().size(), 1u);
  EXPECT_EQ(health.at("checks").at(0).at("name"), "database crm");
  credential->grants.connections = std::vector<std::string>{"hr"};
  health = Health(report, {.credential = credential});
  EXPECT_EQ(health.at("pools").at(0).at("name"), "mssql hr");
  EXPECT_EQ(health.at("checks"), JsonArray());
}

TEST(SystemHealth, BeforeTheFirstRequest) {
  const Json health = Health({});
  EXPECT_EQ(health.at("successRate"), 1.0);
  EXPECT_TRUE(health.at("tools").as_array().empty());
}

}  // namespace
}  // namespace toolpost::tools::system
