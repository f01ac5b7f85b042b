// Statements that would change something are refused and change nothing; reading ones run.
#include "db/select_guard_sqlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "db/sqlite_database_fixture.h"

namespace toolpost::db {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Hostile {
  const char* category;
  const char* sql;
};

// %D is a path in the test's directory.
constexpr Hostile kHostile[] = {
    {"write", "INSERT INTO people VALUES (9,'Eve',1,2)"},
    {"write", "INSERT INTO people SELECT 9,'Eve',1,2"},
    {"write", "INSERT INTO people VALUES (9,'Eve',1,2) RETURNING id"},
    {"write", "REPLACE INTO people VALUES (1,'Eve',1,2)"},
    {"write", "UPDATE people SET name='Eve'"},
    {"write", "UPDATE people SET name='Eve' WHERE id=1 RETURNING *"},
    {"write", "DELETE FROM people"},
    {"write", "DELETE FROM people RETURNING *"},
    {"write", "WITH x AS (SELECT 1) DELETE FROM people WHERE id IN (SELECT * FROM x)"},
    {"write", "WITH x(i) AS (VALUES (1)) INSERT INTO people SELECT i,'Eve',1,1 FROM x"},
    {"write", "INSERT INTO people VALUES (1,'a',1,1) ON CONFLICT DO UPDATE SET name='Eve'"},
    {"write", "INSERT INTO notes(notes) VALUES ('rebuild')"},
    {"write", "INSERT INTO notes(notes, rank) VALUES ('merge', 500)"},
    {"write", "DELETE FROM sqlite_schema"},
    {"write", "UPDATE sqlite_schema SET sql='' WHERE name='people'"},
    {"write", "UPDATE sqlite_master SET rootpage=1"},
    {"definition", "CREATE TABLE x (a)"},
    {"definition", "CREATE TABLE x AS SELECT * FROM people"},
    {"definition", "CREATE TEMP TABLE x (a)"},
    {"definition", "CREATE TEMP VIEW x AS SELECT 1"},
    {"definition", "CREATE TEMP TRIGGER x AFTER INSERT ON people BEGIN SELECT 1; END"},
    {"definition", "CREATE VIEW x AS SELECT 1"},
    {"definition", "CREATE INDEX x ON people(name)"},
    {"definition", "CREATE UNIQUE INDEX IF NOT EXISTS x ON people(name)"},
    {"definition", "CREATE VIRTUAL TABLE x USING fts5(a)"},
    {"definition", "CREATE VIRTUAL TABLE temp.x USING dbstat"},
    {"definition", "CREATE TRIGGER x AFTER INSERT ON people BEGIN SELECT 1; END"},
    {"definition", "DROP TABLE people"},
    {"definition", "DROP TABLE IF EXISTS people"},
    {"definition", "DROP VIEW adults"},
    {"definition", "DROP TRIGGER t"},
    {"definition", "ALTER TABLE people ADD COLUMN x"},
    {"definition", "ALTER TABLE people RENAME TO folk"},
    {"definition", "ALTER TABLE people DROP COLUMN age"},
    {"definition", "REINDEX"},
    {"definition", "ANALYZE"},
    {"definition", "ANALYZE people"},
    {"files", "VACUUM"},
    {"files", "VACUUM INTO '%D/copy.db'"},
    {"files", "VACUUM main INTO '%D/copy.db'"},
    {"files", "ATTACH '%D/other.db' AS other"},
    {"files", "ATTACH ':memory:' AS other"},
    {"files", "ATTACH ('%D/' || 'other.db') AS other"},
    {"files", "ATTACH 'file:%D/other.db?mode=rwc' AS other"},
    {"files", "DETACH main"},
    {"files", "SELECT load_extension('%D/evil.so')"},
    {"files", "SELECT load_extension('%D/evil.so', 'init')"},
    {"files", "SELECT readfile('/etc/passwd')"},
    {"files", "SELECT writefile('%D/x', 'y')"},
    {"files", "SELECT edit('x')"},
    {"pointers", "SELECT fts3_tokenizer('simple')"},
    {"pointers", "SELECT fts3_tokenizer('simple', x'0102030405060708')"},
    {"pointers", "SELECT name FROM people WHERE fts3_tokenizer('simple') IS NOT NULL"},
    {"pointers", "SELECT fts5(NULL)"},
    {"side effects", "SELECT optimize(old_notes) FROM old_notes"},
    {"side effects", "SELECT sqlite_log(1, 'forged')"},
    {"side effects", "SELECT rtreecheck('boxes')"},
    {"pages", "SELECT * FROM sqlite_dbpage"},
    {"pages", "SELECT * FROM dbstat"},
    {"pages", "SELECT * FROM sqlite_stmt"},
    {"transaction", "BEGIN"},
    {"transaction", "BEGIN IMMEDIATE"},
    {"transaction", "BEGIN EXCLUSIVE"},
    {"transaction", "COMMIT"},
    {"transaction", "END"},
    {"transaction", "ROLLBACK"},
    {"transaction", "SAVEPOINT s"},
    {"transaction", "RELEASE s"},
    {"transaction", "ROLLBACK TO s"},
    {"pragma", "PRAGMA hard_heap_limit=1"},
    {"pragma", "PRAGMA soft_heap_limit=1"},
    {"pragma", "PRAGMA hard_heap_limit"},
    {"pragma", "PRAGMA temp_store_directory='%D'"},
    {"pragma", "PRAGMA query_only=0"},
    {"pragma", "PRAGMA writable_schema=1"},
    {"pragma", "PRAGMA trusted_schema=1"},
    {"pragma", "PRAGMA journal_mode=DELETE"},
    {"pragma", "PRAGMA journal_mode"},
    {"pragma", "PRAGMA main.journal_mode=WAL"},
    {"pragma", "PRAGMA mmap_size=1000000"},
    {"pragma", "PRAGMA cache_size=1"},
    {"pragma", "PRAGMA threads=8"},
    {"pragma", "PRAGMA busy_timeout=1"},
    {"pragma", "PRAGMA locking_mode=EXCLUSIVE"},
    {"pragma", "PRAGMA case_sensitive_like=1"},
    {"pragma", "PRAGMA user_version=7"},
    {"pragma", "PRAGMA user_version(7)"},
    {"pragma", "PRAGMA schema_version=7"},
    {"pragma", "PRAGMA application_id=7"},
    {"pragma", "PRAGMA encoding='UTF-16'"},
    {"pragma", "PRAGMA page_size=512"},
    {"pragma", "PRAGMA wal_checkpoint"},
    {"pragma", "PRAGMA wal_checkpoint(TRUNCATE)"},
    {"pragma", "PRAGMA optimize"},
    {"pragma", "PRAGMA incremental_vacuum(1)"},
    {"pragma", "PRAGMA shrink_memory"},
    {"pragma", "PRAGMA foreign_keys=0"},
    {"pragma", "PRAGMA temp_store=FILE"},
    {"pragma", "PRAGMA integrity_check"},
    {"pragma", "PRAGMA data_version=1"},
    {"pragma", "PRAGMA database_list"},
    {"pragma", "SELECT file FROM pragma_database_list"},
    {"pragma", "SELECT * FROM pragma_journal_mode"},
    {"pragma", "SELECT * FROM pragma_hard_heap_limit(1)"},
    {"pragma", "SELECT * FROM pragma_user_version(7)"},
    {"pragma", "SELECT * FROM pragma_query_only(0)"},
    {"stacked", "SELECT 1; DELETE FROM people"},
    {"stacked", "SELECT 1;;; DELETE FROM people"},
    {"stacked", "SELECT 1; SELECT 2"},
    {"stacked", "SELECT 1; /* x */ DROP TABLE people --"},
    {"stacked", "; DELETE FROM people; SELECT 1"},
    {"stacked", "SELECT ';' ; PRAGMA query_only=0"},
    {"comments", "/* SELECT */ DELETE FROM people"},
    {"comments", "-- SELECT\nDELETE FROM people"},
    {"comments", "DEL/**/ETE FROM people"},
    {"explain", "EXPLAIN DELETE FROM people"},
    {"explain", "EXPLAIN QUERY PLAN UPDATE people SET name=1"},
    {"explain", "EXPLAIN VACUUM INTO '%D/copy.db'"},
    {"explain", "EXPLAIN ATTACH '%D/other.db' AS o"},
    {"explain", "EXPLAIN BEGIN"},
    {"time", "SELECT json_patch('{}','{}')"},
    {"empty", ""},
    {"empty", "-- nothing"},
    {"empty", ";"},
};

// Spellings that mean the same to the engine.
std::vector<std::string> VariantsOf(std::string sql, const std::string& directory) {
  for (std::size_t at; (at = sql.find("%D")) != std::string::npos;) sql.replace(at, 2, directory);
  std::string upper = sql;
  bool quoted = false;
  for (char& c : upper) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  std::string commented;
  for (const char c : sql)
    commented += c == ' ' && sql.find("--") == std::string::npos ? "/*;*/ " : std::string(1, c);
  return {sql,
          upper,
          "  \n\t" + sql + " ;",
          "/* SELECT 1; */ " + sql,
          "--x\n" + sql + "\n--y",
          sql + ";",
          sql.find('\'') == std::string::npos ? commented : sql,
          "EXPLAIN " + sql,
          "WITH x AS (SELECT 1) " + sql,
          "SELECT * FROM (" + sql + ")",
          "(" + sql + ")"};
}

class SelectGuardSqlite : public SqliteDatabaseTest {
 protected:
  // Of the connection that served the statements: one pooled connection serves the next caller.
  std::string State() {
    return Answer(
        "SELECT (SELECT group_concat(name||coalesce(age,'')) FROM people), (SELECT count(*) FROM "
        "secrets), (SELECT group_concat(type||name||sql) FROM sqlite_schema), (SELECT count(*) "
        "FROM "
        "sqlite_temp_schema), (SELECT group_concat(DISTINCT schema) FROM pragma_table_list), "
        "(SELECT "
        "user_version FROM pragma_user_version), 'A' LIKE 'a', (SELECT count(*) FROM notes)");
  }
};

TEST_F(SelectGuardSqlite, PRD_NFR_017_HostileStatementsAreRefusedAndChangeNothing) {
  const std::string state = State();
  ASSERT_THAT(state, StartsWith("text:Ada36"));
  const auto files = Files();
  int refused = 0;
  for (const Hostile& hostile : kHostile) {
    for (const std::string& sql : VariantsOf(hostile.sql, directory_.string())) {
      const auto kept = Read(sql);
      // A stray word after "WITH x AS (…) " or around a refused text is a syntax error: fine too.
      ASSERT_FALSE(kept) << hostile.category << ": " << sql;
      EXPECT_THAT(kept.error().code, AnyOf(Code::kInvalidArgument, Code::kExecutionFailed))
          << sql << kept.error().message;
      ++refused;
    }
    ASSERT_EQ(State(), state) << hostile.sql;
  }
  EXPECT_EQ(Files(), files);
  EXPECT_GT(refused, 1200);
  EXPECT_EQ(LibSqlite::Loaded().hard_heap_limit64(-1), sqlite3_int64{1} << 30);
}

TEST_F(SelectGuardSqlite, PRD_US_006_ReadingStatementsRun) {
  const std::pair<const char*, const char*> allowed[] = {
      {"SELECT 1", "num:1"},
      {"select name from people order by id limit 1;", "text:Ada"},
      {"VALUES (1,'a'),(2,'b')", "num:1|text:a\nnum:2|text:b"},
      {"WITH x AS (SELECT 1 AS a) SELECT a FROM x", "num:1"},
      {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<5) SELECT sum(i) FROM "
       "n",
       "num:15"},
      {"SELECT name, row_number() OVER (ORDER BY age) FROM people ORDER BY 2 LIMIT 1",
       "text:Ünal|num:1"},
      {"SELECT avg(age) FILTER (WHERE age > 30) FROM people", "num:38.5"},
      {"SELECT count(*) FROM adults", "num:2"},
      {"SELECT a.name FROM people a JOIN people b ON a.id = b.id + 1 ORDER BY 1 LIMIT 1",
       "text:Bob"},
      {"SELECT name FROM people WHERE id IN (SELECT 2) UNION SELECT 'x' INTERSECT SELECT 'x'",
       "text:x"},
      {"SELECT json_extract('{\"a\":[1,2]}', '$.a[1]')", "num:2"},
      {"SELECT '{\"a\":5}' ->> 'a'", "num:5"},
      {"SELECT sum(value) FROM json_each('[1,2,3]')", "num:6"},
      {"SELECT count(*) FROM json_tree('{\"a\":{\"b\":1}}')", "num:3"},
      {"SELECT json_group_array(name) FROM people", "text:[\"Ada\",\"Bob\",\"Ünal\"]"},
      {"SELECT title FROM notes WHERE notes MATCH 'fox'", "text:one"},
      {"SELECT title FROM notes('dogs') ORDER BY rank", "text:two"},
      {"SELECT highlight(notes, 1, '[', ']') FROM notes WHERE notes MATCH 'fox'",
       "text:the quick brown [fox]"},
      {"SELECT round(bm25(notes)) < 1 FROM notes WHERE notes MATCH 'fox'", "num:1"},
      {"SELECT snippet(notes, 1, '<', '>', '…', 3) FROM notes WHERE notes MATCH 'fox'",
       "text:…quick brown <fox>"},
      {"SELECT body FROM old_notes WHERE old_notes MATCH 'plain'", "text:plain old text"},
      {"SELECT id FROM boxes WHERE x0 <= 0.5 AND x1 >= 0.5", "num:1"},
      {"SELECT replace('a-b','-','+') || upper('x') || substr('hello',2,3)", "text:a+bXell"},
      {"SELECT 'Hello' LIKE 'h%o', 'x' GLOB '[a-z]'", "num:1|num:1"},
      {"SELECT date('2024-02-28','+2 days'), strftime('%Y', '2024-01-01')",
       "text:2024-03-01|text:2024"},
      {"SELECT printf('%05.2f', 3.14159), format('%d', 7)", "text:03.14|text:7"},
      {"SELECT length(randomblob(16)), typeof(random())", "num:16|text:integer"},
      {"SELECT sqrt(16.0), pow(2, 10), pi() > 3", "num:4.0|num:1024.0|num:1"},
      {"SELECT CASE WHEN 1 THEN 'yes' ELSE 'no' END", "text:yes"},
      {"SELECT name FROM sqlite_schema WHERE type='view'", "text:adults"},
      {"SELECT name FROM pragma_table_info('people') WHERE pk", "text:id"},
      {"SELECT user_version FROM pragma_user_version", "num:0"},
      {"PRAGMA user_version", "num:0"},
      {"PRAGMA encoding", "text:UTF-8"},
      {"SELECT ';' AS \"a;b\" -- ; not a statement", "text:;"},
      {"SELECT 'DROP TABLE people', 'it''s' /* DELETE */", "text:DROP TABLE people|text:it's"},
      {"SELECT \"name\", [age], `id` FROM people WHERE id = 1", "text:Ada|num:36|num:1"},
      {"SELECT '\u00a0\u200b' = '\u00a0\u200b'", "num:1"},
      {"SELECT max(age) - min(age), group_concat(name, ', ') FROM people",
       "num:12|text:Ada, Bob, Ünal"},
      {"SELECT EXISTS (SELECT 1 FROM people WHERE age > 100)", "num:0"},
      {"SELECT count(DISTINCT name COLLATE NOCASE) FROM people GROUP BY age > 30 HAVING count(*) > "
       "1",
       "num:2"},
      {"SELECT trim('  x '), ltrim('xxa','x'), hex('a')", "text:x|text:a|text:61"},
      {"SELECT sum(length(note)) FROM people", "num:5"},
  };
  for (const auto& [sql, answer] : allowed) EXPECT_EQ(Answer(sql), answer) << sql;
  for (const char* sql :
       {"EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT * FROM people WHERE id = 1",
        "PRAGMA table_info(people)", "PRAGMA table_xinfo('people')", "PRAGMA index_list(people)",
        "PRAGMA foreign_key_list(people)", "PRAGMA table_list", "PRAGMA compile_options",
        "PRAGMA function_list", "PRAGMA page_count", "PRAGMA collation_list"}) {
    EXPECT_TRUE(Read(sql)) << sql;
  }
}

