// What one statement leaves to the next on the same session, and how statements and sessions end.
#include "db/postgres_database_session.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "db/postgres_database_fixture.h"

namespace toolpost::db {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Steady = std::chrono::steady_clock;

using PostgresSessionTest = PostgresDatabaseTest;

TEST_F(PostgresSessionTest, WhatFunctionsLeaveInASessionDoesNotMeetTheNextCaller) {
  const auto database = Open();
  const auto locks = [] {
    const auto count = admin().Query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
    return IntegerOr((*count)[0][0], -1);
  };
  EXPECT_EQ(Value(*database, "SELECT liar(7)"), "7");
  EXPECT_EQ(locks(), 0);
  EXPECT_THAT(Value(*database, "SELECT liar(7) / 0"), HasSubstr("division"));
  EXPECT_EQ(locks(), 0);
  EXPECT_THAT(Value(*database, "SELECT x / 0 FROM trap"), HasSubstr("division"));
  EXPECT_EQ(locks(), 0);
  const std::string backend = Value(*database, "SELECT pg_backend_pid()");
  EXPECT_EQ(Value(*database, "SELECT setseed(0.5) IS NULL"), "false");
  EXPECT_NE(Value(*database, "SELECT pg_backend_pid()"), backend);
  EXPECT_EQ(database->Status().open, 1);
}

// Nothing in the statement names it.
TEST_F(PostgresSessionTest, WhatAnImplicitCastLeavesInASessionDoesNotMeetTheNextCaller) {
  const auto run = [](std::string_view sql) { ASSERT_TRUE(admin().Execute(sql)) << sql; };
  run("CREATE FUNCTION locking_mood(mood) RETURNS int STABLE LANGUAGE sql AS 'SELECT liar(3)'");
  run("CREATE CAST (mood AS int) WITH FUNCTION locking_mood(mood) AS IMPLICIT");
  const auto database = Open();
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(Value(*database, "SELECT abs(mood) FROM orders WHERE id = 1"), "3");
    const auto count = admin().Query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
    EXPECT_EQ(IntegerOr((*count)[0][0], -1), 0) << turn;
  }
  run("DROP FUNCTION locking_mood(mood) CASCADE");
}

TEST_F(PostgresSessionTest, WhatACallerLeftUnreadWhenItThrewDoesNotMeetTheNext) {
  class Thrower final : public RowSink {
   public:
    void Begin(std::span<const ResultColumn>) override {}
    bool Add(std::span<const Cell>) override { throw std::bad_alloc(); }
  };
  const auto database = Open();
  ASSERT_EQ(Value(*database, "SELECT 'warm'"), "warm");
  for (const char* sql :
       {"SELECT 'not yours' FROM generate_series(1, 100000)", "SELECT 'not yours'"}) {
    Thrower sink;
    EXPECT_THROW((void)Read(*database, sql, sink), std::bad_alloc);
    EXPECT_EQ(Value(*database, "SELECT 'mine'"), "mine");
    EXPECT_EQ(database->Status().open, 1);
  }
}

TEST_F(PostgresSessionTest, ASessionThatReadALargeRowIsReplaced) {
  const auto database = Open();
  const auto backend = [&] { return Value(*database, "SELECT pg_backend_pid()"); };
  const std::string first = backend();
  EXPECT_EQ(Value(*database, "SELECT repeat(repeat('x', 1000), 4000)").size(), 4'000'000u);
  EXPECT_EQ(backend(), first);
  EXPECT_EQ(Value(*database, "SELECT repeat(repeat('x', 1000), 9000)").size(), 9'000'000u);
  EXPECT_NE(backend(), first);
}

TEST_F(PostgresSessionTest, AStatementThatTakesTooLongIsCancelledOnTheServer) {
  const auto database = Open();
  KeptRows rows;
  const auto done = database->Read(
      {.sql = "SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b",
       .deadline = Steady::now() + milliseconds(300),
       .stop = {}},
      rows);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kTimeout);
  EXPECT_EQ(Value(*database,
                  "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND "
                  "query LIKE '%generate_series(1, 1000)%' AND pid <> pg_backend_pid()"),
            "0");
}

TEST_F(PostgresSessionTest, AStopRequestCancelsOnTheServer) {
  const auto database = Open(2);
  std::stop_source source;
  Result<void> done;
  std::thread caller([&] {
    KeptRows rows;
    done = database->Read({.sql = "SELECT count(*) AS marker FROM generate_series(1, 100000000) a, "
                                  "generate_series(1, 1000) b",
                           .deadline = Steady::now() + seconds(60),
                           .stop = source.get_token()},
                          rows);
  });
  const auto running = [&] {
    return Value(*database,
                 "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND "
                 "query LIKE 'SELECT count(*) AS marker%'");
  };
  while (running() != "1") std::this_thread::yield();
  source.request_stop();
  caller.join();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kCancelled);
  EXPECT_EQ(running(), "0");
  EXPECT_EQ(database->Status().busy, 0);
}

TEST_F(PostgresSessionTest, AStoppedCallerDoesNotConnect) {
  const auto database = Open();
  std::stop_source source;
  source.request_stop();
  KeptRows rows;
  const auto done = database->Read(
      {.sql = "SELECT 1", .deadline = Steady::now() + seconds(5), .stop = source.get_token()},
      rows);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kCancelled);
}

