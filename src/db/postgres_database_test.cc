#include "db/postgres_database.h"

#include <gmock/gmock.h>

#include <thread>

#include "base/json_parse.h"
#include "db/libpq.h"
#include "db/postgres_database_fixture.h"
#include "db/postgres_login.h"

namespace toolpost::db {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Steady = std::chrono::steady_clock;

Json Parse(std::string_view text) { return base::ParseJson(text).value(); }

using PostgresReadTest = PostgresDatabaseTest;

// Also when it is prepared, and after one that failed.
TEST_F(PostgresReadTest, EveryStatementIsAReadOnlyTransactionOfItsOwn) {
  const auto database = Open();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(Value(*database,
                    "SELECT concat_ws(' ', current_setting('transaction_read_only'), "
                    "current_setting('default_transaction_read_only'), "
                    "current_setting('transaction_isolation'), "
                    "current_setting('TimeZone'), current_setting('jit'))"),
              "on on repeatable read UTC off");
    EXPECT_EQ(Value(*database,
                    "SELECT now() = statement_timestamp() AND xact_start = now() "
                    "FROM pg_stat_activity WHERE pid = pg_backend_pid()"),
              "false");  // BEGIN came first
    EXPECT_THAT(Value(*database, "SELECT 1/0"), HasSubstr("division"));
    const auto open = admin().Query(
        "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'");
    EXPECT_EQ(IntegerOr((*open)[0][0], -1), 0);
  }
  const int timeout = std::stoi(
      Value(*database, "SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'"));
  EXPECT_GT(timeout, 0);
  EXPECT_LE(timeout, 30'000);
}

TEST_F(PostgresReadTest, NamesColumnsAlsoWhenThereAreNoRows) {
  const auto database = Open();
  KeptRows rows;
  ASSERT_TRUE(Read(*database, "SELECT id, name AS \"Name\", id FROM customers WHERE false", rows));
  EXPECT_EQ(rows.begun, 1);
  ASSERT_EQ(rows.columns.size(), 3u);
  EXPECT_EQ(rows.columns[1].name, "Name");
  EXPECT_EQ(rows.columns[2].name, "id");
  EXPECT_TRUE(rows.rows.empty());
  KeptRows none;
  ASSERT_TRUE(Read(*database, "SELECT FROM customers WHERE id < 3", none));
  EXPECT_EQ(none.rows.size(), 2u);
  EXPECT_TRUE(none.columns.empty());
}

TEST_F(PostgresReadTest, TheServerDecidesTheTypesOfParameters) {
  const auto database = Open();
  const auto value = [&](std::string_view sql, std::string_view parameters) {
    const Json json = Parse(parameters);
    return Value(*database, sql, &json);
  };
  EXPECT_EQ(value("SELECT name FROM customers WHERE id = $1", "[7]"), "customer 7");
  EXPECT_EQ(value("SELECT name FROM customers WHERE id = $1", "[\"7\"]"), "customer 7");
  EXPECT_EQ(value("SELECT $1::bigint + $2", "[9007199254740993, 1]"), "9007199254740994");
  EXPECT_EQ(value("SELECT $1::numeric", "[0.1]"), "0.1");
  EXPECT_EQ(value("SELECT encode($1::bytea, 'hex')", R"(["\\x00ff"])"), "00ff");
  EXPECT_EQ(value("SELECT encode(decode($1, 'base64'), 'hex')", R"(["AP8="])"), "00ff");
  EXPECT_EQ(value("SELECT name FROM customers WHERE id=? AND country = ?", "[7, \"FR\"]"),
            "customer 7");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE profile ? 'score'", "[]"), "50");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE profile ? $1", "[\"score\"]"), "50");
  EXPECT_EQ(value("SELECT $1::bool", "[true]"), "true");
  EXPECT_EQ(value("SELECT $1::int IS NULL", "[null]"), "true");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE joined < $1", "[\"2020-01-11\"]"), "9");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE id = ANY($1)", "[[1, 2, 99]]"), "2");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE name = ANY($1)",
                  "[[\"customer 1\", null, \"a,\\\"b\\\\{}\"]]"),
            "1");
  EXPECT_EQ(value("SELECT ($1::text[])[2]", "[[\"x\", \"a,\\\"b\\\\{}\"]]"), "a,\"b\\{}");
  EXPECT_EQ(value("SELECT $1::jsonb -> 0", "[[{\"a\": [1]}]]"), "{\"a\": [1]}");
  EXPECT_EQ(value("SELECT $1::jsonb ->> 'a'", "[{\"a\": \"x\"}]"), "x");
  EXPECT_EQ(value("SELECT $1::int[]", "[[[1,2],[3,4]]]"), "[[1,2],[3,4]]");
  EXPECT_EQ(value("SELECT $1 || $1", "[\"a'; DROP TABLE page; --\"]"),
            "a'; DROP TABLE page; --a'; DROP TABLE page; --");
  EXPECT_THAT(value("SELECT $1::int", "[\"seven\"]"), HasSubstr("invalid input syntax"));
  EXPECT_EQ(value("SELECT name FROM customers WHERE id = $1", "[7.0]"), "customer 7");
  EXPECT_EQ(value("SELECT $1::bigint", "[9007199254740992.0]"), "9007199254740992");
  EXPECT_EQ(value("SELECT $1::int", "[1e5]"), "100000");
  EXPECT_EQ(value("SELECT $1::float8", "[1e300]"), "1e+300");
  EXPECT_EQ(value("SELECT $1::float8", "[-2.5]"), "-2.5");
  EXPECT_EQ(value("SELECT $1::int[]", "[[1.0, -2.0]]"), "[1,-2]");
  EXPECT_EQ(value("SELECT $1::jsonb[]", "[[{\"a\": 1}, [1, [2]], null]]"),
            "[{\"a\": 1},[1, [2]],null]");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE name LIKE ?||'%'", "[\"customer 1\"]"),
            "11");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE id > ?-1", "[50]"), "1");
  EXPECT_THAT(value("SELECT $1", "[\"a\\u0000b\"]"), HasSubstr("NUL"));
  for (const char* sql : {"SELECT id FROM customers WHERE id IN ($1)",
                          "SELECT id FROM customers WHERE joined = $1"}) {
    EXPECT_THAT(value(sql, "[[1, 2]]"), HasSubstr("= ANY($1)")) << sql;
  }
}

