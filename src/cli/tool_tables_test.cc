// The three renderings of a tool list.
#include "cli/tool_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_parse.h"
#include "base/json_write.h"

namespace toolpost::cli {
namespace {

using ::testing::HasSubstr;

ListedTool Listed(std::string id, std::string toolset, std::string_view entry) {
  return {std::move(id), std::move(toolset), *base::ParseJson(entry)};
}

std::vector<ListedTool> Tools() {
  return {
      Listed("file/read", "files", R"({"name":"file_read","description":"Reads a | file.",
     "annotations":{"readOnlyHint":true,"destructiveHint":false},
     "inputSchema":{"type":"object","required":["path"],"properties":{
        "path":{"type":"string","description":"Where."},
        "encoding":{"type":"string","enum":["utf-8","hex"],"default":"utf-8","description":"How."},
        "tags":{"type":"array","items":{"type":["integer","null"]}}}},
     "outputSchema":{"type":"object","properties":{"size":{"type":"integer","description":"Bytes."}}}})"),
      Listed("system/info", "system",
             R"({"name":"system_info","description":"About.","inputSchema":{"type":"object"}})")};
}

TEST(ToolTables, ListUsesCanonicalIds) {
  EXPECT_EQ(ToolList(Tools()), "file/read    Reads a | file.\nsystem/info  About.\n");
  EXPECT_EQ(ToolList({}), "");
}

TEST(ToolTables, TokensAreAQuarterOfTheBytesAndAddUp) {
  const std::vector<ListedTool> tools = Tools();
  const std::size_t first = base::ToJson(tools[0].entry).size();
  const std::size_t second = base::ToJson(tools[1].entry).size();
  const std::string table = TokenTable(tools);
  EXPECT_THAT(table, HasSubstr(std::to_string(first) + "     " + std::to_string(first / 4)));
  EXPECT_THAT(table, HasSubstr("\nfiles "));
  EXPECT_THAT(table, HasSubstr("\nsystem "));
  EXPECT_THAT(table, HasSubstr(std::to_string(first + second)));
}

TEST(ToolTables, MarkdownDescribesArgumentsResultsAndAnnotations) {
  const std::string markdown = ToolsMarkdown(Tools());
  for (const char* part :
       {"## file\n", "### file/read\n", "Name in MCP clients: `file_read`.",
        "| `path` | string | yes | Where. |",
        "| `encoding` | string | no | How. enum `[\"utf-8\",\"hex\"]`, default `\"utf-8\"` |",
        "| `tags` | array of integer or null | no |  |", "| `size` | integer | no | Bytes. |",
        "Annotations: read-only, not destructive.", "## system\n"}) {
    EXPECT_THAT(markdown, HasSubstr(part));
  }
}

TEST(ToolTables, MarkdownCellsSurvivePipesAndLineBreaks) {
  const ListedTool tool =
      Listed("a/b", "a",
             R"({"inputSchema":{"properties":{"p":{"type":"string","description":"a|b\nc"}}}})");
  EXPECT_THAT(ToolsMarkdown({&tool, 1}), HasSubstr("| a\\|b c |"));
}

TEST(ToolTables, OddEntriesDoNotBreakTheTables) {
  const std::vector<ListedTool> tools = {
      Listed("", "", "{}"), Listed("x", "", R"({"name":7,"inputSchema":[],"annotations":3})"),
      Listed("y/", "", "5")};
  EXPECT_NE(ToolList(tools), "");
  EXPECT_NE(TokenTable(tools), "");
  EXPECT_NE(ToolsMarkdown(tools), "");
}

}  // namespace
}  // namespace toolpost::cli
