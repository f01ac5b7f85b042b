// The same behaviour on both engines.
#include "db/sql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <thread>

#include "db/postgres.h"
#include "db/postgres_fixture.h"
#include "db/sqlite.h"

namespace toolpost::db {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SqlTest : public ::testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "toolpost-db-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    if (GetParam() == Dialect::kPostgres) url_ = PostgresServer::Get().NewDatabase();
    sql_ = Open();
    ASSERT_NE(sql_, nullptr);
  }

  void TearDown() override {
    sql_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::unique_ptr<Sql> Open() {
    if (GetParam() == Dialect::kPostgres) {
      auto opened = Postgres::Open({.url = url_});
      EXPECT_TRUE(opened) << opened.error().message;
      return opened ? *std::move(opened) : nullptr;
    }
    auto opened = Sqlite::Open({.path = directory_ / "test.db"});
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
  }

  void Must(std::string_view statement, const std::vector<Value>& parameters = {}) {
    const auto done = sql_->Execute(statement, parameters);
    ASSERT_TRUE(done) << statement << ": " << done.error().message;
  }

  Value One(std::string_view statement, const std::vector<Value>& parameters = {}) {
    const auto rows = sql_->Query(statement, parameters);
    EXPECT_TRUE(rows) << rows.error().message;
    if (!rows || rows->size() != 1 || (*rows)[0].size() != 1) return std::string("not one value");
    return (*rows)[0][0];
  }

  const char* BytesType() const { return GetParam() == Dialect::kPostgres ? "BYTEA" : "BLOB"; }

  std::filesystem::path directory_;
  std::string url_;
  std::unique_ptr<Sql> sql_;
};

INSTANTIATE_TEST_SUITE_P(Engines, SqlTest, ::testing::Values(Dialect::kSqlite, Dialect::kPostgres),
                         [](const auto& test) {
                           return test.param == Dialect::kSqlite ? "Sqlite" : "Postgres";
                         });

TEST_P(SqlTest, BringsEveryTypeBackAsItWas) {
  Must(std::string(
           "CREATE TABLE t (id BIGINT PRIMARY KEY, n BIGINT, r DOUBLE PRECISION, s TEXT, b ") +
       BytesType() + ")");
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes.push_back(static_cast<char>(byte));
  const std::vector<Row> rows = {
      {std::int64_t{1}, Value(), Value(), Value(), Value()},
      {std::int64_t{2}, std::int64_t{0}, 0.0, "", Blob{""}},
      {std::int64_t{3}, std::numeric_limits<std::int64_t>::max(),
       std::numeric_limits<double>::max(), "Zo\xc3\xab \xf0\x9f\x94\x91 \xe6\xbc\xa2",
       Blob{all_bytes}},
      {std::int64_t{4}, std::numeric_limits<std::int64_t>::min(),
       std::numeric_limits<double>::denorm_min(), "\\x00 'quoted' \"double\" $1 %s \n\t\r",
       Blob{std::string("\0\0", 2)}},
      {std::int64_t{5}, std::int64_t{-1}, -std::numeric_limits<double>::infinity(),
       std::string(100'000, 'x'), Blob{std::string(1'000'000, '\0')}},
      {std::int64_t{6}, std::int64_t{1} << 53, 0.1, "'; DROP TABLE t; --", Blob{"\\x41"}},
  };
  for (const Row& row : rows) {
    const auto changed = sql_->Execute("INSERT INTO t VALUES ($1, $2, $3, $4, $5)", row);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(*changed, 1);
  }
  const auto read = sql_->Query("SELECT id, n, r, s, b FROM t ORDER BY id");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, rows);
}

TEST_P(SqlTest, FindsHostileTextAsAValueOnly) {
  Must("CREATE TABLE t (s TEXT)");
  for (const char* text : {"' OR 1=1 --", "\\'; DELETE FROM t;", "$1", "%", "\xe2\x80\xae", "{}"}) {
    Must("INSERT INTO t VALUES ($1)", {text});
    EXPECT_EQ(One("SELECT count(*) FROM t WHERE s = $1", {text}), Value(std::int64_t{1}));
  }
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{6}));
}

