// database/health and database/top_queries on states of a real PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <thread>

#include "tools/database/database_fixture.h"

namespace toolpost::tools::database {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class HealthTest : public DatabaseTools {
 protected:
  // What the check found, a line for each as "status: detail".
  std::string Found(std::string_view check) {
    const JsonObject reply = Ask("database/health", {});
    if (!reply.contains("findings")) return Text(reply, "error");
    std::string lines;
    for (const Json& finding : reply.at("findings").as_array()) {
      if (finding.at("check").as_string() != check) continue;
      lines += base::StrCat(std::string_view(finding.at("status").as_string()), ": ",
                            std::string_view(finding.at("detail").as_string()), "\n");
    }
    return lines;
  }
  std::unique_ptr<db::Sql> Session() { return *db::Postgres::Open({.url = url_}); }
  void ConnectAsReader() { ConnectTo(*db::OpenPostgresDatabase({.url = MakeReadingAccount()})); }
  void RestartServer() {
    Execute("CHECKPOINT");
    services_.connections.reset();
    owner_.reset();
    db::PostgresServer::Get().Stop();
    db::PostgresServer::Get().Start();
    owner_ = Session();
    Connect({"shop"});
  }
  // So that others see what this session counted.
  void FlushStatistics() { ASSERT_TRUE(owner_->Query("SELECT pg_stat_force_next_flush()")); }
  void WaitUntil(std::string_view sql) { WaitUntil(*owner_, sql); }
  static void WaitUntil(db::Sql& session, std::string_view sql) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < deadline) {
      const auto rows = session.Query(sql);
      if (rows && !rows->empty()) return;
    }
    FAIL() << "never came: " << sql;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, HealthTest, ::testing::Values(db::Dialect::kPostgres),
                         [](const auto&) { return std::string("Postgres"); });

TEST_P(HealthTest, ADatabaseInOrderIsOk) {
  for (const char* check : {"size", "cache", "connections", "bloat", "unused indexes",
                            "duplicate indexes", "invalid indexes", "long queries", "locks",
                            "replication", "standby", "replication slots", "wraparound"}) {
    EXPECT_THAT(Found(check), StartsWith("ok: ")) << check;
  }
  EXPECT_THAT(Found("wraparound"), HasSubstr("% of the transaction ids"));
}

// Whether the account sees what the others are or not.
TEST_P(HealthTest, CountsTheConnectionsOfClients) {
  const auto other = Session();
  for (const bool reader : {false, true}) {
    if (reader) ConnectAsReader();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::string found, expected;
    do {  // sessions that are gone take a moment to end
      found = Found("connections");
      const auto rows = owner_->Query(
          "SELECT 'ok: ' || count(*) || ' of ' || current_setting('max_connections') || chr(10) "
          "FROM pg_stat_activity WHERE backend_type = 'client backend'");
      expected = rows ? db::TextOr((*rows)[0][0], "?") : rows.error().message;
    } while (found != expected && std::chrono::steady_clock::now() < deadline);
    EXPECT_EQ(found, expected);
  }
}

TEST_P(HealthTest, FindsATableThatDoesNotComeFromTheCache) {
  Execute("CREATE TABLE wide (a text)");
  Execute("ALTER TABLE wide ALTER a SET STORAGE PLAIN");
  Execute("INSERT INTO wide SELECT repeat('x', 3000) FROM generate_series(1, 10000)");
  RestartServer();
  EXPECT_THAT(Found("cache"), StartsWith("ok: "));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(owner_->Query("SELECT count(*) FROM wide"));
  FlushStatistics();
  EXPECT_THAT(Found("cache"), AllOf(StartsWith("warning: "), HasSubstr("% of blocks")));
}

TEST_P(HealthTest, FindsDeadRowsAndIndexesThatNobodyUses) {
  Execute("CREATE TABLE churned (a int, b int) WITH (autovacuum_enabled = false)");
  Execute("INSERT INTO churned SELECT i, i FROM generate_series(1, 60000) i");
  Execute("CREATE INDEX idle_index ON churned (b)");
  Execute("DELETE FROM churned WHERE a > 30000");
  FlushStatistics();
  EXPECT_THAT(Found("bloat"), AllOf(StartsWith("warning: public.churned: 30000 dead rows"),
                                    HasSubstr("VACUUM is behind")));
  EXPECT_THAT(Found("unused indexes"),
              AllOf(StartsWith("warning: public.idle_index on churned"), HasSubstr("never used")));
}

TEST_P(HealthTest, FindsAnIndexThatCouldNotBeBuilt) {
  EXPECT_FALSE(owner_->Execute("CREATE UNIQUE INDEX CONCURRENTLY broken ON orders (customer_id)"));
  EXPECT_THAT(Found("invalid indexes"), StartsWith("warning: broken on orders is not valid"));
}

TEST_P(HealthTest, FindsSessionsThatTakeLong) {
  const auto other = Session();
  EXPECT_TRUE(other->InTransaction([&](db::Sql& sql) -> Result<void> {
    EXPECT_TRUE(sql.Query("SELECT 1"));
    EXPECT_EQ(Found("long queries"), "ok: nothing found\n");
    services_.long_query = std::chrono::seconds(0);
    Offer();
    EXPECT_THAT(Found("long queries"),
                AllOf(StartsWith("warning: process "), HasSubstr(" idle in transaction for ")));
    return {};
  }));
  EXPECT_EQ(Found("long queries"), "ok: nothing found\n");
}

