#include "db/tsql_mutation_fixture.h"

#include <gtest/gtest.h>

#include <set>

#include "db/tsql_cases_fixture.h"

namespace toolpost::db {
namespace {

constexpr std::uint64_t kSpellings = 40;

TEST(TsqlMutation, NoOtherSpellingOfARefusedStatementIsAllowed) {
  for (const TsqlCases& cases : AllTsqlCases()) {
    for (const RefusedTsql& each : cases.refused) {
      for (std::uint64_t seed = 0; seed < kSpellings; ++seed) {
        const std::string mutated = MutateTsql(each.sql, seed);
        EXPECT_FALSE(GuardedTsql(mutated)) << each.sql << "\n" << mutated;
      }
    }
  }
}

TEST(TsqlMutation, WhatIsAllowedLooksHarmlessInEverySpelling) {
  for (const TsqlCases& cases : AllTsqlCases()) {
    for (const std::string& sql : cases.allowed) {
      EXPECT_TRUE(LooksHarmless(sql)) << sql;
      for (std::uint64_t seed = 0; seed < kSpellings; ++seed) {
        const std::string mutated = MutateTsql(sql, seed);
        if (GuardedTsql(mutated)) {
          EXPECT_TRUE(LooksHarmless(mutated)) << mutated;
        }
      }
    }
  }
}

TEST(TsqlMutation, SpacesCommentsAndCaseDoNotMakeAHarmlessStatementRefused) {
  for (const char* sql : {"SELECT a , b FROM dbo . t WHERE a IN ( 1 , 2 ) ORDER BY a",
                          "WITH x AS ( SELECT 1 AS a ) SELECT a FROM x WHERE EXISTS ( SELECT 1 )",
                          "SELECT CASE WHEN a = 1 THEN 'x' ELSE 'y' END FROM t CROSS JOIN u"}) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const std::string mutated = MutateTsql(sql, seed);
      const auto guarded = GuardedTsql(mutated);
      EXPECT_TRUE(guarded) << mutated << "\n" << guarded.error().message;
    }
  }
}

TEST(TsqlMutation, NoCommentSwallowsAMinus) {
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    EXPECT_EQ(MutateTsql("SELECT (1-)", seed).find("---"), std::string::npos) << seed;
}

TEST(TsqlMutation, SpellsDifferently) {
  std::set<std::string> spellings;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    spellings.insert(MutateTsql("SELECT a, 'b' FROM t", seed));
  EXPECT_GT(spellings.size(), 50u);
  EXPECT_EQ(MutateTsql("SELECT 'open", 1), "SELECT 'open");
}

TEST(TsqlMutation, KnowsHarmfulTextFromHarmless) {
  EXPECT_TRUE(LooksHarmless("SELECT 'DELETE', [drop] /* exec */ -- into"));
  EXPECT_TRUE(LooksHarmless("SELECT 1; -- done"));
  EXPECT_TRUE(LooksHarmless("/**/ ;SELECT 1;"));
  EXPECT_FALSE(LooksHarmless(";;SELECT 1"));
  EXPECT_FALSE(LooksHarmless("SELECT 1 DELETE t"));
  EXPECT_FALSE(LooksHarmless("SELECT 1; SELECT 2"));
  EXPECT_FALSE(LooksHarmless("SELECT 1 /* /* */ */ */ INTO t /*"));
}

}  // namespace
}  // namespace toolpost::db