TEST_P(SqlTest, RefusesTextThatOneEngineCouldNotStore) {
  Must("CREATE TABLE t (s TEXT)");
  for (const std::string& text : {std::string("a\0b", 3), std::string("\xff"), std::string("\xc3"),
                                  std::string("\xed\xa0\x80")}) {
    const auto done = sql_->Execute("INSERT INTO t VALUES ($1)", {text});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Code::kInvalidArgument);
  }
  EXPECT_FALSE(sql_->Execute(std::string_view("DELETE FROM t\0 WHERE 0=1", 24)));
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{0}));
}

TEST_P(SqlTest, BindsParametersByNumberNotByPlace) {
  const auto rows =
      sql_->Query("SELECT $2 + 0, $1 + 0, $2 + 0", {std::int64_t{1}, std::int64_t{2}});
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ((*rows)[0], (Row{std::int64_t{2}, std::int64_t{1}, std::int64_t{2}}));
}

TEST_P(SqlTest, RefusesTooFewParameters) {
  EXPECT_FALSE(sql_->Query("SELECT $1 + 0", {}));
  EXPECT_FALSE(sql_->Query("SELECT $1 + $3", {std::int64_t{1}, std::int64_t{2}}));
  EXPECT_EQ(One("SELECT $1 + 0", {std::int64_t{7}}), Value(std::int64_t{7}));
}

TEST_P(SqlTest, RunsOneStatementAtATime) {
  Must("CREATE TABLE t (n BIGINT)");
  EXPECT_FALSE(sql_->Execute("INSERT INTO t VALUES (1); DELETE FROM t"));
  EXPECT_FALSE(sql_->Execute("SELECT 1; SELECT nonsense from nowhere"));
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{0}));
  EXPECT_TRUE(sql_->Execute("INSERT INTO t VALUES (1);  "));
}

TEST_P(SqlTest, CountsChangedRows) {
  Must("CREATE TABLE t (n BIGINT)");
  EXPECT_EQ(*sql_->Execute("INSERT INTO t VALUES (1), (2), (3)"), 3);
  EXPECT_EQ(*sql_->Execute("UPDATE t SET n = n + 1 WHERE n > $1", {std::int64_t{1}}), 2);
  EXPECT_EQ(*sql_->Execute("DELETE FROM t WHERE n = 99"), 0);
  EXPECT_EQ(*sql_->Execute("SELECT * FROM t"), 0);
  EXPECT_EQ(*sql_->Execute("CREATE TABLE u (n BIGINT)"), 0);
}

TEST_P(SqlTest, TellsViolatedConstraintsFromOtherFailures) {
  Must("CREATE TABLE t (id TEXT PRIMARY KEY, n BIGINT CHECK (n > 0))");
  Must("INSERT INTO t VALUES ('planted-secret', 1)");
  const auto twice = sql_->Execute("INSERT INTO t VALUES ($1, 1)", {"planted-secret"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, Code::kConflict);
  EXPECT_THAT(twice.error().message, Not(HasSubstr("planted-secret")));
  EXPECT_EQ(sql_->Execute("INSERT INTO t VALUES ('b', 0)").error().code, Code::kConflict);
  EXPECT_EQ(sql_->Execute("INSERT INTO nowhere VALUES (1)").error().code, Code::kInternal);
  EXPECT_EQ(sql_->Query("SELEC 1").error().code, Code::kInternal);
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{1}));
}

TEST_P(SqlTest, KeepsAllOfATransactionOrNothing) {
  Must("CREATE TABLE t (n BIGINT)");
  const auto failed = sql_->InTransaction([](Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (1)"));
    return Error::NotFound("changed my mind");
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "changed my mind");
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{0}));
  EXPECT_TRUE(sql_->InTransaction([](Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (1)"));
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (2)"));
    return {};
  }));
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{2}));
}

TEST_P(SqlTest, WaitsForTheDiskUnlessATransactionNeedNot) {
  const bool lite = sql_->dialect() == Dialect::kSqlite;
  const Value waits = lite ? Value(std::int64_t{2}) : Value("on");
  const Value does_not = lite ? Value(std::int64_t{1}) : Value("off");
  const auto setting = [&](Sql& sql) {
    return (*sql.Query(lite ? "PRAGMA synchronous" : "SHOW synchronous_commit"))[0][0];
  };
  for (const auto& [durability, expected] :
       {std::pair(Durability::kSoon, does_not), std::pair(Durability::kAtCommit, waits),
        std::pair(Durability::kSoon, does_not)}) {
    Value seen;
    EXPECT_TRUE(sql_->InTransaction(
        [&](Sql& sql) -> Result<void> {
          seen = setting(sql);
          return {};
        },
        durability));
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(setting(*sql_), waits);
  }
}