TEST_F(PostgresReadTest, ParametersMayHaveNames) {
  const auto database = Open();
  const auto value = [&](std::string_view sql, std::string_view parameters) {
    const Json json = Parse(parameters);
    return Value(*database, sql, &json);
  };
  EXPECT_EQ(value("SELECT :a::int + :b::int + :a::int", R"({"a": 1, "b": 20})"), "22");
  EXPECT_EQ(value("SELECT ':a' || :a || \":b\" /* :c */ FROM (SELECT 'y' AS \":b\") x -- :d",
                  R"({"a": "x"})"),
            ":axy");
  EXPECT_EQ(value("SELECT $q$:a$q$ || E'\\':a' || :a", R"({"a": "x"})"), ":a':ax");
  EXPECT_EQ(
      value("SELECT (ARRAY[1,2,3])[1:n][1] FROM (SELECT 2 AS n) x WHERE :on", R"({"on": true})"),
      "[]");
  EXPECT_EQ(value("SELECT count(*) FROM customers WHERE id = ANY(:ids)", R"({"ids": [1, 2]})"),
            "2");
  EXPECT_THAT(value("SELECT :a", R"({"b": 1})"), HasSubstr(":a, which has no value"));
  EXPECT_THAT(value("SELECT 1", R"({"b": 1})"), HasSubstr("b is not used"));
  EXPECT_THAT(value("SELECT $1, :a", R"({"a": 1})"), HasSubstr("numbers its parameters"));
}

TEST_F(PostgresReadTest, ExplainsStatementsWithParameters) {
  const auto database = Open();
  const Json parameters = Parse("[7]");
  for (int i = 0; i < 3; ++i) {
    const std::string plan = Value(
        *database, "EXPLAIN (FORMAT JSON) SELECT name FROM customers WHERE id = $1", &parameters);
    EXPECT_THAT(plan, HasSubstr("\"Relation Name\": \"customers\""));
    EXPECT_TRUE(base::ParseJson(plan));
  }
}