// Statements made of pieces of others: most are wrong, some run, none may change anything.
class Mutator {
 public:
  Mutator(std::string directory, std::uint64_t seed)
      : directory_(std::move(directory)), seed_(seed) {
    for (const Hostile& hostile : kHostile) AddPieces(VariantsOf(hostile.sql, directory_)[0]);
    allowed_ = statements_.size();
    for (const char* sql : {"SELECT name, age FROM people WHERE id IN (1, 2) ORDER BY name LIMIT 2",
                            ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                             "WHERE i < 3) SELECT i FROM n"),
                            "SELECT count(*) FROM notes WHERE notes MATCH 'fox'",
                            "SELECT json_extract('{}', '$.a'), trim('x', 'y'), 'a' LIKE 'b'",
                            "EXPLAIN QUERY PLAN SELECT * FROM people"})
      AddPieces(sql);
  }

  std::string Next() {
    const std::size_t first = Below(3) == 0 ? 0 : allowed_;
    std::vector<std::string> pieces = statements_[first + Below(statements_.size() - first)];
    for (std::size_t change = 1 + Below(3); change-- > 0;) {
      const std::size_t at = Below(pieces.size() + 1);
      const auto position = pieces.begin() + static_cast<std::ptrdiff_t>(at);
      switch (Below(6)) {
        case 0:
          if (at < pieces.size()) pieces.erase(position);
          break;
        case 1:
          pieces.insert(position, all_[Below(all_.size())]);
          break;
        case 2:
          if (at < pieces.size()) *position = all_[Below(all_.size())];
          break;
        case 3: {
          const auto& other = statements_[Below(statements_.size())];
          pieces.insert(position, other.begin(), other.end());
          break;
        }
        case 4:
          pieces.insert(position, kGlue[Below(std::size(kGlue))]);
          break;
        default:
          if (at < pieces.size() && !position->empty())
            (*position)[Below(position->size())] = static_cast<char>(32 + Below(95));
      }
    }
    return base::Join(pieces, Below(8) == 0 ? "/**/" : " ");
  }

 private:
  static constexpr const char* kGlue[] = {";",
                                          "(",
                                          ")",
                                          "--\n",
                                          "/*",
                                          "*/",
                                          "'",
                                          "\"",
                                          ",",
                                          "UNION",
                                          "SELECT",
                                          "EXPLAIN",
                                          "WITH x AS (SELECT 1)",
                                          "FROM",
                                          "AS"};

  std::size_t Below(std::size_t bound) {
    seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(seed_ >> 33) % bound;
  }
  void AddPieces(std::string_view sql) {
    auto& pieces = statements_.emplace_back();
    for (const std::string_view piece : base::Split(sql, ' ')) pieces.emplace_back(piece);
    all_.insert(all_.end(), pieces.begin(), pieces.end());
  }

  const std::string directory_;
  std::uint64_t seed_;
  std::vector<std::vector<std::string>> statements_;
  std::size_t allowed_ = 0;  // from where on they only read
  std::vector<std::string> all_;
};

