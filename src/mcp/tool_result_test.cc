#include "mcp/tool_result.h"

#include <gtest/gtest.h>

#include "base/json_parse.h"

namespace toolpost::mcp {
namespace {

Json Written(const Output& output, Revision revision) {
  std::string out = "{";
  AppendToolResult(out, output, revision);
  out += "}";
  auto parsed = base::ParseJson(out);
  EXPECT_TRUE(parsed) << out;
  return parsed ? *std::move(parsed) : Json();
}

Json Parse(std::string_view text) { return *base::ParseJson(text); }

TEST(ToolResult, TextOnly) {
  EXPECT_EQ(Written(Output::Text("a \"b\"\n"), Revision::k2024_11_05),
            Parse(R"({"content":[{"type":"text","text":"a \"b\"\n"}]})"));
}

TEST(ToolResult, StructuredIsRepeatedAsText) {
  const Output output = Output::Structured({{"a", 1.5}});
  EXPECT_EQ(
      Written(output, Revision::k2025_06_18),
      Parse(R"({"content":[{"type":"text","text":"{\"a\":1.5}"}],"structuredContent":{"a":1.5}})"));
  EXPECT_EQ(Written(output, Revision::k2025_03_26),
            Parse(R"({"content":[{"type":"text","text":"{\"a\":1.5}"}]})"));
}

TEST(ToolResult, LargeStructuredIsSentOnce) {
  const Output output = Output::Structured({{"text", std::string(kMaxDuplicatedBytes, 'x')}});
  const Json modern = Written(output, Revision::k2025_06_18);
  EXPECT_LT(modern.at("content").at(0).at("text").as_string().size(), 200u);
  EXPECT_EQ(modern.at("structuredContent"), output.structured);
  const Json old = Written(output, Revision::k2025_03_26);
  EXPECT_GT(old.at("content").at(0).at("text").as_string().size(), kMaxDuplicatedBytes);
}

TEST(ToolResult, AtTheDuplicationLimitBothAreSent) {
  const Output output = Output::Structured(Json(std::string(kMaxDuplicatedBytes - 2, 'x')));
  EXPECT_EQ(Written(output, kModernRevision).at("content").at(0).at("text").as_string().size(),
            kMaxDuplicatedBytes);
}

TEST(ToolResult, ValuesThatAreNoObjectsAreWrappedForLegacyClients) {
  const Output output = Output::Structured(JsonArray{1, 2});
  EXPECT_EQ(Written(output, Revision::k2025_11_25).at("structuredContent"),
            Parse(R"({"result":[1,2]})"));
  EXPECT_EQ(Written(output, Revision::k2026_07_28).at("structuredContent"), Parse("[1,2]"));
  EXPECT_EQ(Written(output, Revision::k2026_07_28).at("content").at(0).at("text"), "[1,2]");
}

TEST(ToolResult, ContentBlocksOfTheToolWin) {
  Output output = Output::Text("two rows");
  output.structured = {{"rows", 2}};
  EXPECT_EQ(
      Written(output, kModernRevision),
      Parse(R"({"content":[{"type":"text","text":"two rows"}],"structuredContent":{"rows":2}})"));
}

TEST(ToolResult, ALinkAloneGetsTheTextBeforeIt) {
  Output output = Output::Structured({{"a", 1}});
  output.content.push_back(JsonObject{{"type", "resource_link"},
                                      {"uri", "toolpost://results/1"},
                                      {"name", "full result"},
                                      {"description", "All"}});
  const Json modern = Written(output, kModernRevision);
  EXPECT_EQ(modern.at("content").at(0).at("text"), "{\"a\":1}");
  EXPECT_EQ(modern.at("content").at(1).at("type"), "resource_link");
  const Json old = Written(output, Revision::k2025_03_26);
  EXPECT_EQ(old.at("content").at(1),
            Parse(R"json({"type":"text","text":"full result: toolpost://results/1 (All)"})json"));
}

TEST(ToolResult, AudioIsTextForTheFirstRevision) {
  Output output;
  output.content.push_back(
      JsonObject{{"type", "audio"}, {"data", "AAAA"}, {"mimeType", "audio/wav"}});
  EXPECT_EQ(Written(output, Revision::k2024_11_05).at("content").at(0).at("type"), "text");
  EXPECT_EQ(Written(output, Revision::k2025_03_26).at("content").at(0).at("type"), "audio");
}

TEST(ToolResult, ErrorsAndMeta) {
  Output output = Output::Text("no");
  output.is_error = true;
  output.meta = {{"truncated", true}};
  EXPECT_EQ(
      Written(output, kModernRevision),
      Parse(
          R"({"content":[{"type":"text","text":"no"}],"isError":true,"_meta":{"truncated":true}})"));
}

TEST(ToolResult, NothingAtAll) {
  EXPECT_EQ(Written(Output{}, kModernRevision), Parse(R"({"content":[]})"));
}

}  // namespace
}  // namespace toolpost::mcp