TEST_F(PostgresReadTest, RefusesParametersThatDoNotFit) {
  const auto database = Open();
  const Json none = Parse("[]"), one = Parse("[1]"), text = Parse("\"x\"");
  EXPECT_THAT(Value(*database, "SELECT $1"), HasSubstr("has 1 parameter, but 0 values were"));
  EXPECT_THAT(Value(*database, "SELECT $1", &none),
              HasSubstr("has 1 parameter, but 0 values were"));
  EXPECT_THAT(Value(*database, "SELECT 1", &one), HasSubstr("has 0 parameters, but 1 value was"));
  EXPECT_THAT(Value(*database, "SELECT $2", &one), HasSubstr("has 2 parameters"));
  EXPECT_THAT(Value(*database, "SELECT $0", &one), HasSubstr("ERROR"));
  for (const Json* values : {&one, static_cast<const Json*>(nullptr)}) {
    EXPECT_THAT(Value(*database, "SELECT id FROM customers WHERE id = ? AND name = ?", values),
                AllOf(HasSubstr("has 2 question marks, but "), HasSubstr("write $1")));
  }
  EXPECT_THAT(Value(*database, "SELECT id FROM customers WHERE profile ? 'a' AND id = ?", &one),
              HasSubstr("has 2 question marks, but 1 value was passed"));
  EXPECT_THAT(Value(*database, "SELECT id FROM customers WHERE profile ? 'a' AN id = 2"),
              HasSubstr("question mark, but 0 values"));
  EXPECT_THAT(Value(*database, "DELETE FROM customers WHERE profile ? 'a'"),
              HasSubstr("DELETE is not allowed"));
  EXPECT_THAT(Value(*database, "SELECT $99999", &one), HasSubstr("$65535"));
  EXPECT_THAT(Value(*database, "SELECT 1", &text), HasSubstr("an array"));
}

TEST_F(PostgresReadTest, PassesOnWhatPostgresSaysOfTheStatement) {
  const auto database = Open();
  EXPECT_THAT(Value(*database, "SELECT nmae FROM customers"),
              HasSubstr("column \"nmae\" does not exist (character 8)"));
  EXPECT_THAT(Value(*database, "SELECT nmae FROM customers"), HasSubstr("Hint: "));
  EXPECT_THAT(Value(*database, "SELECT * FROM nowhere"), HasSubstr("\"nowhere\" does not exist"));
  EXPECT_THAT(Value(*database, "SELECT 1/0"), HasSubstr("division by zero"));
  EXPECT_THAT(Value(*database, "SELECT lower(1, 2)"), HasSubstr("does not exist"));
  const auto reader = OpenAsReader();
  KeptRows rows;
  const auto denied = Read(*reader, "SELECT * FROM app.settings", rows);
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, Code::kPermissionDenied);
  EXPECT_EQ(Value(*database, "SELECT 1"), "1");  // and goes on
}

TEST_F(PostgresReadTest, FaultsBehindForeignTablesAreNotThoseOfTheConnection) {
  for (const char* sql :
       {"CREATE EXTENSION postgres_fdw", "CREATE EXTENSION file_fdw",
        "CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw "
        "OPTIONS (host '127.0.0.1', port '1', dbname 'planted_far')",
        "CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'x', password 'planted-far')",
        "CREATE FOREIGN TABLE far_away (a int) SERVER far",
        "CREATE SERVER files FOREIGN DATA WRAPPER file_fdw",
        "CREATE FOREIGN TABLE no_file (a int) SERVER files OPTIONS (filename "
        "'/planted/nowhere')"}) {
    ASSERT_TRUE(admin().Execute(sql)) << sql;
  }
  const auto database = Open();
  const std::string backend = Value(*database, "SELECT pg_backend_pid()");
  const auto failure = [&](std::string_view sql) {
    KeptRows rows;
    const auto done = Read(*database, sql, rows);
    EXPECT_FALSE(done);
    EXPECT_EQ(Value(*database, "SELECT pg_backend_pid()"), backend);
    return done ? Error::Internal("none") : done.error();
  };
  const Error far = failure("SELECT * FROM far_away");
  EXPECT_EQ(far.code, Code::kUnavailable);
  EXPECT_EQ(far.message, "PostgreSQL: could not connect to server \"far\"");
  const Error file = failure("SELECT * FROM no_file");
  EXPECT_EQ(file.code, Code::kUnavailable);
  EXPECT_THAT(file.message, HasSubstr("A file that PostgreSQL reads"));
  EXPECT_THAT(file.message, Not(HasSubstr("planted")));
  ASSERT_TRUE(admin().Query("ALTER ROLE plain_reader SET temp_file_limit = '64kB'"));
  const auto reader = OpenAsReader();
  EXPECT_THAT(Value(*reader,
                    "SELECT count(*) FROM (SELECT i FROM generate_series(1, 1000000) i "
                    "ORDER BY -i) x"),
              HasSubstr("exceeds temp_file_limit"));
  ASSERT_TRUE(admin().Query("ALTER ROLE plain_reader RESET temp_file_limit"));
  for (const char* sql : {"DROP EXTENSION postgres_fdw CASCADE", "DROP EXTENSION file_fdw CASCADE"})
    ASSERT_TRUE(admin().Execute(sql)) << sql;
}

