#include "db/sqlite_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "db/sqlite_catalog.h"
#include "db/sqlite_database_fixture.h"

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(SqliteDatabaseTest, ValuesAreExact) {
  EXPECT_EQ(Answer("SELECT 9223372036854775807, -9223372036854775808, 9007199254740993"),
            "num:9223372036854775807|num:-9223372036854775808|num:9007199254740993");
  EXPECT_EQ(Answer("SELECT 0.1, 1.0, 1e300, 5e-324, -0.0"),
            "num:0.1|num:1.0|num:1e+300|num:5e-324|num:-0.0");
  EXPECT_EQ(Answer("SELECT 9e999, -9e999"), "text:Infinity|text:-Infinity");
  EXPECT_EQ(Answer("SELECT NULL, '', x''"), "null:|text:|bytes:");
  EXPECT_EQ(Answer("SELECT CAST(x'ff41' AS TEXT)"),
            "bytes:\xff"
            "A");
  const auto kept = Read("SELECT note FROM people WHERE id = 2");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->rows[0], std::string("bytes:\0\xff", 8));
}

TEST_F(SqliteDatabaseTest, ColumnsHaveNamesAndTypes) {
  auto kept = Read("SELECT id, name, note, age + 1 AS next, 1.5, 'x' AS t FROM people");
  ASSERT_TRUE(kept);
  std::vector<std::string> columns;
  for (const ResultColumn& column : kept->names) columns.push_back(column.name + " " + column.type);
  EXPECT_THAT(columns, ElementsAre("id INTEGER", "name TEXT", "note ", "next INTEGER", "1.5 REAL",
                                   "t TEXT"));
  kept = Read("SELECT id, id AS id FROM people WHERE 0");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->begins, 1);
  EXPECT_EQ(kept->names.size(), 2u);
  EXPECT_THAT(kept->rows, IsEmpty());
}

TEST_F(SqliteDatabaseTest, PRD_FR_016_1_ParametersAreValuesAndNothingElse) {
  EXPECT_EQ(Answer("SELECT name FROM people WHERE id = ?", "[2]"), "text:Bob");
  EXPECT_EQ(Answer("SELECT $2, $1, $2", "[\"a\",\"b\"]"), "text:b|text:a|text:b");
  EXPECT_EQ(Answer("SELECT ?2, ?1", "[1,2.5]"), "num:2.5|num:1");
  EXPECT_EQ(Answer("SELECT :a, @b, $c, :a", R"({"a":1,"b":true,"c":null})"),
            "num:1|num:1|null:|num:1");
  EXPECT_EQ(Answer("SELECT count(*) FROM people WHERE name = ?", R"(["' OR 1=1 --"])"), "num:0");
  EXPECT_EQ(Answer("SELECT sum(value) FROM json_each(?)", "[[1,2,3]]"), "num:6");
  EXPECT_EQ(Answer("SELECT ? ->> 'x'", R"([{"x":"y"}])"), "text:y");
  EXPECT_EQ(Answer("SELECT 1", "[]"), "num:1");
  EXPECT_EQ(Answer("SELECT 1", "{}"), "num:1");
}

TEST_F(SqliteDatabaseTest, ParametersMustFit) {
  EXPECT_THAT(Answer("SELECT ?"), HasSubstr("has 1 parameters, but 0 values"));
  EXPECT_THAT(Answer("SELECT ?", "[1,2]"), HasSubstr("has 1 parameters, but 2 values"));
  EXPECT_THAT(Answer("SELECT 1", "[1]"), HasSubstr("has 0 parameters, but 1 values"));
  EXPECT_THAT(Answer("SELECT :a", "[1]"), HasSubstr("pass params as an object"));
  EXPECT_THAT(Answer("SELECT ?", R"({"a":1})"), HasSubstr("pass params as an array"));
  EXPECT_THAT(Answer("SELECT :a", R"({"b":1})"), HasSubstr("no value for :a"));
  EXPECT_THAT(Answer("SELECT :a", R"({"a":1,"b":2})"), HasSubstr("no parameter :b"));
  EXPECT_THAT(Answer("SELECT ?", "[18446744073709551615]"), HasSubstr("pass it as a string"));
  EXPECT_THAT(Answer("SELECT ?", "\"x\""), HasSubstr("array or an object"));
  const std::string large = "[\"" + std::string(1'000'001, 'x') + "\"]";
  EXPECT_THAT(Answer("SELECT ?", large.c_str()), HasSubstr("too long"));
}

TEST_F(SqliteDatabaseTest, ASinkThatHasEnoughEndsTheStatement) {
  Kept kept;
  kept.most = 3;
  const auto read = database_->Read(
      {.sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n",
       .parameters = nullptr,
       .deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1),
       .stop = {}},
      kept);
  EXPECT_TRUE(read);
  EXPECT_THAT(kept.rows, ElementsAre("num:1", "num:2", "num:3"));
  EXPECT_EQ(database_->Status().busy, 0);
}

TEST_F(SqliteDatabaseTest, StopsWhenTheCallerGivesUp) {
  std::stop_source stop;
  Kept kept;
  std::jthread canceller([&] { stop.request_stop(); });
  const auto read = database_->Read(
      {.sql =
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n",
       .parameters = nullptr,
       .deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1),
       .stop = stop.get_token()},
      kept);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kCancelled);
}