TEST_P(SqlTest, RollsBackWhenAStatementFailedEvenIfTheWorkIgnoresIt) {
  Must("CREATE TABLE t (n BIGINT PRIMARY KEY)");
  const auto done = sql_->InTransaction([](Sql& sql) -> Result<void> {
    (void)sql.Execute("INSERT INTO t VALUES (1)");
    (void)sql.Execute("INSERT INTO t VALUES (1)");
    (void)sql.Execute("INSERT INTO t VALUES (2)");
    return {};
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kConflict);
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{0}));
}

TEST_P(SqlTest, RollsBackWhenTheWorkThrows) {
  Must("CREATE TABLE t (n BIGINT)");
  EXPECT_THROW((void)sql_->InTransaction([](Sql& sql) -> Result<void> {
    (void)sql.Execute("INSERT INTO t VALUES (1)");
    throw std::runtime_error("out");
  }),
               std::runtime_error);
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{0}));
  Must("INSERT INTO t VALUES (1)");
}

TEST_P(SqlTest, DoesNotNestTransactions) {
  Must("CREATE TABLE t (n BIGINT)");
  EXPECT_FALSE(sql_->InTransaction([](Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (1)"));
    return sql.InTransaction([](Sql&) -> Result<void> { return {}; });
  }));
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{0}));
}

TEST_P(SqlTest, LosesNoUpdateAmongConcurrentWriters) {
  constexpr int kThreads = 6, kRounds = 15;
  Must("CREATE TABLE t (n BIGINT NOT NULL)");
  Must("INSERT INTO t VALUES (0)");
  std::vector<std::unique_ptr<Sql>> connections;
  for (int i = 0; i < kThreads; ++i) connections.push_back(Open());
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (auto& connection : connections) {
      threads.emplace_back([&failures, &connection] {
        for (int round = 0; round < kRounds; ++round) {
          const auto done = connection->InTransaction([](Sql& sql) -> Result<void> {
            ASSIGN_OR_RETURN(const auto rows, sql.Query("SELECT n FROM t"));
            RETURN_IF_ERROR(sql.Execute("UPDATE t SET n = $1", {IntegerOr(rows[0][0], -1) + 1}));
            return {};
          });
          if (!done) ++failures;
        }
      });
    }
  }
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(One("SELECT n FROM t"), Value(std::int64_t{kThreads} * kRounds));
}

TEST_P(SqlTest, ForgetsNoStatementHoweverManyAreUsed) {
  Must("CREATE TABLE t (n BIGINT)");
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t n = 0; n < 100; ++n) {
      Must("INSERT INTO t VALUES ($1 + " + std::to_string(n) + ")", {n});
    }
  }
  EXPECT_EQ(One("SELECT count(*) FROM t"), Value(std::int64_t{200}));
}

TEST_P(SqlTest, DoesNotKeepParametersOfTheLastRun) {
  Must("CREATE TABLE t (s TEXT)");
  Must("INSERT INTO t VALUES ($1)", {"first"});
  Must("INSERT INTO t VALUES ($1)", {Value()});
  EXPECT_EQ(One("SELECT count(*) FROM t WHERE s IS NULL"), Value(std::int64_t{1}));
}

TEST(SqlValues, GiveTheFallbackForAnotherType) {
  EXPECT_EQ(IntegerOr(Value(std::int64_t{5}), 1), 5);
  EXPECT_EQ(IntegerOr(Value("5"), 1), 1);
  EXPECT_EQ(IntegerOr(Value(), 1), 1);
  EXPECT_EQ(RealOr(Value(2.5), 1), 2.5);
  EXPECT_EQ(RealOr(Value(std::int64_t{2}), 1), 2);
  EXPECT_EQ(RealOr(Value(), 1), 1);
  EXPECT_EQ(TextOr(Value("a"), "b"), "a");
  EXPECT_EQ(TextOr(Value(Blob{"a"}), "b"), "b");
  EXPECT_EQ(BytesOr(Value(Blob{"a"}), "b"), "a");
  EXPECT_EQ(BytesOr(Value("a"), "b"), "b");
  EXPECT_TRUE(IsNull(Value()));
  EXPECT_FALSE(IsNull(Value("")));
}

}  // namespace
}  // namespace toolpost::db