TEST_F(PostgresReadTest, StopsAtEnoughRowsAndTheConnectionGoesOn) {
  const auto database = Open();
  const std::string backend = Value(*database, "SELECT pg_backend_pid()");
  for (const char* sql : {"SELECT * FROM generate_series(1, 200)",
                          "SELECT generate_series(1, 100000000), repeat('x', 100)"}) {
    KeptRows rows(101);
    ASSERT_TRUE(Read(*database, sql, rows));
    EXPECT_EQ(rows.rows.size(), 101u);
    EXPECT_EQ(Value(*database, "SELECT pg_backend_pid()"), backend);
  }
}

TEST_F(PostgresReadTest, ARowTooLargeToKeepIsRefused) {
  const auto database = Open();
  KeptRows rows;
  const auto done = Read(
      *database, "SELECT string_agg(repeat('x', 1000000), '') FROM generate_series(1, 100)", rows);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kTooLarge);
  EXPECT_EQ(Value(*database,
                  "SELECT length(string_agg(repeat('x', 1000000), '')) "
                  "FROM generate_series(1, 100)"),
            "100000000");
  EXPECT_EQ(Value(*database,
                  "SELECT string_agg(repeat('x', 1000000), '') "
                  "FROM generate_series(1, 30)")
                .size(),
            30'000'000u);
}

TEST_F(PostgresReadTest, KnowsFunctionsMadeOrChangedSinceTheCatalogueWasRead) {
  const auto database = Open();
  EXPECT_EQ(Value(*database, "SELECT 1"), "1");
  // The catalogue is read again at most every two seconds.
  const auto later = [](Database& asked) {
    std::string value;
    const auto deadline = Steady::now() + seconds(30);
    do {
      value = Value(asked, "SELECT made_later()");
    } while (value != "5" && Steady::now() < deadline);
    return value;
  };
  ASSERT_TRUE(admin().Query(
      "CREATE FUNCTION made_later() RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 5'"));
  EXPECT_EQ(later(*database), "5");
  ASSERT_TRUE(admin().Query("ALTER FUNCTION made_later() VOLATILE"));
  const auto changed = Open();
  EXPECT_THAT(Value(*changed, "SELECT made_later()"), HasSubstr("is volatile"));
  ASSERT_TRUE(admin().Query("ALTER FUNCTION made_later() STABLE"));
  EXPECT_EQ(later(*changed), "5");
  ASSERT_TRUE(admin().Query("DROP FUNCTION made_later()"));
}

TEST_F(PostgresReadTest, RefusesAUrlThatCannotBeRead) {
  for (const char* url : {"mysql://x", "postgresql://u:p@ss@host/x", "postgresql://[::1", ""}) {
    const auto opened = OpenPostgresDatabase({.url = url});
    ASSERT_FALSE(opened) << url;
    EXPECT_EQ(opened.error().code, Code::kInvalidArgument);
    EXPECT_THAT(opened.error().message, Not(HasSubstr("p@ss")));
  }
}

// Those are asked for a certificate (sslmode=verify-full) unless the URL says otherwise.
TEST_F(PostgresReadTest, KnowsWhenItConnectsToOtherMachines) {
  const Libpq& pq = *Libpq::Load().value();
  for (const char* url :
       {"postgresql://db.example.com/x", "postgresql://10.0.0.1,localhost/x",
        "postgresql://localhost,127.0.0.1,db.example.com/x", "postgresql:///x?host=example.com",
        "postgresql://localhost/x?hostaddr=10.0.0.1", "postgresql://127.evil.example/x",
        "postgresql://127.0.0.1.evil.example/x", "postgresql://127.0.0.999/x",
        "postgresql:///x?service=x", "postgresql://localhost/x?service=x"}) {
    EXPECT_TRUE(ConnectsToOthers(pq, url)) << url;
  }
  for (const char* url :
       {"postgresql:///x", "postgresql://localhost:5433/x", "postgresql://127.0.0.1/x",
        "postgresql://127.1.2.3,localhost/x", "postgresql://[::1]/x",
        "postgresql:///x?host=/run/postgresql", "postgresql:///x?hostaddr=127.0.0.1&service=x"}) {
    EXPECT_FALSE(ConnectsToOthers(pq, url)) << url;
  }
}