TEST_F(SqliteDatabaseTest, StopsAlsoWithinAStepThatTakesLong) {
  WriteBigTable();
  const std::string counts = CountBigTable();
  std::stop_source stop;
  std::jthread caller([&] {
    Kept kept;
    const Result<void> done =
        database_->Read({.sql = counts,
                         .deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5),
                         .stop = stop.get_token()},
                        kept);
    ASSERT_FALSE(done) << kept.rows.size();
    EXPECT_EQ(done.error().code, Code::kCancelled) << done.error().message;
  });
  while (database_->Status().busy == 0) std::this_thread::yield();
  stop.request_stop();
}

// Each doubles the one before, and SQLite copies them when it prepares the statement.
std::string Doubling(int levels) {
  std::string sql = "WITH t0 AS (SELECT 1 AS x)";
  for (int i = 1; i <= levels; ++i) {
    const std::string before = base::StrCat("t", i - 1);
    sql += base::StrCat(", t", i, " AS (SELECT max(a.x) AS x FROM ", before, " a, ", before, " b)");
  }
  return sql + base::StrCat(" SELECT x FROM t", levels);
}

TEST_F(SqliteDatabaseTest, PreparingAStatementIsBoundedToo) {
  EXPECT_EQ(Answer(Doubling(5)), "num:1");
  const auto much = Read(Doubling(30));
  ASSERT_FALSE(much);
  EXPECT_EQ(much.error().code, Code::kTooLarge) << much.error().message;
  EXPECT_LT(LibSqlite::Loaded().memory_used(), std::int64_t{32} << 20);
  const auto late = Read(Doubling(30), nullptr, std::chrono::milliseconds(1));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::kTimeout) << late.error().message;
  EXPECT_EQ(Answer("SELECT 1"), "num:1");
}

