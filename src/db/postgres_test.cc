#include "db/postgres.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "base/log.h"
#include "db/postgres_fixture.h"

namespace toolpost::db {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Collects what is logged while it lives.
class CapturedLog {
 public:
  CapturedLog() : file_(std::tmpfile()) {
    base::FlushLog();
    base::SetLogDescriptorForTest(fileno(file_));
  }
  ~CapturedLog() {
    base::FlushLog();
    base::SetLogDescriptorForTest(2);
    std::fclose(file_);
  }
  std::string Text() {
    base::FlushLog();
    std::string text(static_cast<std::size_t>(lseek(fileno(file_), 0, SEEK_END)), '\0');
    EXPECT_EQ(pread(fileno(file_), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return text;
  }

 private:
  std::FILE* file_;
};

class PostgresTest : public ::testing::Test {
 protected:
  void SetUp() override {
    url_ = PostgresServer::Get().NewDatabase();
    sql_ = Open();
    ASSERT_NE(sql_, nullptr);
  }

  std::unique_ptr<Postgres> Open() {
    auto opened = Postgres::Open({.url = url_});
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
  }
  static std::int64_t BackendOf(Sql& sql) {
    return IntegerOr(sql.Query("SELECT pg_backend_pid()").value()[0][0], 0);
  }
  // Returns when the backend is gone.
  void Terminate(std::int64_t backend) {
    auto killer = Open();
    ASSERT_TRUE(killer->Query("SELECT pg_terminate_backend(CAST($1 AS INT), 10000)", {backend}));
  }

  std::string url_;
  std::unique_ptr<Postgres> sql_;
};

TEST_F(PostgresTest, ReadsColumnsByTheirType) {
  const auto rows = sql_->Query(
      "SELECT true, false, CAST(7 AS SMALLINT), 8, CAST(1.5 AS REAL), CAST('NaN' AS FLOAT8), "
      "1.10, DATE '2026-01-02', TIMESTAMPTZ '2026-01-02 03:04:05+02', NULL, '\\x00ff'::bytea, "
      "ARRAY[1,2], '{\"a\": 1}'::jsonb");
  ASSERT_TRUE(rows) << rows.error().message;
  const Row& row = (*rows)[0];
  EXPECT_EQ(row[0], Value(std::int64_t{1}));
  EXPECT_EQ(row[1], Value(std::int64_t{0}));
  EXPECT_EQ(row[2], Value(std::int64_t{7}));
  EXPECT_EQ(row[3], Value(std::int64_t{8}));
  EXPECT_EQ(row[4], Value(1.5));
  EXPECT_TRUE(std::isnan(std::get<double>(row[5])));
  EXPECT_EQ(row[6], Value("1.10"));
  EXPECT_EQ(row[7], Value("2026-01-02"));
  EXPECT_EQ(row[8], Value("2026-01-02 01:04:05+00"));
  EXPECT_TRUE(IsNull(row[9]));
  EXPECT_EQ(row[10], Value(Blob{std::string("\0\xff", 2)}));
  EXPECT_EQ(row[11], Value("{1,2}"));
  EXPECT_EQ(row[12], Value("{\"a\": 1}"));
}

TEST_F(PostgresTest, ReopensAConnectionThatTheServerClosed) {
  const std::int64_t backend = BackendOf(*sql_);
  Terminate(backend);
  const auto rows = sql_->Query("SELECT pg_backend_pid()");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_NE(IntegerOr((*rows)[0][0], 0), backend);
}

TEST_F(PostgresTest, RunsATransactionAgainThatLostItsConnection) {
  ASSERT_TRUE(sql_->Execute("CREATE TABLE t (n BIGINT)"));
  int runs = 0;
  const auto done = sql_->InTransaction([&](Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (1)"));
    if (++runs == 1) Terminate(BackendOf(sql));
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (2)"));
    return {};
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(sql_->Query("SELECT count(*) FROM t").value()[0][0], Value(std::int64_t{2}));
}

TEST_F(PostgresTest, DoesNotRepeatATransactionWhoseCommitMayHaveArrived) {
  ASSERT_TRUE(sql_->Execute("CREATE TABLE t (n BIGINT)"));
  int runs = 0;
  const auto done = sql_->InTransaction([&](Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (1)"));
    if (++runs == 1) Terminate(BackendOf(sql));
    return {};
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kUnavailable);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(sql_->Query("SELECT count(*) FROM t").value()[0][0], Value(std::int64_t{0}));
}

TEST_F(PostgresTest, FailsWhileTheServerIsAwayAndRecovers) {
  ASSERT_TRUE(sql_->Execute("CREATE TABLE t (n BIGINT)"));
  ASSERT_TRUE(sql_->Execute("INSERT INTO t VALUES (1)"));
  PostgresServer::Get().Stop();
  const auto away = sql_->Query("SELECT count(*) FROM t");
  const auto opened = Postgres::Open({.url = url_});
  PostgresServer::Get().Start();
  ASSERT_FALSE(away);
  EXPECT_EQ(away.error().code, Code::kUnavailable);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kUnavailable);
  EXPECT_EQ(sql_->Query("SELECT count(*) FROM t").value()[0][0], Value(std::int64_t{1}));
}

TEST_F(PostgresTest, StopsAStatementThatTakesTooLong) {
  auto hasty = Postgres::Open({.url = url_, .statement_timeout = std::chrono::milliseconds(50)});
  ASSERT_TRUE(hasty);
  const auto slow = (*hasty)->Query("SELECT pg_sleep(60)");
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().code, Code::kTimeout);
  EXPECT_TRUE((*hasty)->Query("SELECT 1"));
}

TEST_F(PostgresTest, GivesUpAServerThatHangs) {
  auto opened = Postgres::Open({.url = url_, .statement_timeout = std::chrono::milliseconds(50)});
  ASSERT_TRUE(opened);
  Postgres& hasty = **opened;
  const auto hang = [&] {
    const auto backend = static_cast<pid_t>(BackendOf(hasty));
    EXPECT_EQ(kill(backend, SIGSTOP), 0);
    return backend;
  };
  const auto check = [&](const auto& result, pid_t backend) {
    EXPECT_EQ(kill(backend, SIGCONT), 0);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::kUnavailable);
  };
  pid_t backend = hang();
  check(hasty.Query("SELECT 1"), backend);
  backend = hang();
  check(hasty.QueryAs("ann", "SELECT 1", {}), backend);
  backend = hang();
  EXPECT_TRUE(hasty.InTransaction([](Sql&) { return Result<void>(); })) << "by another connection";
  EXPECT_EQ(kill(backend, SIGCONT), 0);
  EXPECT_TRUE(hasty.Query("SELECT 1"));
}

TEST_F(PostgresTest, SurvivesCopyWhichItCannotDo) {
  EXPECT_FALSE(sql_->Execute("COPY (SELECT 1) TO STDOUT"));
  EXPECT_FALSE(sql_->Query("COPY pg_class FROM STDIN"));
  EXPECT_TRUE(sql_->Query("SELECT 1"));
}

TEST_F(PostgresTest, SaysNothingOfThePassword) {
  CapturedLog log;
  std::string wrong = url_;
  wrong.replace(wrong.find(PostgresServer::kPassword), PostgresServer::kPassword.size(),
                "planted-wrong");
  const std::string urls[] = {wrong,
                              "postgresql://toolpost:planted-wrong@127.0.0.1:1/x",
                              "postgresql://toolpost:planted-wrong@no.such.host.invalid/x",
                              "postgresql://toolpost:p@planted-wrong@127.0.0.1:1/x",
                              "postgresql://toolpost:p/planted-wrong@127.0.0.1:1/x",
                              "postgresql://127.0.0.1:1/planted-wrong@127.0.0.1:1/x",
                              "postgresql://toolpost:p:planted-wrong@127.0.0.1:planted-wrong/x",
                              "postgresql://toolpost@127.0.0.1:1/x?password=planted-wrong",
                              "postgresql://toolpost@127.0.0.1:1/x?planted-wrong=1",
                              "postgresql://toolpost:%zzplanted-wrong@127.0.0.1:1/x",
                              "mysql://toolpost:planted-wrong@127.0.0.1:1/x",
                              "host=127.0.0.1 password=planted-wrong",
                              "planted-wrong"};
  for (const std::string& url : urls) {
    const auto opened = Postgres::Open({.url = url});
    ASSERT_FALSE(opened) << url;
    EXPECT_THAT(opened.error().message, Not(HasSubstr("planted-wrong"))) << url;
  }
  EXPECT_THAT(log.Text(), Not(HasSubstr("planted-wrong")));
  EXPECT_THAT(log.Text(), HasSubstr("postgresql login failed"));
}

TEST_F(PostgresTest, TellsAWrongPasswordFromAServerThatIsNotThere) {
  std::string wrong = url_;
  wrong.replace(wrong.find(PostgresServer::kPassword), PostgresServer::kPassword.size(), "wrong");
  EXPECT_THAT(Postgres::Open({.url = wrong}).error().message, HasSubstr("refused the login"));
  EXPECT_THAT(Postgres::Open({.url = PostgresServer::Get().Url("nowhere")}).error().message,
              HasSubstr("no such database"));
  EXPECT_THAT(Postgres::Open({.url = "postgresql://u@127.0.0.1:1/x"}).error().message,
              HasSubstr("cannot be reached"));
  const auto bad = Postgres::Open({.url = "postgresql://u:p@ss@127.0.0.1:1/x"});
  EXPECT_EQ(bad.error().code, Code::kInvalidArgument);
}

TEST_F(PostgresTest, LogsNoValues) {
  CapturedLog log;
  ASSERT_TRUE(sql_->Execute("CREATE TABLE t (id TEXT PRIMARY KEY, n BIGINT)"));
  ASSERT_TRUE(sql_->Execute("INSERT INTO t VALUES ($1, 1)", {"planted-value"}));
  EXPECT_FALSE(sql_->Execute("INSERT INTO t VALUES ($1, 1)", {"planted-value"}));
  EXPECT_FALSE(sql_->Execute("INSERT INTO t VALUES ('b', $1)", {"planted-value"}));
  EXPECT_FALSE(sql_->Query("SELECT CAST($1 AS DATE)", {"planted-value"}));
  EXPECT_THAT(log.Text(), HasSubstr("postgresql error"));
  EXPECT_THAT(log.Text(), Not(HasSubstr("planted-value")));
}

}  // namespace
}  // namespace toolpost::db
