// Statements that try to change something are refused, statements that read are not.
#include <gmock/gmock.h>

#include <functional>

#include "base/strings.h"
#include "db/postgres_cases_fixture.h"
#include "db/postgres_database_fixture.h"
#include "db/select_guard_postgres_text.h"

namespace toolpost::db {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Harmless statements that an account without rights there cannot run.
constexpr int kOfOtherSchemas = 5;

std::string OutsideLiterals(std::string_view sql,
                            const std::function<std::string(std::string_view)>& change_word,
                            std::string_view space) {
  std::string out;
  while (!sql.empty()) {
    const SqlToken token = NextPostgresToken(sql);
    sql.remove_prefix(token.text.size());
    if (token.kind == SqlToken::Kind::kWord) {
      out += change_word(token.text);
    } else if (token.kind == SqlToken::Kind::kSpace) {
      out += space;
    } else {
      out += token.text;
    }
  }
  return out;
}

std::string Same(std::string_view word) { return std::string(word); }
std::string Mixed(std::string_view word) {
  std::string out(word);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = i % 2 == 0 ? InUpperCase(std::string_view(&out[i], 1))[0] : base::ToLower(out[i]);
  }
  return out;
}

std::vector<std::string> Variants(const std::string& sql) {
  return {OutsideLiterals(sql, InUpperCase, " "),
          OutsideLiterals(sql, Mixed, " "),
          OutsideLiterals(sql, Same, "/**/ "),
          OutsideLiterals(sql, Same, " -- x\n"),
          OutsideLiterals(sql, Same, "\r\n\t"),
          "/* SELECT 1 */ " + sql,
          "(" + sql + ")",
          "((" + sql + "))",
          "WITH t AS (" + sql + ") SELECT * FROM t",
          "SELECT * FROM (" + sql + ") t",
          "SELECT (" + sql + ")",
          "EXPLAIN " + sql,
          "EXPLAIN ANALYZE " + sql,
          "EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) " + sql,
          "SELECT 1; " + sql,
          sql + "; SELECT 1",
          ";" + sql,
          "SELECT 1 UNION ALL " + sql,
          "VALUES ((" + sql + "))"};
}

class PostgresHostileTest : public PostgresDatabaseTest {
 protected:
  // The statement is refused, and nothing has changed for anybody.
  static void ExpectRefused(Database& database, const std::string& sql) {
    KeptRows rows;
    const Result<void> done = Read(database, sql, rows);
    EXPECT_FALSE(done) << "accepted: " << sql;
    EXPECT_EQ(rows.begun, 0) << sql;
    if (!done) {
      EXPECT_THAT(
          done.error().code,
          ::testing::AnyOf(Code::kInvalidArgument, Code::kExecutionFailed, Code::kPermissionDenied))
          << sql << ": " << done.error().message;
    }
  }

  // Not because it is wrong, nor by the server.
  static void ExpectRefusedByGuard(Database& database, const std::string& sql) {
    ExpectRefused(database, sql);
    KeptRows rows;
    EXPECT_THAT(Read(database, sql, rows).error().message,
                Not(::testing::AnyOf(HasSubstr("not valid PostgreSQL"), StartsWith("PostgreSQL:"))))
        << sql;
  }

  static std::string StateButNumber() {
    const std::string state = State();
    return state.substr(state.find('|'));
  }

  // 1 if the statement is refused because the account may not read what it names.
  static int ReadThrice(Database& database, const std::string& sql, bool reader) {
    for (int turn = 0; turn < 3; ++turn) {
      KeptRows rows;
      const Result<void> done = Read(database, sql, rows);
      if (!done && reader && done.error().code == Code::kPermissionDenied) return 1;
      EXPECT_TRUE(done) << sql << "\n  " << done.error().message;
      EXPECT_EQ(rows.begun, 1) << sql;
    }
    return 0;
  }

  static void RefuseAll(Database& database) {
    const std::string before = State(), session = SessionState(database);
    ASSERT_THAT(session, Not(HasSubstr("ERROR")));
    int refused = 0;
    for (const StatementCategory& category : HostileStatements()) {
      SCOPED_TRACE(category.name);
      for (const std::string& pattern : category.statements) {
        const std::string sql = ReplaceAll(pattern, "DROP/", drop_directory().string() + "/");
        ExpectRefusedByGuard(database, sql);
        for (const std::string& variant : Variants(sql)) ExpectRefused(database, variant);
        refused += 1 + static_cast<int>(Variants(sql).size());
        ASSERT_EQ(SessionState(database), session) << sql;
      }
      ASSERT_EQ(State(), before);
    }
    RecordProperty("refused", refused);
  }
};