TEST_F(SqliteDatabaseTest, WhoLacksMemoryThatOthersUseIsNotToldToUseLess) {
  const LibSqlite& lite = LibSqlite::Loaded();
  sqlite3* other = nullptr;
  ASSERT_EQ(lite.open_v2(":memory:", &other, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
  ASSERT_EQ(lite.exec(other, "CREATE TABLE large AS SELECT zeroblob(300000000)", nullptr, nullptr,
                      nullptr),
            SQLITE_OK);
  constexpr char kSmall[] =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
      "SELECT count(*) FROM n";
  const auto refused = Read(kSmall);
  lite.close(other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnavailable) << refused.error().message;
  EXPECT_EQ(Answer(kSmall), "num:10000");
}

TEST_F(SqliteDatabaseTest, ARowOfLargeValuesIsBounded) {
  std::string sql = "SELECT hex(zeroblob(499999))";
  for (int i = 1; i < 400; ++i) sql += ", hex(zeroblob(499999))";
  const auto much = Read(sql);
  ASSERT_FALSE(much);
  EXPECT_EQ(much.error().code, Code::kTooLarge) << much.error().message;
}

TEST_F(SqliteDatabaseTest, VirtualTablesAreFoundAfterAChangeOfTheSchema) {
  for (const char* sql : {"SELECT count(*) FROM notes WHERE notes MATCH 'fox'",
                          "SELECT count(*) FROM boxes", "SELECT count(*) FROM old_notes"}) {
    EXPECT_EQ(Answer(sql), "num:1");
    Write("CREATE TABLE later (a); DROP TABLE later");
    EXPECT_EQ(Answer(sql), "num:1") << sql;
  }
}

TEST_F(SqliteDatabaseTest, AnUnfinishedChangeIsNotTheCallersFault) {
  Write("PRAGMA cache_size=1; CREATE TABLE wide (a)");
  std::filesystem::path copy = directory_ / "copy.db";
  {
    const LibSqlite& lite = LibSqlite::Loaded();
    sqlite3* file = nullptr;
    ASSERT_EQ(lite.open_v2(File().c_str(), &file, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
    ASSERT_EQ(lite.exec(file,
                        "PRAGMA cache_size=1; BEGIN; UPDATE people SET age = 0; INSERT INTO wide "
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                        "2000) SELECT zeroblob(1000) FROM n",
                        nullptr, nullptr, nullptr),
              SQLITE_OK);
    std::filesystem::copy_file(File(), copy);
    std::filesystem::copy_file(File() + "-journal", copy.string() + "-journal");
    lite.exec(file, "ROLLBACK", nullptr, nullptr, nullptr);
    lite.close(file);
  }
  SqliteDatabaseOptions options;
  options.source.path = copy.string();
  database_ = *OpenSqliteDatabase(options);
  const auto read = Read("SELECT * FROM people");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kUnavailable) << read.error().message;
  EXPECT_NE(read.error().message.find("in the middle of a change"), std::string::npos)
      << read.error().message;
}

// The connection is the same; a deadline that passes just as the statement ends must not end the
// next one.
TEST_F(SqliteDatabaseTest, TheEndOfOneStatementDoesNotMeetTheNext) {
  WriteBigTable();
  for (int i = 0; i < 60; ++i) {
    std::stop_source stop;
    std::jthread caller([&] { stop.request_stop(); });
    Kept kept;
    (void)database_->Read(
        {.sql = "SELECT count(*) FROM big",
         .deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(300 * i),
         .stop = i % 2 == 0 ? stop.get_token() : std::stop_token()},
        kept);
    ASSERT_EQ(Answer("SELECT count(*) FROM big"), "num:60000");
  }
}

TEST_F(SqliteDatabaseTest, PRD_NFR_006_ConnectionsAreSharedAndBounded) {
  Reopen(3);
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 12; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round)
          right += Answer("SELECT name FROM people WHERE id = ?", "[1]") == "text:Ada" ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(right, 600);
  EXPECT_LE(database_->Status().open, 3);
  EXPECT_EQ(database_->Status().limit, 3);
}

TEST_F(SqliteDatabaseTest, ChangesOfTheFileAreSeen) {
  EXPECT_EQ(Answer("SELECT count(*) FROM people"), "num:3");
  Write("INSERT INTO people VALUES (4,'New',1,1)");
  EXPECT_EQ(Answer("SELECT count(*) FROM people"), "num:4");
  Write("ALTER TABLE people ADD COLUMN extra DEFAULT 5");
  EXPECT_EQ(Answer("SELECT * FROM people WHERE id = 1"), "num:1|text:Ada|num:36|null:|num:5");
  fs::remove(File());
  Write("CREATE TABLE people (id); INSERT INTO people VALUES (77)");
  EXPECT_EQ(Answer("SELECT id FROM people"), "num:77");
}

TEST_F(SqliteDatabaseTest, AMissingFileIsExplainedAndFoundLater) {
  fs::remove(File());
  Reopen();
  auto kept = Read("SELECT 1");
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, Code::kUnavailable);
  EXPECT_THAT(kept.error().message, HasSubstr("user.db does not exist"));
  EXPECT_EQ(kept.error().message.find(directory_.string()), std::string::npos);
  EXPECT_FALSE(database_->Status().reachable);
  std::ofstream(File()) << std::string(5000, 'x');
  Reopen();
  EXPECT_THAT(Answer("SELECT 1"), HasSubstr("not an SQLite database"));
  fs::remove(File());
  Write("CREATE TABLE a(b)");
  Reopen();
  EXPECT_EQ(Answer("SELECT count(*) FROM a"), "num:0");
  EXPECT_TRUE(database_->Check());
}

TEST_F(SqliteDatabaseTest, OurOwnStateIsNotADatabase) {
  const fs::path state = directory_ / "state";
  fs::create_directory(state);
  fs::copy_file(File(), state / "toolpost.db");
  SqliteDatabaseOptions options;
  options.source.refused = {state.string()};
  const auto refused = [&](const fs::path& path) {
    options.source.path = path.string();
    const auto database = OpenSqliteDatabase(options);
    return !database && database.error().code == Code::kInvalidArgument;
  };
  EXPECT_TRUE(refused(state / "toolpost.db"));
  EXPECT_TRUE(refused(state / "." / "toolpost.db"));
  EXPECT_TRUE(refused(directory_ / "state" / ".." / "state" / "toolpost.db"));
  fs::create_symlink(state / "toolpost.db", directory_ / "link.db");
  EXPECT_TRUE(refused(directory_ / "link.db"));
  fs::create_hard_link(state / "toolpost.db", directory_ / "hard.db");
  EXPECT_TRUE(refused(directory_ / "hard.db"));
  fs::create_directory_symlink(state, directory_ / "dir");
  EXPECT_TRUE(refused(directory_ / "dir" / "toolpost.db"));
  EXPECT_FALSE(refused(File()));
  // A link that is turned round later does not help either.
  fs::remove(directory_ / "link.db");
  options.source.path = (directory_ / "link.db").string();
  auto database = OpenSqliteDatabase(options);
  ASSERT_TRUE(database);
  fs::create_symlink(state / "toolpost.db", directory_ / "link.db");
  EXPECT_FALSE((*database)->Check());
}

TEST_F(SqliteDatabaseTest, UrlsNameFiles) {
  const auto path = [](std::string_view url) {
    const auto source = ParseSqliteUrl(url);
    return source ? source->path + (source->immutable ? " immutable" : "")
                  : "error " + source.error().message;
  };
  EXPECT_EQ(path("sqlite:///var/x.db"), "/var/x.db");
  EXPECT_EQ(path("sqlite:x.db"), "x.db");
  EXPECT_EQ(path("sqlite://dir/x.db"), "dir/x.db");
  EXPECT_EQ(path("sqlite:///a%20b%3F.db?immutable=1"), "/a b?.db immutable");
  for (const char* bad : {"", "sqlite:", "sqlite://", "file:x", "sqlite::memory:",
                          "sqlite:x?mode=rw", "sqlite:%zz", "sqlite:a%00b", "sqlite:a%2"})
    EXPECT_THAT(path(bad), HasSubstr("error ")) << bad;
}

TEST_F(SqliteDatabaseTest, WalFilesAndImmutableOnesAreRead) {
  Write("PRAGMA journal_mode=WAL; INSERT INTO people VALUES (4,'Wal',1,1);");
  EXPECT_EQ(Answer("SELECT count(*) FROM people"), "num:4");
  SqliteDatabaseOptions options;
  options.source.path = File();
  options.source.immutable = true;
  database_ = OpenSqliteDatabase(options).value();
  EXPECT_EQ(Answer("SELECT count(*) FROM people"), "num:4");
}

TEST_F(SqliteDatabaseTest, PRD_FR_017_1_ListsTables) {
  auto page = database_->Tables({});
  ASSERT_TRUE(page) << page.error().message;
  std::vector<std::string> names;
  for (const TableSummary& table : page->tables) names.push_back(table.name + " " + table.kind);
  EXPECT_THAT(names, ElementsAre("adults view", "boxes virtual table", "notes virtual table",
                                 "old_notes virtual table", "people table", "secrets table"));
  EXPECT_FALSE(page->more);
  page = database_->Tables({.schema = "main", .pattern = "%s", .after = "boxes", .limit = 2});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->tables.size(), 2u);
  EXPECT_EQ(page->tables[1].name, "old_notes");
  EXPECT_TRUE(page->more);
  EXPECT_TRUE(database_->Tables({.schema = {}, .pattern = "'; DROP TABLE people; --", .after = {}})
                  ->tables.empty());
  EXPECT_EQ(database_->Tables({.schema = "nope", .pattern = {}, .after = {}}).error().code,
            Code::kNotFound);
}

