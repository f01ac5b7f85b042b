#include "tools/tools.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mcp/registry_fixture.h"

namespace toolpost::tools {
namespace {

using ToolsTest = mcp::RegistryFixture;

TEST_F(ToolsTest, PRD_NFR_029_AllToolsRegisterAndAnswer) {
  system::SystemProbes probes;
  probes.report = [this] {
    mcp::HealthReport report;
    report.tools.resize(registry.ReadCounters().size());
    return report;
  };
  probes.reset = [this] { registry.ResetMetrics(); };
  probes.tools = [this](const Principal&) {
    std::vector<std::shared_ptr<const Tool>> tools;
    for (const auto& tool : registry.All()) tools.emplace_back(tool, &tool->tool);
    return tools;
  };
  const auto registered =
      RegisterAll([this](Tool tool) { return registry.Add(std::move(tool)); }, {probes, {}});
  ASSERT_TRUE(registered) << registered.error().message;
  for (const char* name : {"system_info", "system_health", "system_tools"}) {
    const auto outcome = Call(name);
    EXPECT_FALSE(outcome.error) << name << ": " << TextOf(outcome);
  }
  EXPECT_EQ(Call("system/tools").output.structured.at("count"), 4);
  EXPECT_EQ(Call("system/health").output.structured.at("tools").as_array().size(), 3u);
  EXPECT_FALSE(Call("system_reset_metrics").error);
  EXPECT_EQ(registry.ReadCounters().size(), 1u) << "the reset itself ends after it";
  EXPECT_TRUE(Call("system/info", {{"unknown", 1}}).error);
  EXPECT_TRUE(Call("system/tools", {{"name", 5}}).error);
}

TEST(RegisterAll, StopsAtARefusal) {
  int asked = 0;
  const auto registered = RegisterAll(
      [&](const Tool&) -> Result<void> {
        ++asked;
        return Error::Internal("no");
      },
      {});
  EXPECT_FALSE(registered);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace toolpost::tools
