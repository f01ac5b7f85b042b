#include "mcp/result_budget.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

class ResultBudgetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "toolpost-budget-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    state = pattern;
    store = std::make_unique<ResultStore>(state.string(), std::chrono::minutes(15));
    info.name = "test/tool";
  }
  void TearDown() override {
    store.reset();
    std::filesystem::remove_all(state);
  }

  Output Apply(Output output, std::size_t budget, const JsonObject& arguments = {}) {
    return ApplyBudget(std::move(output), budget, info, arguments, who, *store);
  }
  std::string Linked(const Output& output) {
    for (const Json& block : output.content) {
      if (block.at("type") == "resource_link") {
        const auto stored = store->Get(who, block.at("uri").as_string());
        return stored ? stored->text : "unreadable";
      }
    }
    return "no link";
  }
  static std::size_t Chars(const Json& value) { return base::CountCodePoints(base::ToJson(value)); }

  std::filesystem::path state;
  std::unique_ptr<ResultStore> store;
  ToolInfo info;
  Principal who;
};

JsonArray Rows(int count) {
  JsonArray rows;
  for (int i = 0; i < count; ++i) rows.push_back(JsonArray{i, "row \xC3\xA9"});
  return rows;
}

TEST_F(ResultBudgetTest, ShortResultsAreUntouched) {
  const Output output = Apply(Output::Structured({{"rows", Rows(10)}}), 1000);
  EXPECT_EQ(output.structured, Json({{"rows", Rows(10)}}));
  EXPECT_TRUE(output.content.empty());
  EXPECT_TRUE(output.meta.empty());
  EXPECT_TRUE(std::filesystem::is_empty(state));
}

TEST_F(ResultBudgetTest, ExactlyAtTheLimitIsUntouched) {
  const Json value = {{"text", "\n\"\xE2\x82\xAC" + std::string(500, 'x')}};
  EXPECT_EQ(Apply(Output::Structured(value), Chars(value)).structured, value);
  EXPECT_NE(Apply(Output::Structured(value), Chars(value) - 1).structured, value);
  const std::string text(500, 'x');
  EXPECT_TRUE(Apply(Output::Text(text), 500).meta.empty());
  EXPECT_FALSE(Apply(Output::Text(text), 499).meta.empty());
}

TEST_F(ResultBudgetTest, CutsTheLargestArrayAtWholeRows) {
  const Json whole = {{"columns", {"a", "b"}}, {"rows", Rows(1000)}};
  const Output output = Apply(Output::Structured(whole), 2000);
  const JsonObject& cut = output.structured.as_object();
  const JsonArray& rows = cut.at("rows").as_array();
  EXPECT_LE(Chars(output.structured), 2000u);
  EXPECT_GT(Chars(output.structured), 1800u) << "the longest prefix that fits";
  EXPECT_TRUE(cut.at("truncated").as_bool());
  EXPECT_EQ(cut.at("total"), 1000);
  EXPECT_EQ(cut.at("returned").as_int64(), static_cast<std::int64_t>(rows.size()));
  EXPECT_EQ(rows.back(), Rows(1000)[rows.size() - 1]);
  EXPECT_EQ(cut.at("columns"), Json({"a", "b"}));
  EXPECT_FALSE(cut.contains("next"));
  EXPECT_EQ(Linked(output), base::ToJson(whole));
  EXPECT_EQ(output.content.at(0).at("name"), "full result");
  EXPECT_EQ(output.content.at(0).at("mimeType"), "application/json");
  EXPECT_EQ(output.content.at(0).at("description"), "Full result, kept 15 minutes");
}

TEST_F(ResultBudgetTest, SaysTheExactNextArgument) {
  info.page_argument = "offset";
  Output output = Apply(Output::Structured({{"rows", Rows(1000)}}), 2000);
  const std::int64_t returned = output.structured.at("returned").as_int64();
  EXPECT_EQ(output.structured.at("next"), Json({{"offset", returned}}));
  output = Apply(Output::Structured({{"rows", Rows(1000)}}), 2000, {{"offset", 120}});
  EXPECT_EQ(output.structured.at("next"), Json({{"offset", 120 + returned}}));
  output = Apply(Output::Structured({{"rows", Rows(1000)}}), 2000, {{"offset", "abc"}});
  EXPECT_FALSE(output.structured.as_object().contains("next")) << "a cursor cannot be computed";
}