TEST_F(PostgresHostileTest, PRD_FR_016_1_RefusesEveryHostileStatementOfASuperuser) {
  const auto database = Open();
  RefuseAll(*database);
}

TEST_F(PostgresHostileTest, PRD_FR_016_1_RefusesEveryHostileStatementOfAReader) {
  const auto database = OpenAsReader();
  RefuseAll(*database);
}

TEST_F(PostgresHostileTest, RefusesHostileExpressionsInEveryPlace) {
  const auto database = Open();
  const std::string before = State(), session = SessionState(*database);
  for (const char* place : ExpressionPlaces()) {
    for (const char* expression : HostileExpressions())
      ExpectRefused(*database, PutInPlace(place, expression));
    ASSERT_EQ(SessionState(*database), session) << place;
  }
  EXPECT_EQ(State(), before);
}

// Three times each: the first goes as it is, later ones are prepared where that is safe.
TEST_F(PostgresHostileTest, AllowsEveryReadingStatementAndNothingChanges) {
  for (const bool reader : {false, true}) {
    const auto database = reader ? OpenAsReader() : Open();
    const std::string before = State(), session = SessionState(*database);
    int refused = 0;
    for (const StatementCategory& category : HarmlessStatements()) {
      SCOPED_TRACE(category.name);
      for (const std::string& sql : category.statements) {
        refused += ReadThrice(*database, sql, reader);
        ASSERT_FALSE(HasFailure()) << sql;
        ASSERT_EQ(SessionState(*database), session) << sql;
      }
      EXPECT_EQ(State(), before);
    }
    EXPECT_LE(refused, kOfOtherSchemas);
  }
}

// The password of a standby's connection, which PostgreSQL shows to superusers.
TEST_F(PostgresHostileTest, HidesSettingsFromAnAccountThatWouldSeePasswordsThere) {
  const auto see = [](std::string_view setting) {
    EXPECT_TRUE(admin().Query(base::StrCat("ALTER SYSTEM SET primary_conninfo = '", setting, "'")));
    EXPECT_TRUE(admin().Query("SELECT pg_reload_conf()"));
    std::string seen = "?";
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (seen != setting && std::chrono::steady_clock::now() < deadline) {
      const auto rows = admin().Query("SELECT current_setting('primary_conninfo')");
      seen = rows ? TextOr((*rows)[0][0], "?") : rows.error().message;
    }
    EXPECT_EQ(seen, setting);
  };
  see("host=nowhere password=planted-standby-password");
  const auto database = Open(), as_reader = OpenAsReader();
  for (const char* sql : {"SELECT name, setting FROM pg_settings", "TABLE pg_catalog.pg_settings",
                          "SELECT pg_show_all_settings()", "SELECT * FROM pg_show_all_settings()"})
    ExpectRefusedByGuard(*database, sql);
  EXPECT_EQ(Value(*as_reader, "SELECT count(*) FROM pg_settings WHERE setting LIKE '%planted%'"),
            "0");
  see("host=nowhere");
  const auto later = Open();
  EXPECT_EQ(Value(*later, "SELECT setting FROM pg_settings WHERE name = 'primary_conninfo'"),
            "host=nowhere");
  see("");
}