TEST_F(PostgresReadTest, KnowsWhenTheEnvironmentSendsItToOtherMachines) {
  const Libpq& pq = *Libpq::Load().value();
  const struct {
    const char *name, *value, *url;
    bool others;
  } cases[] = {{"PGHOST", "192.0.2.2", "postgresql:///x", true},
               {"PGHOST", "localhost,db.example.com", "postgresql:///x", true},
               {"PGHOST", "/run/postgresql", "postgresql:///x", false},
               {"PGHOST", "192.0.2.2", "postgresql://localhost/x", false},
               {"PGHOSTADDR", "192.0.2.2", "postgresql:///x", true},
               {"PGHOSTADDR", "192.0.2.2", "postgresql://localhost/x", true},
               {"PGHOSTADDR", "192.0.2.2", "postgresql:///x?hostaddr=127.0.0.1", false},
               {"PGHOSTADDR", "127.0.0.1", "postgresql:///x", false},
               {"PGSERVICE", "x", "postgresql:///x", true},
               {"PGSERVICE", "", "postgresql:///x", false}};
  for (const auto& [name, value, url, others] : cases) {
    ASSERT_EQ(setenv(name, value, 1), 0);
    EXPECT_EQ(ConnectsToOthers(pq, url), others) << name << "=" << value << " " << url;
    unsetenv(name);
  }
}

TEST_F(PostgresReadTest, SaysWhatTheAccountCouldDo) {
  const auto owner = Open();
  EXPECT_FALSE(owner->Status().privileges_known);
  EXPECT_TRUE(owner->Status().privileges.empty());
  ASSERT_TRUE(owner->Check());
  EXPECT_TRUE(owner->Status().privileges_known);
  EXPECT_THAT(owner->Status().privileges, ElementsAre("superuser"));
  const auto reader = OpenAsReader();
  ASSERT_TRUE(reader->Check());
  EXPECT_THAT(reader->Status().privileges, ElementsAre());
  ASSERT_TRUE(admin().Query("GRANT pg_write_all_data TO plain_reader"));
  const auto writer = OpenAsReader();
  ASSERT_TRUE(writer->Check());
  EXPECT_THAT(writer->Status().privileges, Contains("member of pg_write_all_data"));
  EXPECT_THAT(writer->Status().privileges, Contains("may write to tables"));
  ASSERT_TRUE(admin().Query("REVOKE pg_write_all_data FROM plain_reader"));
}

TEST_F(PostgresReadTest, SeesWritingRightsThatAreNotOfAWholeTableOrNotInherited) {
  const auto run = [](std::string_view sql) {
    const auto done = admin().Query(sql);
    EXPECT_TRUE(done) << sql << ": " << done.error().message;
  };
  const auto privileges = [&] {
    const auto reader = OpenAsReader();
    EXPECT_TRUE(reader->Check());
    return reader->Status().privileges;
  };
  run("CREATE ROLE writing_role");
  run("CREATE ROLE super_role SUPERUSER");
  const struct {
    const char *grant, *revoke;
    std::vector<std::string> says;
  } cases[] = {
      {"GRANT UPDATE (amount) ON orders TO plain_reader",
       "REVOKE UPDATE (amount) ON orders FROM plain_reader",
       {"may write to tables"}},
      {"GRANT INSERT (id, name) ON customers TO plain_reader",
       "REVOKE INSERT (id, name) ON customers FROM plain_reader",
       {"may write to tables"}},
      {"GRANT SELECT (amount) ON orders TO plain_reader",
       "REVOKE SELECT (amount) ON orders FROM plain_reader",
       {}},
      {"GRANT USAGE ON SEQUENCE counter TO plain_reader",
       "REVOKE USAGE ON SEQUENCE counter FROM plain_reader",
       {"may change sequences"}},
      {"GRANT SELECT ON SEQUENCE counter TO plain_reader",
       "REVOKE SELECT ON SEQUENCE counter FROM plain_reader",
       {}},
      {"GRANT super_role TO plain_reader",
       "REVOKE super_role FROM plain_reader",
       {"may become a superuser"}},
  };
  const auto check = [&](const auto& one) {
    run(one.grant);
    EXPECT_EQ(privileges(), one.says) << one.grant;
    run(one.revoke);
  };
  for (const auto& one : cases) check(one);
  run("ALTER ROLE plain_reader NOINHERIT");
  run("GRANT INSERT ON page TO writing_role");
  run("GRANT CREATE ON SCHEMA app TO writing_role");
  run("ALTER ROLE writing_role CREATEDB");
  check(decltype(cases[0]){"GRANT writing_role TO plain_reader",
                           "REVOKE writing_role FROM plain_reader",
                           {"may create databases", "may create tables", "may write to tables"}});
  run("ALTER ROLE plain_reader INHERIT");
  run("DROP OWNED BY writing_role");
  run("DROP ROLE writing_role");
  run("DROP ROLE super_role");
  EXPECT_THAT(privileges(), ElementsAre());
}

