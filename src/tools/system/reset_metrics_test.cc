#include <gtest/gtest.h>

#include "auth/policy.h"
#include "base/clock.h"
#include "mcp/test_context.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

TEST(SystemResetMetrics, StartsTheCountsAgain) {
  int resets = 0;
  SystemProbes probes;
  probes.reset = [&] { ++resets; };
  probes.report = [] {
    mcp::HealthReport report;
    report.since = base::WallTime(std::chrono::seconds(1'000'000));
    return report;
  };
  mcp::TestContext context;
  const auto output = ResetMetricsTool(probes).handler({}, context);
  ASSERT_TRUE(output);
  EXPECT_EQ(resets, 1);
  EXPECT_EQ(output->structured.at("since"), "1970-01-12T13:46:40.000Z");
}

TEST(SystemResetMetrics, IsForAdministrators) {
  const ToolInfo info = ResetMetricsTool({}).info;
  const auto credential = std::make_shared<Credential>();
  Principal principal{.credential = credential};
  credential->grants.scopes = {"read", "write"};
  EXPECT_TRUE(auth::Refusal(principal, info));
  credential->grants.scopes = {"admin"};
  EXPECT_FALSE(auth::Refusal(principal, info));
}

}  // namespace
}  // namespace toolpost::tools::system