TEST_F(PostgresSessionTest, RepeatedStatementsArePreparedAndSurviveChangedTables) {
  const auto database = Open();
  ASSERT_TRUE(admin().Execute("CREATE TABLE changing (a int)"));
  ASSERT_TRUE(admin().Execute("INSERT INTO changing VALUES (1)"));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Value(*database, "SELECT * FROM changing"), "1");
  EXPECT_EQ(Value(*database,
                  "SELECT count(*) FROM session.statements "
                  "WHERE statement = 'SELECT * FROM changing'"),
            "1");
  EXPECT_EQ(Value(*database, "SELECT * FROM changing"), "1");
  ASSERT_TRUE(admin().Execute("ALTER TABLE changing ALTER a TYPE text"));
  EXPECT_EQ(Value(*database, "SELECT * FROM changing"), "1");
  ASSERT_TRUE(admin().Execute("DROP TABLE changing"));
  EXPECT_THAT(Value(*database, "SELECT * FROM changing"), HasSubstr("does not exist"));
}

TEST_F(PostgresSessionTest, ForgetsOldPreparedStatements) {
  const auto database = Open();
  for (int i = 0; i < 250; ++i) {
    const std::string sql = "SELECT " + std::to_string(i);
    EXPECT_EQ(Value(*database, sql), std::to_string(i));
    EXPECT_EQ(Value(*database, sql), std::to_string(i));
  }
  EXPECT_LE(std::stoi(Value(*database, "SELECT count(*) FROM session.statements")), 100);
}

TEST_F(PostgresSessionTest, ManyCallersShareAFewConnections) {
  const auto database = Open(3);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&, caller] {
      for (int turn = 0; turn < 60; ++turn) {
        const Json parameters = JsonArray{caller * 1000 + turn};
        const std::string expected = std::to_string(caller * 1000 + turn);
        if (Value(*database, "SELECT $1::int", &parameters) != expected) ++wrong;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(database->Status().open, 3);
  EXPECT_EQ(database->Status().busy, 0);
}

TEST_F(PostgresSessionTest, ASessionKilledWhileIdleIsReplacedUnnoticed) {
  const auto database = Open();
  for (int i = 0; i < 3; ++i) {
    const std::string backend = Value(*database, "SELECT pg_backend_pid()");
    ASSERT_TRUE(admin().Query("SELECT pg_terminate_backend(CAST($1 AS INT), 10000)", {backend}));
    EXPECT_NE(Value(*database, "SELECT pg_backend_pid()"), backend);
  }
}

TEST_F(PostgresSessionTest, AStatementThatAnAdministratorEndsIsNotRunAgain) {
  const auto database = Open();
  ASSERT_EQ(Value(*database, "SELECT 1"), "1");
  Result<void> done;
  std::thread caller([&] {
    KeptRows rows;
    done = Read(*database, "SELECT count(*) AS runaway FROM generate_series(1, 900000000)", rows);
  });
  const auto ended = [&](std::string_view since) {
    const auto rows = admin().Query(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE state = 'active' AND "
        "query LIKE 'SELECT count(*) AS runaway%' AND clock_timestamp() - query_start > "
        "CAST($1 AS INTERVAL)",
        {std::string(since)});
    return rows && !rows->empty();
  };
  // Within a second it could have been a session that had ended unnoticed.
  while (!ended("1.1 seconds")) std::this_thread::yield();
  caller.join();
  EXPECT_FALSE(ended("0 seconds"));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kUnavailable);
  EXPECT_THAT(done.error().message, HasSubstr("ended by an administrator"));
  EXPECT_EQ(Value(*database, "SELECT 1"), "1");
}

TEST_F(PostgresSessionTest, AServerThatStopsInMidQueryFailsTheQueryAndIsFoundAgain) {
  const auto database = Open(4);
  ASSERT_EQ(Value(*database, "SELECT 1"), "1");
  Result<void> done;
  std::thread caller([&] {
    KeptRows rows(1'000'000'000);
    done = Read(*database, "SELECT n AS endless FROM generate_series(1, 900000000) n", rows);
  });
  while (Value(*database,
               "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query "
               "LIKE 'SELECT n AS endless%'") != "1") {
    std::this_thread::yield();
  }
  PostgresServer::Get().Stop();
  caller.join();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kUnavailable);
  for (int i = 0; i < 5; ++i) {
    KeptRows rows;
    const auto down = Read(*database, "SELECT 1", rows);
    ASSERT_FALSE(down);
    EXPECT_EQ(down.error().code, Code::kUnavailable);
    EXPECT_THAT(down.error().message, Not(HasSubstr("planted")));
  }
  EXPECT_FALSE(database->Status().reachable);
  // Lost: what was being opened when the server stopped.
  EXPECT_THAT(database->Status().problem,
              AnyOf(HasSubstr("cannot be reached"), HasSubstr("was lost")));
  PostgresServer::Get().Start();
  const auto deadline = Steady::now() + seconds(60);
  while (Value(*database, "SELECT 1") != "1" && Steady::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(Value(*database, "SELECT 1"), "1");
  EXPECT_TRUE(database->Status().reachable);
  // Our other connections are new ones, too.
  ASSERT_TRUE(admin().Query("SELECT 1"));
  EXPECT_EQ(Value(*database, "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%'"),
            "0");
}

TEST_F(PostgresSessionTest, AServerThatNeverWasThereIsExplainedAtOnceTheSecondTime) {
  const auto database =
      OpenPostgresDatabase({.url = "postgresql://u:planted-secret@/x?host=/nowhere"}).value();
  for (int i = 0; i < 3; ++i) {
    const auto done = database->Check();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Code::kUnavailable);
    EXPECT_THAT(done.error().message, Not(HasSubstr("planted-secret")));
    EXPECT_THAT(done.error().message, Not(HasSubstr("nowhere")));
  }
  EXPECT_FALSE(database->Status().reachable);
}

}  // namespace
}  // namespace toolpost::db