TEST_F(SqliteDatabaseTest, PRD_FR_017_4_DescribesTables) {
  Write(R"(CREATE TABLE parent (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID;
           CREATE TABLE child (id INTEGER PRIMARY KEY, x TEXT NOT NULL DEFAULT 'it''s (ok)' CHECK (length(x) < 10),
             y INT, double_y INT GENERATED ALWAYS AS (y * 2) STORED, "CHECK" TEXT,
             FOREIGN KEY (y, x) REFERENCES parent(b, a) ON DELETE SET NULL,
             CHECK (y > 0 AND x <> ')')) ;
           CREATE UNIQUE INDEX child_x ON child (lower(x), y) WHERE y > 5;
           CREATE TABLE plain (id INTEGER PRIMARY KEY, x) WITHOUT ROWID;)");
  const std::vector<std::string> wanted = {"CHILD", "parent", "adults", "plain"};
  const auto tables = database_->Describe("", wanted);
  ASSERT_TRUE(tables) << tables.error().message;
  const TableDetails& child = (*tables)[0];
  EXPECT_EQ(child.summary.name, "child");
  ASSERT_EQ(child.columns.size(), 5u);
  EXPECT_EQ(child.columns[0].generated, "identity");
  EXPECT_EQ(child.columns[1].default_value, "'it''s (ok)'");
  EXPECT_FALSE(child.columns[1].nullable);
  EXPECT_TRUE(child.columns[2].nullable);
  EXPECT_EQ(child.columns[3].generated, "stored");
  EXPECT_THAT(child.primary_key, ElementsAre("id"));
  ASSERT_EQ(child.foreign_keys.size(), 1u);
  EXPECT_THAT(child.foreign_keys[0].columns, ElementsAre("y", "x"));
  EXPECT_THAT(child.foreign_keys[0].referenced, ElementsAre("b", "a"));
  EXPECT_EQ(child.foreign_keys[0].on_delete, "set null");
  ASSERT_EQ(child.indexes.size(), 1u);
  EXPECT_THAT(child.indexes[0].columns, ElementsAre("lower(x)", "y"));
  EXPECT_EQ(child.indexes[0].predicate, "y > 5");
  EXPECT_TRUE(child.indexes[0].unique);
  EXPECT_THAT(child.checks, ElementsAre("length(x) < 10", "y > 0 AND x <> ')'"));
  EXPECT_THAT((*tables)[1].primary_key, ElementsAre("b", "a"));
  EXPECT_EQ((*tables)[2].summary.kind, "view");
  EXPECT_EQ((*tables)[2].columns[0].name, "name");
  EXPECT_EQ((*tables)[3].columns[0].generated, "");
  for (const char* name :
       {"nowhere", "people; DROP TABLE people", "\"people\"", "", "people' --"}) {
    const std::vector<std::string> one = {name};
    const auto missing = database_->Describe("main", one);
    ASSERT_FALSE(missing) << name;
    EXPECT_EQ(missing.error().code, Code::kNotFound) << name;
  }
}

