// Statements that only read run, give what SQLite gives, and leave nothing behind.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "db/sqlite_cases_fixture.h"
#include "db/sqlite_database_fixture.h"

namespace toolpost::db {
namespace {

class SqliteHarmlessTest : public SqliteDatabaseTest {
 protected:
  void SetUp() override {
    SqliteDatabaseTest::SetUp();
    Write(SqliteCasesSchema());
  }
};

TEST_F(SqliteHarmlessTest, PRD_US_006_ReadingStatementsOfEveryKindRun) {
  const auto files = Files();
  for (const SqliteCase& one : HarmlessSqliteStatements())
    EXPECT_EQ(Answer(one.sql), one.answer) << one.category << ": " << one.sql;
  EXPECT_EQ(Files(), files);
}

TEST_F(SqliteHarmlessTest, TheirPlansAreExplained) {
  for (const SqliteCase& one : HarmlessSqliteStatements()) {
    for (const char* explain : {"EXPLAIN QUERY PLAN ", "EXPLAIN "}) {
      const auto kept = Read(std::string(explain) + one.sql);
      ASSERT_TRUE(kept) << explain << one.sql << ": " << kept.error().message;
      EXPECT_EQ(kept->begins, 1) << one.sql;
    }
  }
}

TEST_F(SqliteHarmlessTest, ThereAreExamplesOfEveryKind) {
  std::map<std::string, int> count;
  for (const SqliteCase& one : HarmlessSqliteStatements()) ++count[one.category];
  for (const auto& [category, examples] : count) EXPECT_GE(examples, 5) << category;
}

}  // namespace
}  // namespace toolpost::db