// Without reading the catalogue again, which would wait for the lock.
TEST_F(PostgresReadTest, NamesTypesOfRowsWhenItMeetsThem) {
  const auto database = Open();
  ASSERT_EQ(Value(*database, "SELECT 1"), "1");
  const auto locked = admin().InTransaction([&](Sql& other) -> Result<void> {
    RETURN_IF_ERROR(other.Execute("LOCK TABLE pg_extension IN ACCESS EXCLUSIVE MODE"));
    for (int i = 0; i < 3; ++i) {
      KeptRows rows;
      EXPECT_TRUE(Read(*database,
                       "SELECT o, array_agg(p), o.id FROM orders o, page p WHERE id < 3 "
                       "GROUP BY o, o.id ORDER BY o.id",
                       rows));
      EXPECT_EQ(rows.begun, 1);
      EXPECT_EQ(rows.columns.at(0).type, "orders");
      EXPECT_EQ(rows.columns.at(1).type, "page[]");
      EXPECT_EQ(rows.columns.at(2).type, "int8");
      EXPECT_EQ(rows.rows.size(), 2u);
      EXPECT_EQ(rows.rows.at(0).at(1), "[\"(1,2,200,2024-01-01,4)\"]");
      KeptRows none;
      EXPECT_TRUE(Read(*database, "SELECT c FROM customers c WHERE false", none));
      EXPECT_EQ(none.columns.at(0).type, "customers");
    }
    return {};
  });
  EXPECT_TRUE(locked);
  ASSERT_TRUE(admin().Execute("CREATE TYPE made_later AS ENUM ('x')"));
  KeptRows rows;
  EXPECT_TRUE(Read(*database, "SELECT 'x'::made_later", rows));
  EXPECT_EQ(rows.columns.at(0).type, "made_later");
  ASSERT_TRUE(admin().Execute("DROP TYPE made_later"));
}

TEST_F(PostgresReadTest, OneCallerReadsAnOldCatalogueAgainWhileOthersGoOnWithIt) {
  const auto database =
      OpenPostgresDatabase(
          {.url = url(), .max_connections = 2, .catalogue_lasts = std::chrono::seconds(0)})
          .value();
  ASSERT_EQ(Value(*database, "SELECT 1"), "1");
  std::thread reader;
  const auto locked = admin().InTransaction([&](Sql& other) -> Result<void> {
    RETURN_IF_ERROR(other.Execute("LOCK TABLE pg_extension IN ACCESS EXCLUSIVE MODE"));
    reader = std::thread([&] { EXPECT_EQ(Value(*database, "SELECT 2"), "2"); });
    const auto deadline = Steady::now() + std::chrono::seconds(30);
    for (bool waits = false; !waits && Steady::now() < deadline;) {
      const auto rows = other.Query("SELECT count(*) FROM pg_locks WHERE NOT granted");
      waits = rows && IntegerOr((*rows)[0][0], 0) > 0;
    }
    EXPECT_EQ(Value(*database, "SELECT 3"), "3");
    return {};
  });
  EXPECT_TRUE(locked);
  reader.join();
}

}  // namespace
}  // namespace toolpost::db