TEST_F(SqliteDatabaseTest, TheSampleIsAUsefulShop) {
  SqliteDatabaseOptions options;
  options.sample = true;
  options.max_connections = 2;
  database_ = OpenSqliteDatabase(options).value();
  EXPECT_EQ(Answer("SELECT count(*) FROM customers"), "num:12");
  EXPECT_EQ(Answer("SELECT count(*) FROM orders"), "num:60");
  EXPECT_EQ(Answer("SELECT count(*) > 100 FROM order_items"), "num:1");
  EXPECT_EQ(Answer("SELECT count(*) FROM order_items i LEFT JOIN products p ON p.id = i.product_id "
                   "LEFT JOIN orders o ON o.id = i.order_id WHERE p.id IS NULL OR o.id IS NULL"),
            "num:0");
  EXPECT_THAT(Answer("DELETE FROM customers"), HasSubstr("not allowed"));
  const auto page = database_->Tables({});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->tables.size(), 5u);
  EXPECT_EQ(page->tables[0].name, "customers");
  EXPECT_EQ(page->tables[0].estimated_rows, 12);
  const std::vector<std::string> items = {"order_items"};
  EXPECT_EQ(database_->Describe("", items)->at(0).foreign_keys.size(), 2u);
}

}  // namespace
}  // namespace toolpost::db
