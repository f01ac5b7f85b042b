// Schemas as their owners make them: large ones, and those that change while they are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/sqlite_database_fixture.h"

namespace toolpost::db {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Joined(int count, std::string_view before, std::string_view between) {
  std::string text;
  for (int i = 0; i < count; ++i) text += base::StrCat(i > 0 ? between : "", before, i);
  return text;
}

class SqliteSchema : public SqliteDatabaseTest {
 protected:
  void ChangeSchema() { Write("CREATE TABLE later (a); DROP TABLE later"); }
};

TEST_F(SqliteSchema, IsReadAgainHoweverLargeItIs) {
  Write(base::StrCat("CREATE TABLE wide (", Joined(600, "c", ", "), "); INSERT INTO wide (c599) ",
                     "VALUES (7); CREATE VIEW wider AS SELECT * FROM wide;")
            .c_str());
  Write(base::StrCat("CREATE VIEW many AS SELECT max(", Joined(40, "", ", "),
                     ") AS m; CREATE VIEW terms AS ", Joined(60, "SELECT ", " UNION ALL "),
                     "; CREATE VIEW deep AS SELECT ", Joined(120, "", " || "), " AS s;")
            .c_str());
  Write(base::StrCat("CREATE TABLE checked (a CHECK (", Joined(120, "a = ", " OR "),
                     ")); INSERT INTO checked VALUES (3); CREATE VIEW long AS SELECT length('",
                     std::string(120'000, 'x'), "') AS n;")
            .c_str());
  Reopen();
  constexpr std::pair<const char*, const char*> kAnswers[] = {
      {"SELECT c599 FROM wider", "num:7"},
      {"SELECT m FROM many", "num:39"},
      {"SELECT count(*) FROM terms", "num:60"},
      {"SELECT a FROM checked", "num:3"},
      {"SELECT n FROM long", "num:120000"},
      {"SELECT count(*) FROM people", "num:3"},
      {"SELECT count(*) FROM notes WHERE notes MATCH 'fox'", "num:1"},
  };
  for (const auto& [sql, answer] : kAnswers) {
    EXPECT_EQ(Answer(sql), answer);
    ChangeSchema();
    EXPECT_EQ(Answer(sql), answer) << "prepared before";
    ChangeSchema();
    EXPECT_EQ(Answer(base::StrCat(sql, " -- again")), answer);
  }
  ChangeSchema();
  EXPECT_TRUE(database_->Describe("", std::vector<std::string>{"wide", "many"}));
  EXPECT_THAT(Answer("SELECT s FROM deep"), HasSubstr("maximum depth 100"));
  const auto wide = Read("SELECT * FROM wide");
  ASSERT_TRUE(wide) << wide.error().message;
  EXPECT_EQ(wide->names.size(), 600u);
}

TEST_F(SqliteSchema, FullTextTablesAreReadHoweverTheyAreWritten) {
  int made = 0;
  for (const char* use :
       {"\nUSING fts5(title)", " USING fts5\n(title)", " USING \"fts5\"(title)", " USING fts4",
        " using [FTS5] ( title )", "\tUsing 'fts3'", " USING/* fts9 */`fts5`(title)",
        " -- USING dbstat(x)\n USING fts5(title)"}) {
    const std::string name = base::StrCat("docs USING ", ++made);
    Write(base::StrCat("CREATE VIRTUAL TABLE \"", name, "\"", use, "; INSERT INTO \"", name,
                       "\" VALUES ('a fox');")
              .c_str());
    const std::string count =
        base::StrCat("SELECT count(*) FROM \"", name, "\" WHERE \"", name, "\" MATCH 'fox'");
    EXPECT_EQ(Answer(count), "num:1") << use;
    ChangeSchema();
    EXPECT_EQ(Answer(count), "num:1") << use;
    Reopen();
    EXPECT_EQ(Answer(count), "num:1") << use;
  }
}

TEST_F(SqliteSchema, OtherVirtualTablesAreRefusedAsWhatTheyAre) {
  Write("CREATE VIRTUAL TABLE words USING fts5vocab(notes, 'row')");
  for (const char* sql : {"SELECT * FROM words", "SELECT 1 FROM (SELECT * FROM dbstat)",
                          "WITH x AS (SELECT * FROM words) SELECT count(*) FROM x",
                          "EXPLAIN SELECT * FROM words", "PRAGMA table_info(words)"}) {
    EXPECT_THAT(Answer(sql), HasSubstr("A virtual table of this kind is not allowed: of virtual "
                                       "tables those of FTS3, FTS4, FTS5 and R*Tree are read"))
        << sql;
  }
  EXPECT_THAT(Answer("CREATE VIRTUAL TABLE more USING fts5(a)"), HasSubstr("Changing the schema"));
  EXPECT_EQ(Answer("SELECT count(*) FROM notes WHERE notes MATCH 'fox'"), "num:1");
}

TEST_F(SqliteSchema, LimitsHoldForCallersAlsoAfterAChange) {
  EXPECT_EQ(Answer("SELECT 1"), "num:1");
  ChangeSchema();
  EXPECT_EQ(Answer("SELECT count(*) FROM boxes"), "num:1");
  EXPECT_THAT(Answer(base::StrCat("SELECT ", Joined(120, "", " || "))), HasSubstr("depth 100"));
  EXPECT_THAT(Answer(Joined(60, "SELECT ", " UNION ALL ")), HasSubstr("too many terms"));
  EXPECT_THAT(Answer(base::StrCat("SELECT max(", Joined(128, "", ", "), ")")),
              HasSubstr("too many arguments"));
  EXPECT_EQ(Answer(base::StrCat("SELECT max(", Joined(127, "", ", "), ")")), "num:126");
  EXPECT_THAT(Answer("SELECT length(hex(zeroblob(900000)))"), HasSubstr("longer than 1000000"));
}

TEST_F(SqliteSchema, ForeignKeysWithoutColumnsReferToThePrimaryKey) {
  Write(
      "CREATE TABLE parent (a TEXT, b INT, PRIMARY KEY (b, a)); CREATE TABLE child (p REFERENCES "
      "people, x, y, gone REFERENCES absent, FOREIGN KEY (x, y) REFERENCES parent)");
  const auto tables = database_->Describe("", std::vector<std::string>{"child"});
  ASSERT_TRUE(tables) << tables.error().message;
  const std::vector<ForeignKey>& keys = tables->front().foreign_keys;
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_THAT(keys[0].referenced, ElementsAre("id"));
  EXPECT_THAT(keys[1].referenced, ElementsAre());
  EXPECT_THAT(keys[2].referenced, ElementsAre("b", "a"));
}

TEST_F(SqliteSchema, AViewThatCannotBeUsedIsNamed) {
  Write("CREATE TABLE base (a); CREATE VIEW broken AS SELECT a FROM base; DROP TABLE base");
  const auto tables = database_->Describe("", std::vector<std::string>{"people", "broken"});
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().message, "broken: no such table: main.base");
}

TEST_F(SqliteSchema, DamageIsStillDamage) {
  EXPECT_EQ(Answer("SELECT count(*) FROM people"), "num:3");
  {
    std::fstream file(File(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100);
    file << std::string(3000, '\xff');
    for (const int counter : {24, 40}) {  // of changes, and of those of the schema
      file.seekp(counter);
      file << "new!";
    }
  }
  const auto read = Read("SELECT count(*) FROM people");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kUnavailable);
  EXPECT_THAT(read.error().message, HasSubstr("damaged"));
}

}  // namespace
}  // namespace toolpost::db
