#include <gtest/gtest.h>

#include "base/clock.h"
#include "mcp/test_context.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

using namespace std::chrono_literals;

TEST(SystemInfo, SaysWhatRunsWhereSinceWhen) {
  const auto started = base::WallTime(1'000'000s);
  base::SetNowForTest(started + 90s);
  SystemProbes probes;
  probes.started = started;
  probes.version = "1.2.3";
  mcp::TestContext context;
  const auto output = InfoTool(probes).handler({}, context);
  base::SetNowForTest({});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->structured.at("platform"), "linux");
  EXPECT_FALSE(output->structured.at("arch").as_string().empty());
  EXPECT_EQ(output->structured.at("uptime"), 90);
  EXPECT_EQ(output->structured.at("version"), "1.2.3");
  EXPECT_EQ(output->structured.at("startedAt"), "1970-01-12T13:46:40.000Z");
}

TEST(SystemInfo, SaysHowWellCommandsAreConfined) {
  const sandbox::Confinement found{3, "namespaces", {}};
  SystemProbes probes;
  probes.report = [] { return mcp::HealthReport(); };
  mcp::TestContext context;
  EXPECT_FALSE(
      InfoTool(probes).handler({}, context)->structured.as_object().contains("confinement"));
  probes.confinement = [&]() -> const sandbox::Confinement& { return found; };
  const Json expected{{"level", 3}, {"description", "namespaces"}};
  for (const auto& tool : {InfoTool(probes), HealthTool(probes)})
    EXPECT_EQ(tool.handler({}, context)->structured.at("confinement"), expected);
}

}  // namespace
}  // namespace toolpost::tools::system