TEST_P(HealthTest, FindsWhoWaitsForALock) {
  const auto holder = Session(), waiter = Session();
  std::jthread waiting;
  EXPECT_TRUE(holder->InTransaction([&](db::Sql& sql) -> Result<void> {
    EXPECT_TRUE(sql.Execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE"));
    waiting = std::jthread([&] { EXPECT_TRUE(waiter->Query("SELECT count(*) FROM orders")); });
    WaitUntil("SELECT 1 FROM pg_locks WHERE NOT granted");
    EXPECT_THAT(Found("locks"),
                AllOf(StartsWith("warning: process "), HasSubstr("AccessShareLock on orders")));
    return {};
  }));
}

TEST_P(HealthTest, FindsSlotsThatNobodyReads) {
  ASSERT_TRUE(owner_->Query("SELECT pg_create_physical_replication_slot('forgotten', true)"));
  EXPECT_THAT(Found("replication slots"),
              AllOf(StartsWith("warning: forgotten "), HasSubstr("keeps ")));
  ASSERT_TRUE(owner_->Query("SELECT pg_drop_replication_slot('forgotten')"));
}

TEST_P(HealthTest, SaysHowFarStandbysAre) {
  // psql as a standby that has connected and asks for nothing.
  FILE* standby = popen(("psql '" + url_ + "&replication=true' >/dev/null 2>&1").c_str(), "w");
  ASSERT_NE(standby, nullptr);
  WaitUntil("SELECT 1 FROM pg_stat_replication");
  EXPECT_THAT(Found("replication"), AllOf(StartsWith("ok: psql"), HasSubstr("startup")));
  ConnectAsReader();
  EXPECT_THAT(Found("replication"),
              AllOf(StartsWith("unknown: "), HasSubstr("pg_read_all_stats"), Not(HasSubstr("0 "))));
  pclose(standby);
}

TEST_P(HealthTest, AStandbySaysHowFarItIsBehind) {
  {
    const db::PostgresStandby standby;
    const std::string url = standby.UrlOf(url_);
    const auto session = *db::Postgres::Open({.url = url});
    const auto wait_until = [&](std::string_view sql) { WaitUntil(*session, sql); };
    ConnectTo(*db::OpenPostgresDatabase({.url = url}));
    Execute("CREATE TABLE early (a int)");
    wait_until("SELECT 1 FROM pg_class WHERE relname = 'early'");
    wait_until(
        "SELECT 1 FROM pg_stat_wal_receiver WHERE pg_last_wal_receive_lsn() <= "
        "pg_last_wal_replay_lsn()");
    EXPECT_EQ(Found("standby"), "ok: all that it has received is replayed\n");
    ASSERT_TRUE(session->Query("SELECT pg_wal_replay_pause()"));
    wait_until("SELECT 1 WHERE pg_get_wal_replay_pause_state() = 'paused'");
    Execute("CREATE TABLE late (a int)");
    wait_until("SELECT 1 WHERE pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()");
    EXPECT_THAT(Found("standby"),
                ContainsRegex("ok: it has received changes and replays with a delay of "
                              "(less than a|[0-9]+) second"));
    services_.long_lag = std::chrono::seconds(0);
    Offer();
    EXPECT_THAT(Found("standby"), StartsWith("warning: it has received changes"));
    db::PostgresServer::Get().Stop();
    wait_until("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver)");
    EXPECT_THAT(Found("standby"), HasSubstr("warning: it is not connected to its primary"));
    services_.connections.reset();
  }
  owner_.reset();
  db::PostgresServer::Get().Start();
  owner_ = Session();
}

TEST_P(HealthTest, AnAccountThatDoesNotSeeOthersSaysSo) {
  const auto other = Session();
  services_.long_query = std::chrono::seconds(0);
  ConnectAsReader();
  EXPECT_TRUE(other->InTransaction([&](db::Sql& sql) -> Result<void> {
    EXPECT_TRUE(sql.Query("SELECT 1"));
    EXPECT_THAT(Found("long queries"),
                AllOf(StartsWith("unknown: "), HasSubstr("GRANT pg_read_all_stats")));
    const std::string setup = SetupSql("re\"ader", {});
    for (const std::string_view line : base::Split(setup, '\n'))
      if (line.starts_with("-- ") && line.ends_with(';')) Execute(line.substr(3));
    EXPECT_THAT(Found("long queries"),
                AllOf(HasSubstr("warning: process "), Not(HasSubstr("unknown"))));
    return {};
  }));
  Execute("REVOKE pg_read_all_stats FROM \"re\"\"ader\"");
}

TEST_P(HealthTest, TopQueriesSayWhichAreHidden) {
  Execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  RestartServer();
  Execute("CREATE EXTENSION pg_stat_statements");
  ASSERT_TRUE(owner_->Query("SELECT count(*) AS of_the_owner FROM orders"));
  EXPECT_THAT(Text(Ask("database/top_queries", {{"limit", 100}}), "queries"),
              HasSubstr("of_the_owner"));
  ConnectAsReader();
  EXPECT_THAT(Text(Ask("database/top_queries", {{"limit", 100}}), "queries"),
              AllOf(HasSubstr("pg_read_all_stats"), Not(HasSubstr("insufficient")),
                    Not(HasSubstr("of_the_owner"))));
  Execute("CREATE SCHEMA \"extra things\"");
  Execute("ALTER EXTENSION pg_stat_statements SET SCHEMA \"extra things\"");
  Connect({"shop"});
  EXPECT_THAT(Text(Ask("database/top_queries", {{"limit", 100}}), "queries"),
              HasSubstr("of_the_owner"));
  Execute("ALTER SYSTEM RESET shared_preload_libraries");
  RestartServer();
}

}  // namespace
}  // namespace toolpost::tools::database
