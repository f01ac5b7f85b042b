// Statements that would take too much time, memory or text are ended or refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/select_guard_sqlite.h"
#include "db/sqlite_database_fixture.h"

namespace toolpost::db {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using SelectGuardSqliteBounds = SqliteDatabaseTest;

TEST_F(SelectGuardSqliteBounds, TextIsBounded) {
  EXPECT_THAT(Answer("SELECT 1\u00a0"), HasSubstr("at byte 9"));
  for (const char* hidden :
       {"\u00a0", "\u200b", "\u2028", "\u202e", "\u2066", "\ufeff", "\u3000"}) {
    EXPECT_THAT(Answer(std::string("SELECT") + hidden + "1"), HasSubstr("invisible")) << hidden;
    EXPECT_THAT(Answer(std::string("SELECT 1 --") + hidden), HasSubstr("invisible")) << hidden;
    EXPECT_THAT(Answer(std::string("SELECT 1 AS \"") + hidden + "\""), HasSubstr("invisible"));
  }
  EXPECT_THAT(Answer(std::string_view("SELECT 1\0; DELETE FROM people", 29)),
              HasSubstr("control character"));
  EXPECT_THAT(Answer("SELECT '\x1b[0m'"), HasSubstr("control character"));
  EXPECT_THAT(Answer("SELECT '\xff'"), HasSubstr("not UTF-8"));
  EXPECT_THAT(Answer("SELECT '" + std::string(100'000, 'x') + "'"), HasSubstr("at most 100000"));
  EXPECT_THAT(Answer("SELECT " + std::string(200, '(') + "1" + std::string(200, ')')),
              StartsWith("error "));
  std::string unions = "SELECT 1";
  for (int i = 0; i < 60; ++i) unions += " UNION ALL SELECT 1";
  EXPECT_THAT(Answer(unions), HasSubstr("too many terms in compound SELECT"));
}

TEST_F(SelectGuardSqliteBounds, EndsAtTheDeadlineWhateverItDoes) {
  WriteBigTable();
  const std::string counts = CountBigTable();
  for (const std::string_view sql : std::initializer_list<std::string_view>{
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n",
           "WITH n(i) AS (SELECT value FROM json_each('[1,2,3,4,5,6,7,8,9,10]')) SELECT count(*) "
           "FROM "
           "n "
           "a, n b, n c, n d, n e, n f, n g, n h, n i, n j, n k, n l",
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT "
           "max(length(hex(zeroblob(400000)))) FROM n",
           counts}) {
    const auto kept = Read(sql, nullptr, std::chrono::milliseconds(300));
    ASSERT_FALSE(kept) << sql;
    EXPECT_EQ(kept.error().code, Code::kTimeout) << kept.error().message;
  }
  EXPECT_EQ(Answer("SELECT 1"), "num:1");
}

// Nothing looks at the time between two of them but what they allocate.
TEST_F(SelectGuardSqliteBounds, EndsAtTheDeadlineAmidLookupsIntoJson) {
  Write(
      "CREATE TABLE documents (d); INSERT INTO documents SELECT '[' || "
      "replace(hex(zeroblob(400000)), '00', '1,') || '1]'");
  Reopen();
  std::string paths = "?1";
  for (int i = 0; i < 120; ++i) paths += ",?1";
  std::string sql = "SELECT 1";
  for (int i = 0; i < 200; ++i) sql += ",json_extract(d," + paths + ")";
  const auto kept =
      Read(sql + " FROM documents", R"(["$[#-1].x"])", std::chrono::milliseconds(300));
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, Code::kTimeout) << kept.error().message;
}

// SQLite has it since 3.45.
TEST_F(SelectGuardSqliteBounds, TheQuadraticFunctionOfNewerLibrariesIsRefused) {
  const LibSqlite& lite = LibSqlite::Loaded();
  sqlite3* database = nullptr;
  ASSERT_EQ(lite.open_v2(":memory:", &database, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
  lite.create_function_v2(
      database, "jsonb_patch", 2, SQLITE_UTF8, nullptr,
      [](sqlite3_context*, int, sqlite3_value**) {}, nullptr, nullptr, nullptr);
  {
    SqliteGuard guard(database);
    ASSERT_TRUE(guard.Arm());
    const auto statement = guard.Prepare("SELECT JSONB_PATCH('{}', '{}')");
    ASSERT_FALSE(statement);
    EXPECT_THAT(statement.error().message, HasSubstr("jsonb_patch() is not allowed"));
  }
  lite.close(database);
}

TEST_F(SelectGuardSqliteBounds, PrintfCannotRunOn) {
  for (const char* sql : {"SELECT printf('%.2147483647c%.2147483647c','x','x')",
                          "SELECT format('%.*c', 100000000, 'x')",
                          "SELECT length(printf(name || '%.1000000000c', 'x')) FROM people"}) {
    EXPECT_THAT(Answer(sql), HasSubstr("longer than 1000000")) << sql;
  }
  EXPECT_EQ(Answer("SELECT length(printf('%.900000c', 'x'))"), "num:900000");
}

TEST_F(SelectGuardSqliteBounds, MemoryIsBounded) {
  const auto kept = Read(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000) SELECT "
      "i, randomblob(900000) AS b FROM n ORDER BY b");
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, Code::kTooLarge) << kept.error().message;
  EXPECT_THAT(Answer("SELECT length(hex(zeroblob(900000)))"), HasSubstr("longer than 1000000"));
  EXPECT_EQ(Answer("SELECT 1"), "num:1");
}

}  // namespace
}  // namespace toolpost::db