TEST_F(ResultBudgetTest, CutsAStringAtALine) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "zeile \xC3\xA4 \xF0\x9F\x98\x80\n";
  const Output output = Apply(Output::Structured({{"path", "a.txt"}, {"text", text}}), 1000);
  const std::string cut(output.structured.at("text").as_string());
  EXPECT_LE(Chars(output.structured), 1000u);
  EXPECT_TRUE(cut.ends_with('\n'));
  EXPECT_TRUE(text.starts_with(cut));
  EXPECT_EQ(output.structured.at("total").as_int64(),
            static_cast<std::int64_t>(base::CountCodePoints(text)));
  EXPECT_EQ(output.structured.at("returned").as_int64(),
            static_cast<std::int64_t>(base::CountCodePoints(cut)));
  EXPECT_EQ(output.structured.at("path"), "a.txt");
}

TEST_F(ResultBudgetTest, OneHugeLineNeverEndsInsideACharacter) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "\xF0\x9F\x98\x80";
  for (std::size_t budget = 300; budget < 310; ++budget) {
    const Output output = Apply(Output::Structured({{"text", text}}), budget);
    const std::string cut(output.structured.at("text").as_string());
    EXPECT_TRUE(base::IsValidUtf8(cut));
    EXPECT_LE(Chars(output.structured), budget);
    EXPECT_FALSE(cut.empty());
  }
}

TEST_F(ResultBudgetTest, DescendsIntoNestedObjects) {
  const Json whole = {{"a", {{"b", {{"c", std::string(5000, 'x')}, {"d", 1}}}}}};
  const Output output = Apply(Output::Structured(whole), 1000);
  EXPECT_LE(Chars(output.structured), 1000u);
  EXPECT_FALSE(output.is_error);
  EXPECT_EQ(output.structured.at("a").at("b").at("d"), 1);
  EXPECT_EQ(output.structured.at("total"), 5000);
}

TEST_F(ResultBudgetTest, ASingleHugeRowIsCutInsideAndNotDropped) {
  info.page_argument = "offset";
  const Json whole = {{"rows", {{{"text", std::string(5000, 'x')}}, {{"text", "y"}}}}};
  const Output output = Apply(Output::Structured(whole), 1000);
  EXPECT_LE(Chars(output.structured), 1000u);
  ASSERT_EQ(output.structured.at("rows").as_array().size(), 1u);
  EXPECT_EQ(output.structured.at("total"), 2);
  EXPECT_EQ(output.structured.at("next"), Json({{"offset", 1}})) << "the next page must get on";
}

TEST_F(ResultBudgetTest, SeveralLargeMembers) {
  JsonObject whole;
  for (int i = 0; i < 20; ++i) whole[base::StrCat("m", i)] = std::string(900, 'x');
  const Output output = Apply(Output::Structured(whole), 2000);
  EXPECT_LE(Chars(output.structured), 2000u);
  EXPECT_FALSE(output.is_error);
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(output.structured.as_object().contains(base::StrCat("m", i)));
}

TEST_F(ResultBudgetTest, AnObjectOfManyMembersCountsAsRows) {
  JsonObject map;
  for (int i = 0; i < 5000; ++i) map[base::StrCat("key", i)] = i;
  const Output output = Apply(Output::Structured({{"map", map}}), 2000);
  EXPECT_LE(Chars(output.structured), 2000u);
  EXPECT_EQ(output.structured.at("total"), 5000);
  EXPECT_EQ(output.structured.at("map").at("key0"), 0);
}

