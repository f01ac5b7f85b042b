#include "db/sqlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class SqliteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "toolpost-sqlite-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  fs::path File() const { return directory_ / "test.db"; }
  Result<std::unique_ptr<Sqlite>> Open(
      std::chrono::milliseconds busy_timeout = std::chrono::seconds(5)) {
    return Sqlite::Open({.path = File(), .busy_timeout = busy_timeout});
  }
  static mode_t Mode(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
    return status.st_mode & 07777;
  }
  static std::string Read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path directory_;
};

TEST_F(SqliteTest, IsSetUpToSurviveAPowerCutAndToLeaveNoTraces) {
  auto sql = Open();
  ASSERT_TRUE(sql);
  const auto setting = [&](const char* name) {
    return (*sql)->Query(std::string("PRAGMA ") + name).value()[0][0];
  };
  EXPECT_EQ(setting("journal_mode"), Value("wal"));
  EXPECT_EQ(setting("synchronous"), Value(std::int64_t{2}));
  EXPECT_EQ(setting("secure_delete"), Value(std::int64_t{1}));
  EXPECT_EQ(setting("foreign_keys"), Value(std::int64_t{1}));
  EXPECT_EQ(setting("trusted_schema"), Value(std::int64_t{0}));
}

TEST_F(SqliteTest, KeepsAllItsFilesForItsOwner) {
  const mode_t old = umask(0);
  auto sql = Open();
  ASSERT_TRUE(sql);
  ASSERT_TRUE((*sql)->Execute("CREATE TABLE t (n BIGINT)"));
  for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(Mode(File().string() + suffix), 0600u);
  for (const char* suffix : {"", "-wal", "-shm"}) {
    ASSERT_EQ(chmod((File().string() + suffix).c_str(), 0666), 0);
  }
  auto again = Open();
  umask(old);
  ASSERT_TRUE(again);
  for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(Mode(File().string() + suffix), 0600u);
}

TEST_F(SqliteTest, OverwritesDeletedRows) {
  auto sql = Open();
  ASSERT_TRUE(sql);
  ASSERT_TRUE((*sql)->Execute("CREATE TABLE t (s TEXT)"));
  ASSERT_TRUE((*sql)->Execute("INSERT INTO t VALUES ($1)", {"planted-secret-text"}));
  ASSERT_TRUE((*sql)->Query("PRAGMA wal_checkpoint(TRUNCATE)"));
  ASSERT_THAT(Read(File()), HasSubstr("planted-secret-text"));
  ASSERT_TRUE((*sql)->Execute("DELETE FROM t"));
  ASSERT_TRUE((*sql)->Query("PRAGMA wal_checkpoint(TRUNCATE)"));
  EXPECT_THAT(Read(File()), Not(HasSubstr("planted-secret-text")));
  EXPECT_THAT(Read(File().string() + "-wal"), Not(HasSubstr("planted-secret-text")));
}

TEST_F(SqliteTest, RefusesASymbolicLinkButNotASymbolicLinkToItsDirectory) {
  { ASSERT_TRUE(Open()); }
  fs::create_symlink(File(), directory_ / "link.db");
  const auto link = Sqlite::Open({.path = directory_ / "link.db"});
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error().code, Code::kPermissionDenied);
  fs::create_directory_symlink(directory_, directory_ / "here");
  EXPECT_TRUE(Sqlite::Open({.path = directory_ / "here" / "test.db"}));
}

TEST_F(SqliteTest, RefusesALogThatIsASymbolicLink) {
  { ASSERT_TRUE(Open()); }
  std::ofstream(directory_ / "victim") << "precious";
  fs::create_symlink(directory_ / "victim", File().string() + "-wal");
  EXPECT_FALSE(Open());
  EXPECT_EQ(Read(directory_ / "victim"), "precious");
}

TEST_F(SqliteTest, LeavesAFileAloneThatIsNoDatabase) {
  const std::string content = std::string(8192, 'x') + "not a database";
  std::ofstream(File(), std::ios::binary) << content;
  const auto opened = Open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kInternal);
  EXPECT_THAT(opened.error().message, HasSubstr("test.db is damaged or not an SQLite database"));
  EXPECT_THAT(opened.error().message, Not(HasSubstr(directory_.string())));
  EXPECT_EQ(Read(File()), content);
}

