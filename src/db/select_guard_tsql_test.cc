#include "db/select_guard_tsql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "db/look_alike.h"
#include "db/tsql_cases_fixture.h"
#include "db/tsql_tokens.h"
#include "db/tsql_words.h"

namespace toolpost::db {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SelectGuardTsql : public ::testing::TestWithParam<TsqlCases> {};

TEST_P(SelectGuardTsql, PRD_NFR_017_RefusesAndNamesTheConstruct) {
  for (const RefusedTsql& each : GetParam().refused) {
    const auto guarded = GuardedTsql(each.sql);
    ASSERT_FALSE(guarded) << each.sql;
    EXPECT_EQ(guarded.error().code, Code::kInvalidArgument);
    EXPECT_THAT(base::ToLower(guarded.error().message), HasSubstr(base::ToLower(each.reason)))
        << each.sql;
  }
}

TEST_P(SelectGuardTsql, AllowsTheHarmlessTwins) {
  for (const std::string& sql : GetParam().allowed) {
    const auto guarded = GuardedTsql(sql);
    EXPECT_TRUE(guarded) << sql << "\n" << guarded.error().message;
  }
  EXPECT_GE(GetParam().allowed.size(), GetParam().refused.size());
}

INSTANTIATE_TEST_SUITE_P(Cases, SelectGuardTsql, ::testing::ValuesIn(AllTsqlCases()),
                         [](const auto& each) { return each.param.name; });

TEST(SelectGuardTsql, SaysWhatIsAllowed) {
  EXPECT_THAT(GuardedTsql("DELETE FROM t").error().message,
              HasSubstr("Allowed is one SELECT statement"));
  EXPECT_THAT(GuardedTsql("SELECT 1 THROW").error().message, HasSubstr("[THROW]"));
  EXPECT_THAT(GuardedTsql("SELECT * FROM t WITH (XLOCK)").error().message,
              AllOf(HasSubstr("XLOCK"), HasSubstr("NOLOCK, READUNCOMMITTED")));
  EXPECT_THAT(GuardedTsql("SELECT\n1\n{").error().message, HasSubstr("(line 3)"));
}

TEST(SelectGuardTsql, KnowsNoParametersAndDatabasesButThoseGiven) {
  EXPECT_FALSE(GuardTsqlStatement("SELECT @p", {}));
  EXPECT_FALSE(GuardTsqlStatement("SELECT * FROM master.dbo.t", {}));
  EXPECT_TRUE(GuardTsqlStatement("SELECT * FROM dbo.t", {}));
  const std::string databases[] = {"my db"};
  EXPECT_TRUE(
      GuardTsqlStatement("SELECT * FROM [My DB]..t", {.parameters = {}, .databases = databases}));
}

TEST(SelectGuardTsql, BoundsSizeAndNesting) {
  EXPECT_TRUE(GuardedTsql("SELECT '" + std::string(99'991, 'x') + "'"));
  EXPECT_THAT(GuardedTsql("SELECT '" + std::string(100'000, 'x') + "'").error().message,
              HasSubstr("at most 100000"));
  const auto nested = [](std::size_t depth) {
    return "SELECT " + std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_TRUE(GuardedTsql(nested(100)));
  EXPECT_THAT(GuardedTsql(nested(101)).error().message, HasSubstr("too deeply"));
  std::string comment;
  for (int i = 0; i < 20'000; ++i) comment += "/*";
  EXPECT_FALSE(GuardedTsql("SELECT 1 " + comment));
  std::string columns = "SELECT a";
  while (columns.size() < 99'000) columns += ",[a].b";
  EXPECT_TRUE(GuardedTsql(columns));
}

TEST(TsqlTokens, SplitsAsTheServerDoes) {
  const auto tokens =
      TokenizeTsql("sElect N'a''b',[c]]d],\"e\"/*/**/*/0x1F--x\n@@a $1.5 geometry::x");
  ASSERT_TRUE(tokens);
  std::vector<std::string> texts;
  for (const TsqlToken& token : *tokens) texts.emplace_back(token.text);
  EXPECT_THAT(texts, ElementsAre("sElect", "N'a''b'", ",", "[c]]d]", ",", "\"e\"", "0x1F", "@@a",
                                 "$1.5", "geometry", "::", "x"));
  EXPECT_EQ(NameOf((*tokens)[3]), "c]d");
  EXPECT_EQ(NameOf((*tokens)[0]), "sElect");
  EXPECT_TRUE((*tokens)[0].after_line_break);
  EXPECT_FALSE((*tokens)[1].after_line_break);
  EXPECT_TRUE((*tokens)[7].after_line_break);
}

TEST(TsqlWords, TakesNoKeywordForAName) {
  EXPECT_EQ(ClassifyTsqlWord("Select"), TsqlWord::kSelect);
  EXPECT_EQ(ClassifyTsqlWord("TRUNCATE"), TsqlWord::kRefused);
  EXPECT_EQ(ClassifyTsqlWord("xlock"), TsqlWord::kLockHint);
  EXPECT_EQ(ClassifyTsqlWord("customers"), TsqlWord::kName);
  EXPECT_EQ(ClassifyTsqlWord("fór"), TsqlWord::kRefused);
  EXPECT_EQ(ClassifyTsqlWord("für"), TsqlWord::kName);
  EXPECT_EQ(ClassifyTsqlWord("größe"), TsqlWord::kName);
}

TEST(LookAlike, ComparesAsTheMostForgivingCollation) {
  EXPECT_TRUE(MayEqual("SYS", "sys"));
  EXPECT_TRUE(MayEqual("sys  ", "sys"));
  EXPECT_FALSE(MayEqual(" sys", "sys"));
  EXPECT_TRUE(MayEqual("ｓｙｓ", "sys"));
  EXPECT_TRUE(MayEqual("s\u0301ys", "sys"));
  EXPECT_TRUE(MayEqual("o\uFB03ce", "office"));
  EXPECT_FALSE(MayEqual("ѕуѕ", "sys"));
  EXPECT_FALSE(MayEqual("größe", "sys"));
  EXPECT_TRUE(MayEqual("qüry", "query"));
  EXPECT_FALSE(MayEqual("qäry", "query"));
  EXPECT_TRUE(MayEqual("ſys", "sys"));
  EXPECT_TRUE(MayEqual("żÿŋ", "zyn"));
  EXPECT_TRUE(MayBeginWith("XP_cmdshell", "xp_"));
  EXPECT_TRUE(MayBeginWith("ｘp_cmdshell", "xp_"));
  EXPECT_TRUE(MayBeginWith("xp_é", "xp_"));
  EXPECT_FALSE(MayBeginWith("xp", "xp_"));
  EXPECT_FALSE(MayBeginWith("表xp_", "xp_"));
}

}  // namespace
}  // namespace toolpost::db