TEST_F(ResultBudgetTest, WhatCannotBeCutIsAnErrorWithALink) {
  Json deep = 1;
  for (int i = 0; i < 40; ++i) deep = JsonObject{{std::string(100, 'k'), deep}};
  const Output output = Apply(Output::Structured(deep), 1000);
  EXPECT_TRUE(output.is_error);
  EXPECT_TRUE(output.structured.is_null());
  EXPECT_EQ(Linked(output), base::ToJson(deep));
}

TEST_F(ResultBudgetTest, KeepsWhatTheToolSaidAboutTotals) {
  const Json whole = {{"rows", Rows(1000)},
                      {"total", 5000},
                      {"returned", 1000},
                      {"truncated", false},
                      {"next", "cursor"}};
  info.page_argument = "offset";
  const Output output = Apply(Output::Structured(whole), 2000);
  EXPECT_EQ(output.structured.at("total"), 5000);
  EXPECT_EQ(output.structured.at("truncated"), true);
  EXPECT_EQ(output.structured.at("returned").as_int64(),
            static_cast<std::int64_t>(output.structured.at("rows").as_array().size()));
  EXPECT_EQ(output.structured.at("next"), "cursor");
}

TEST_F(ResultBudgetTest, ARootThatIsNoObjectGetsNotesInMeta) {
  const Output output = Apply(Output::Structured(Rows(1000)), 2000);
  EXPECT_TRUE(output.structured.is_array());
  EXPECT_LE(Chars(output.structured), 2000u);
  EXPECT_EQ(output.meta.at("truncated"), true);
  EXPECT_EQ(output.meta.at("total"), 1000);
}

TEST_F(ResultBudgetTest, TextKeepsHeadAndTail) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += base::StrCat("line ", i, "\n");
  const Output output = Apply(Output::Text(text), 1000);
  const std::string cut(output.content.at(0).at("text").as_string());
  EXPECT_LE(cut.size(), 1000u);
  EXPECT_TRUE(cut.starts_with("line 0\n"));
  EXPECT_TRUE(cut.ends_with("line 999\n"));
  EXPECT_NE(cut.find("characters left out"), std::string::npos);
  EXPECT_EQ(output.meta.at("truncated"), true);
  EXPECT_EQ(output.meta.at("total").as_int64(), static_cast<std::int64_t>(text.size()));
  EXPECT_EQ(Linked(output), text);
}

TEST_F(ResultBudgetTest, ManyTextBlocksAndAnImage) {
  Output output;
  for (int i = 0; i < 200; ++i)
    output.content.push_back(JsonObject{{"type", "text"}, {"text", std::string(100, 'a')}});
  output.content.push_back(
      JsonObject{{"type", "image"}, {"data", std::string(9000, 'A')}, {"mimeType", "image/png"}});
  const Output cut = Apply(std::move(output), 1000);
  std::size_t chars = 0;
  bool image = false;
  for (const Json& block : cut.content) {
    if (block.at("type") == "text") chars += block.at("text").as_string().size();
    image = image || block.at("type") == "image";
  }
  EXPECT_LE(chars, 1000u);
  EXPECT_GE(chars, 900u);
  EXPECT_TRUE(image);
}

TEST_F(ResultBudgetTest, WithoutAStoreTheCutResultIsStillReturned) {
  std::ofstream(state / "file") << "x";
  store = std::make_unique<ResultStore>((state / "file").string(), std::chrono::minutes(15));
  const Output output = Apply(Output::Structured({{"rows", Rows(1000)}}), 2000);
  EXPECT_EQ(output.structured.at("truncated"), true);
  EXPECT_TRUE(output.content.empty());
}

TEST_F(ResultBudgetTest, AbsurdBudgetsDoNotHang) {
  for (std::size_t budget : {0u, 1u, 5u, 50u}) {
    const Output output = Apply(Output::Structured({{"rows", Rows(1000)}}), budget);
    EXPECT_TRUE(output.is_error || output.structured.at("truncated") == true);
    EXPECT_FALSE(Apply(Output::Text(std::string(1000, 'x')), budget).meta.empty());
  }
}

}  // namespace
}  // namespace toolpost::mcp