TEST_F(SelectGuardSqlite, MutatedStatementsChangeNothing) {
  const bool full = std::getenv("TOOLPOST_FULL") != nullptr;
  const int rounds = full ? 1'000'000 : 20'000;
  const std::uint64_t seed = full ? std::random_device{}() : 42;
  SCOPED_TRACE(base::StrCat("seed ", seed));
  const std::string state = State();
  const auto files = Files();
  Mutator mutator(directory_.string(), seed);
  int ran = 0;
  std::string recent;
  for (int round = 1; round <= rounds; ++round) {
    const std::string sql = mutator.Next();
    ran += Read(sql, nullptr, std::chrono::milliseconds(100)) ? 1 : 0;
    recent.append(sql).push_back('\n');
    if (round % 100 != 0) continue;
    ASSERT_EQ(State(), state) << recent;
    recent.clear();
  }
  EXPECT_EQ(Files(), files);
  EXPECT_GT(ran, rounds / 100);
  EXPECT_LT(ran, rounds / 2);
  EXPECT_EQ(LibSqlite::Loaded().hard_heap_limit64(-1), sqlite3_int64{1} << 30);
}

TEST_F(SelectGuardSqlite, PRD_FR_016_3_RefusalsSayWhatIsAllowed) {
  EXPECT_THAT(Answer("DELETE FROM people"), HasSubstr("DELETE is not allowed: allowed are SELECT"));
  EXPECT_THAT(Answer("SELECT 1; SELECT 2"), HasSubstr("Only one statement"));
  EXPECT_THAT(Answer("PRAGMA journal_mode"), HasSubstr("PRAGMA journal_mode is not allowed"));
  EXPECT_THAT(Answer("SELECT load_extension('x')"), HasSubstr("load_extension() is not allowed"));
  EXPECT_THAT(Answer("ATTACH 'x' AS y"), HasSubstr("ATTACH is not allowed"));
  for (const char* change : {"DROP TABLE people", "CREATE TABLE x (a)", "DROP VIEW adults"})
    EXPECT_THAT(Answer(change), HasSubstr("Changing the schema (CREATE, ALTER, DROP) is not"));
  EXPECT_THAT(Answer("VACUUM"), HasSubstr("allowed are SELECT"));
  EXPECT_EQ(Answer("SELECT * FROM nowhere"), "error no such table: nowhere");
  EXPECT_EQ(Answer("SELEC 1"), "error near \"SELEC\": syntax error");
  EXPECT_THAT(Answer("SELECT \"nosuchcolumn\" FROM people"), HasSubstr("no such column"));
}

