#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/json_write.h"
#include "mcp/test_context.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

using namespace std::chrono_literals;

Json Health(const Metrics& metrics) {
  SystemProbes probes;
  probes.started = base::WallTime(1'000'000s);
  probes.metrics = [&] { return metrics; };
  base::SetNowForTest(probes.started + 5s);
  mcp::TestContext context;
  const auto output = HealthTool(probes).handler({}, context);
  base::SetNowForTest({});
  return output ? output->structured : Json();
}

TEST(SystemHealth, PRD_NFR_025_ReportsCounts) {
  Metrics metrics;
  metrics.since = base::WallTime(1'000'000s);
  metrics.requests = 4;
  metrics.successful_requests = 3;
  metrics.failed_requests = 1;
  metrics.active_sessions = 2;
  metrics.tools["file/read"].total_invocations = 2;
  metrics.tools["file/read"].successful_invocations = 2;
  metrics.tools["file/read"].average_execution_ms = 1.5;
  metrics.tools["file/read"].last_invoked = base::WallTime(1'000'001s);
  metrics.tools["file/write"];
  EXPECT_EQ(
      base::ToJson(Health(metrics)),
      R"({"status":"healthy","uptimeSeconds":5,"sessions":2,"requests":{"total":4,"successful":3,"failed":1},)"
      R"("successRate":0.75,"tools":[{"name":"file/read","totalInvocations":2,"successfulInvocations":2,)"
      R"("failedInvocations":0,"averageExecutionTime":1.5,"lastInvoked":"1970-01-12T13:46:41.000Z"}],)"
      R"("since":"1970-01-12T13:46:40.000Z"})");
}

TEST(SystemHealth, BeforeTheFirstRequest) {
  const Json health = Health({});
  EXPECT_EQ(health.at("successRate"), 1.0);
  EXPECT_TRUE(health.at("tools").as_array().empty());
}

}  // namespace
}  // namespace toolpost::tools::system