TEST_F(SqliteTest, SaysThatADamagedDatabaseIsDamaged) {
  {
    auto sql = Open();
    ASSERT_TRUE(sql);
    ASSERT_TRUE((*sql)->Execute("CREATE TABLE t (s TEXT)"));
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE((*sql)->Execute("INSERT INTO t VALUES ($1)", {std::string(1000, 'x')}));
    }
  }
  std::string content = Read(File());
  ASSERT_GT(content.size(), 4096u * 4);
  for (std::size_t at = 4096; at < content.size(); ++at) content[at] = '\x5a';
  std::ofstream(File(), std::ios::binary | std::ios::trunc) << content;
  auto sql = Open();
  ASSERT_TRUE(sql);
  const auto rows = (*sql)->Query("SELECT count(s) FROM t");
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("damaged"));
  sql = Error::Cancelled();
  EXPECT_EQ(Read(File()), content);
}

TEST_F(SqliteTest, SaysThatTheDirectoryIsMissing) {
  const auto opened = Sqlite::Open({.path = directory_ / "nowhere" / "test.db"});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kUnavailable);
  EXPECT_THAT(opened.error().message, HasSubstr("does not exist"));
}

TEST_F(SqliteTest, GivesUpOnALockThatIsHeldTooLong) {
  auto first = Open(), second = Open(std::chrono::milliseconds(50));
  ASSERT_TRUE(first && second);
  ASSERT_TRUE((*first)->Execute("CREATE TABLE t (n BIGINT)"));
  EXPECT_TRUE((*first)->InTransaction([&](Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("INSERT INTO t VALUES (1)"));
    const auto blocked = (*second)->Execute("INSERT INTO t VALUES (2)");
    EXPECT_FALSE(blocked);
    EXPECT_EQ(blocked.error().code, Code::kUnavailable);
    const auto also = (*second)->InTransaction([](Sql&) -> Result<void> { return {}; });
    EXPECT_EQ(also.error().code, Code::kUnavailable);
    // Readers are not held up.
    EXPECT_EQ((*second)->Query("SELECT count(*) FROM t").value()[0][0], Value(std::int64_t{0}));
    return {};
  }));
  EXPECT_TRUE((*second)->Execute("INSERT INTO t VALUES (2)"));
}

TEST_F(SqliteTest, IsCreatedOnceByManyAtOnce) {
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        auto sql = Open();
        if (!sql || !(*sql)->Execute("CREATE TABLE IF NOT EXISTS t (n BIGINT)") ||
            !(*sql)->Execute("INSERT INTO t VALUES (1)")) {
          ++failures;
        }
      });
    }
  }
  EXPECT_EQ(failures, 0);
  EXPECT_EQ((*Open())->Query("SELECT count(*) FROM t").value()[0][0], Value(std::int64_t{8}));
}

TEST_F(SqliteTest, RefusesParametersThatTheStatementDoesNotName) {
  auto sql = Open();
  ASSERT_TRUE(sql);
  EXPECT_FALSE((*sql)->Query("SELECT $1", {std::int64_t{1}, std::int64_t{2}}));
  EXPECT_FALSE((*sql)->Query("SELECT ?", {std::int64_t{1}}));
  EXPECT_FALSE((*sql)->Query("SELECT $a", {std::int64_t{1}}));
  EXPECT_FALSE((*sql)->Query(""));
  EXPECT_FALSE((*sql)->Query("-- nothing"));
}

TEST_F(SqliteTest, RollsBackOnAFullDiskAndGoesOn) {
  auto sql = Open();
  ASSERT_TRUE(sql);
  ASSERT_TRUE((*sql)->Execute("CREATE TABLE t (s TEXT)"));
  ASSERT_TRUE((*sql)->Query("PRAGMA max_page_count=4"));
  const auto done = (*sql)->InTransaction([](Sql& inner) -> Result<void> {
    RETURN_IF_ERROR(inner.Execute("INSERT INTO t VALUES ('small')"));
    RETURN_IF_ERROR(inner.Execute("INSERT INTO t VALUES ($1)", {std::string(100'000, 'x')}));
    return {};
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kUnavailable);
  EXPECT_THAT(done.error().message, HasSubstr("disk is full"));
  EXPECT_EQ((*sql)->Query("SELECT count(*) FROM t").value()[0][0], Value(std::int64_t{0}));
  EXPECT_TRUE((*sql)->Execute("INSERT INTO t VALUES ('small')"));
}

TEST_F(SqliteTest, EnforcesForeignKeys) {
  auto sql = Open();
  ASSERT_TRUE(sql);
  ASSERT_TRUE((*sql)->Execute("CREATE TABLE a (id BIGINT PRIMARY KEY)"));
  ASSERT_TRUE((*sql)->Execute("CREATE TABLE b (a BIGINT REFERENCES a (id))"));
  EXPECT_EQ((*sql)->Execute("INSERT INTO b VALUES (1)").error().code, Code::kConflict);
}

}  // namespace
}  // namespace toolpost::db