TEST_F(SelectGuardSqlite, VirtualTablesOfANewSchemaAreFound) {
  EXPECT_EQ(Answer("SELECT 1"), "num:1");
  Write("CREATE VIRTUAL TABLE later USING fts5(a); INSERT INTO later VALUES ('fresh');");
  EXPECT_EQ(Answer("SELECT a FROM later WHERE later MATCH 'fresh'"), "text:fresh");
  EXPECT_EQ(Answer("SELECT title FROM notes WHERE notes MATCH 'fox'"), "text:one");
  EXPECT_EQ(Answer("SELECT sum(value) FROM json_each('[1,2]')"), "num:3");
}

TEST_F(SelectGuardSqlite, ASchemaCannotSmuggleInFunctions) {
  Write(
      "CREATE VIEW evil AS SELECT load_extension('x.so') AS a, name FROM people;"
      "CREATE VIEW evil2 AS SELECT fts3_tokenizer('simple') AS a FROM people;"
      "CREATE TABLE gen (a, b GENERATED ALWAYS AS (upper(a)) VIRTUAL); INSERT INTO gen VALUES "
      "('x');");
  EXPECT_THAT(Answer("SELECT a FROM evil"), StartsWith("error "));
  EXPECT_THAT(Answer("SELECT a FROM evil2"), StartsWith("error "));
  EXPECT_EQ(Answer("SELECT b FROM gen"), "text:X");
}

}  // namespace
}  // namespace toolpost::db