// The guard does not look into views, policies and checks. What they do is undone by the
// transaction or by the reset of the session, but for the transaction number.
TEST_F(PostgresHostileTest, WhatFunctionsBehindAViewDoIsUndone) {
  const char* const calls[] = {"sneaky(1)",
                               "pg_advisory_lock(2)::text",
                               "pg_try_advisory_lock_shared(3)::text",
                               "writer()",
                               "nextval('counter')",
                               "setval('counter', 99)",
                               "lo_create(31337)",
                               "lo_unlink(4242)",
                               "set_config('work_mem', '1GB', false)",
                               "set_config('default_transaction_read_only', 'off', false)",
                               "set_config('transaction_read_only', 'off', false)",
                               "pg_notify('x', 'y')::text",
                               "pg_export_snapshot()",
                               "definer()",
                               "5::locking"};
  const auto run = [](const std::string& sql) {
    const auto done = admin().Execute(sql);
    ASSERT_TRUE(done) << sql << ": " << done.error().message;
  };
  run("CREATE TABLE watched (a int)");
  run("INSERT INTO watched VALUES (1)");
  run("ALTER TABLE watched ENABLE ROW LEVEL SECURITY");
  run("ALTER TABLE watched FORCE ROW LEVEL SECURITY");
  run("GRANT SELECT ON watched TO plain_reader");
  for (const char* call : calls) {
    run(base::StrCat("CREATE VIEW inner_view AS SELECT ", call, " AS x"));
    run("CREATE VIEW outer_view AS SELECT x FROM inner_view");
    run("GRANT SELECT ON inner_view, outer_view TO plain_reader");
    run(base::StrCat("CREATE POLICY calls ON watched USING ((", call, ") IS NOT NULL)"));
    for (const bool reader : {false, true}) {
      const auto database = reader ? OpenAsReader() : Open();
      const std::string before = StateButNumber(), session = SessionState(*database);
      for (int turn = 0; turn < 3; ++turn) {
        for (const char* sql :
             {"SELECT * FROM outer_view", "SELECT x FROM public.inner_view",
              "SELECT count(*) FROM watched", "EXPLAIN (ANALYZE) SELECT * FROM outer_view"}) {
          KeptRows rows;
          (void)Read(*database, sql, rows);
          ASSERT_EQ(SessionState(*database), session) << call << ": " << sql;
          ASSERT_EQ(StateButNumber(), before) << call << ": " << sql;
        }
      }
    }
    run("DROP VIEW inner_view CASCADE");
    run("DROP POLICY calls ON watched");
  }
  run("DROP TABLE watched");
}

// A literal of a type is read while the statement is parsed, for which the types of its parameters
// are reason enough.
TEST_F(PostgresHostileTest, WhatParsingAStatementDoesIsUndoneEvenIfItFails) {
  const Json list = JsonArray{JsonArray{1}};
  for (const bool reader : {false, true}) {
    const auto database = reader ? OpenAsReader() : Open();
    const std::string session = SessionState(*database);
    for (const char* sql : {"SELECT '(9)'::holds_locking, $1::int[], nosuch",
                            "SELECT '(9)'::holds_locking, $1::int[]"}) {
      KeptRows rows;
      (void)Read(*database, sql, rows, &list);
      EXPECT_EQ(SessionState(*database), session) << sql;
    }
  }
}

// Else the tests above would prove nothing.
TEST_F(PostgresHostileTest, TheDigestNoticesWhatNoTransactionUndoes) {
  const std::pair<const char*, const char*> changes[] = {
      {"ALTER SYSTEM SET work_mem = '5MB'", "ALTER SYSTEM RESET work_mem"},
      {"SELECT pg_file_write('planted', 'x', false)", "SELECT pg_file_unlink('planted')"},
      {"SELECT pg_create_physical_replication_slot('planted')",
       "SELECT pg_drop_replication_slot('planted')"},
      {"SELECT pg_stat_reset()", "SELECT 1"},
      {"SELECT pg_stat_reset_shared('bgwriter')", "SELECT 1"},
      {"SELECT pg_stat_reset_shared('wal')", "SELECT 1"}};
  for (const auto& [change, back] : changes) {
    const std::string before = State();
    EXPECT_EQ(State(), before);
    ASSERT_TRUE(admin().Query(change)) << change;
    EXPECT_NE(State(), before) << change;
    ASSERT_TRUE(admin().Query(back)) << back;
  }
  const auto database = Open();
  const std::string session = SessionState(*database);
  ASSERT_TRUE(admin().Execute("ALTER ROLE toolpost SET enable_seqscan = off"));
  EXPECT_NE(SessionState(*Open()), session);
  ASSERT_TRUE(admin().Execute("ALTER ROLE toolpost RESET enable_seqscan"));
  EXPECT_EQ(SessionState(*Open()), session);
}

TEST_F(PostgresHostileTest, AsManyStatementsMustBeAllowedAsMustBeRefused) {
  EXPECT_GE(CountOf(HarmlessStatements()), CountOf(HostileStatements()));
  for (const StatementCategory& category : HarmlessStatements())
    EXPECT_GE(category.statements.size(), 8u) << category.name;
}

}  // namespace
}  // namespace toolpost::db
