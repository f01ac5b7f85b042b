#include <gtest/gtest.h>

#include "mcp/test_context.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

std::shared_ptr<const Tool> MakeEntry(std::string name, std::string wire) {
  auto tool = std::make_shared<Tool>();
  tool->info.name = std::move(name);
  tool->info.wire = std::move(wire);
  tool->info.tags = {"tag"};
  tool->input_schema = {{"type", "object"}};
  return tool;
}

Result<Output> List(const JsonObject& arguments) {
  SystemProbes probes;
  probes.tools = [](const Principal&) {
    return std::vector{MakeEntry("file/list", "file_list"), MakeEntry("file/read", "file_read"),
                       MakeEntry("web/fetch", "web_fetch")};
  };
  mcp::TestContext context;
  return ToolsTool(probes).handler(arguments, context);
}

TEST(SystemTools, PRD_FR_006_1_ListsAllWithCount) {
  const auto output = List({});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->structured.at("count"), 3);
  const JsonObject& first = output->structured.at("tools").at(0).as_object();
  EXPECT_EQ(first.at("name"), "file/list");
  EXPECT_EQ(first.at("category"), "file");
  EXPECT_EQ(first.at("version"), "1");
  EXPECT_FALSE(first.contains("inputSchema"));
}

TEST(SystemTools, PRD_FR_006_2_OneCategory) {
  EXPECT_EQ(List({{"category", "file"}})->structured.at("count"), 2);
  EXPECT_EQ(List({{"category", "none"}})->structured.at("count"), 0);
}

TEST(SystemTools, PRD_US_001_SchemasOfAllWhenAskedFor) {
  const auto output = List({{"schemas", true}});
  ASSERT_TRUE(output);
  for (const Json& tool : output->structured.at("tools").as_array())
    EXPECT_TRUE(tool.as_object().contains("inputSchema"));
}

TEST(SystemTools, PRD_FR_006_4_OneToolWithItsSchema) {
  for (const char* name : {"file/read", "file_read"}) {
    const auto output = List({{"name", name}});
    ASSERT_TRUE(output);
    EXPECT_EQ(output->structured.at("count"), 1);
    EXPECT_EQ(output->structured.at("tools").at(0).at("inputSchema"), Json({{"type", "object"}}));
  }
  const auto unknown = List({{"name", "no/such"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::kNotFound);
}

}  // namespace
}  // namespace toolpost::tools::system
