#include "store/store.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "store/api_keys.h"
#include "store/migrations.h"
#include "store/store_fixture.h"

namespace toolpost::store {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

INSTANTIATE_TEST_SUITE_P(Engines, StoreTest, BothEngines(), EngineName);

Result<void> Nothing(db::Sql&) { return {}; }

Result<std::int64_t> Count(Store& store, const std::string& table) {
  return Read<std::int64_t>(store, [&](db::Sql& sql) -> Result<std::int64_t> {
    ASSIGN_OR_RETURN(const auto rows, sql.Query("SELECT count(*) FROM " + table));
    return db::IntegerOr(rows[0][0], -1);
  });
}

TEST_P(StoreTest, TouchesNothingUntilItIsUsed) {
  EXPECT_EQ(store_->Exists(), IsPostgres());
  EXPECT_EQ(store_->options().directory, options_.directory);
  if (!IsPostgres()) {
    EXPECT_EQ(*store_->KeyEpoch(), 0);
    EXPECT_TRUE(ApiKeys(*store_).All()->empty());
    EXPECT_FALSE(ApiKeys(*store_).Find("x")->has_value());
    EXPECT_FALSE(*ApiKeys(*store_).Revoke("x", {}));
    EXPECT_FALSE(*ApiKeys(*store_).Delete("x"));
    EXPECT_FALSE(fs::exists(options_.directory));
  }
  EXPECT_TRUE(store_->With(Nothing));
  EXPECT_TRUE(store_->Exists());
  EXPECT_EQ(*store_->KeyEpoch(), 1);
}

TEST_P(StoreTest, HasAllTablesAfterTheFirstUse) {
  for (const char* table : {"api_keys", "usage", "secrets", "vault_state"}) {
    const auto rows = Count(*store_, std::string("toolpost_") + table);
    ASSERT_TRUE(rows) << table << ": " << rows.error().message;
    EXPECT_EQ(*rows, 0);
  }
}

TEST_P(StoreTest, KeepsWhatWasWrittenForTheNextProcess) {
  ASSERT_TRUE(ApiKeys(*store_).Add({.id = "k1"}));
  store_.reset();
  EXPECT_TRUE(ApiKeys(*OpenAnother()).Find("k1")->has_value());
}

TEST_P(StoreTest, ReportsTheErrorOfTheWorkAndLendsTheConnectionAgain) {
  for (int i = 0; i < 20; ++i) {
    const auto done = store_->With([](db::Sql&) -> Result<void> { return Error::NotFound("no"); });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "no");
    EXPECT_THROW((void)store_->With([](db::Sql&) -> Result<void> { throw 1; }), int);
  }
  EXPECT_TRUE(store_->With(Nothing));
}

TEST_P(StoreTest, MigratesOnceWhenEightStartTogether) {
  std::vector<std::unique_ptr<Store>> stores;
  for (int i = 0; i < 8; ++i) stores.push_back(OpenAnother());
  {
    std::vector<std::jthread> threads;
    for (auto& store : stores) {
      threads.emplace_back([&] {
        const auto opened = store->With(Nothing);
        EXPECT_TRUE(opened) << opened.error().message;
      });
    }
  }
  EXPECT_EQ(*Count(*store_, "toolpost_schema"), 1);
  EXPECT_EQ(*store_->KeyEpoch(), 1);
}

TEST_P(StoreTest, ServesManyThreadsWithFewConnections) {
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 12; ++i) {
      threads.emplace_back([&, i] {
        ApiKeys keys(*store_);
        for (int round = 0; round < 5; ++round) {
          const std::string id = std::to_string(i) + "-" + std::to_string(round);
          if (!keys.Add({.id = id})) ++failures;
          const auto found = keys.Find(id);
          if (!found || !*found) ++failures;
        }
      });
    }
  }
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(ApiKeys(*store_).All()->size(), 60u);
  EXPECT_EQ(*store_->KeyEpoch(), 61);
}

TEST_P(StoreTest, RefusesTablesOfANewerToolpostAndLeavesThemAlone) {
  ASSERT_TRUE(store_->With([](db::Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("UPDATE toolpost_schema SET version = $1", {LatestVersion() + 1}));
    return {};
  }));
  auto older = OpenAnother();
  const auto opened = older->With(Nothing);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kConflict);
  EXPECT_THAT(opened.error().message, HasSubstr("newer toolpost"));
  EXPECT_THAT(opened.error().message, HasSubstr(std::to_string(LatestVersion() + 1)));
  EXPECT_FALSE(ApiKeys(*older).All());
  EXPECT_EQ(*Count(*store_, "toolpost_schema"), 1);
}

TEST_P(StoreTest, RefusesTablesWhoseVersionIsLost) {
  ASSERT_TRUE(store_->With([](db::Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("DELETE FROM toolpost_schema"));
    return {};
  }));
  const auto opened = OpenAnother()->With(Nothing);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("does not name a version"));
}

TEST_P(StoreTest, LeavesNothingBehindWhenAMigrationFails) {
  // A table of the same name is in the way.
  ASSERT_TRUE(store_->With([](db::Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(sql.Execute("DROP TABLE toolpost_schema"));
    RETURN_IF_ERROR(sql.Execute("DROP TABLE toolpost_counters"));
    return {};
  }));
  EXPECT_FALSE(OpenAnother()->With(Nothing));
  EXPECT_FALSE(Count(*store_, "toolpost_schema"));
  EXPECT_FALSE(Count(*store_, "toolpost_counters"));
}

TEST_P(StoreTest, ShowsTheKeyEpochToOtherStores) {
  auto other = OpenAnother();
  EXPECT_TRUE(store_->With(Nothing));
  const std::int64_t before = *other->KeyEpoch();
  ApiKeys keys(*store_);
  ASSERT_TRUE(keys.Add({.id = "k"}));
  EXPECT_EQ(*other->KeyEpoch(), before + 1);
  EXPECT_FALSE(keys.Add({.id = "k"}));
  EXPECT_FALSE(*keys.Revoke("unknown", {}));
  EXPECT_FALSE(*keys.Delete("unknown"));
  EXPECT_EQ(*other->KeyEpoch(), before + 1);
  ASSERT_TRUE(*keys.Revoke("k", base::Now()));
  EXPECT_EQ(*other->KeyEpoch(), before + 2);
  ASSERT_TRUE(*keys.Delete("k"));
  EXPECT_EQ(*other->KeyEpoch(), before + 3);
}

TEST(StoreChild, DISABLED_AddsKeys) {
  Store store(ChildStoreOptions());
  ApiKeys keys(store);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(keys.Add({.id = std::to_string(getpid()) + "-" + std::to_string(i)}));
  }
}

TEST_P(StoreTest, LosesNothingWhenProcessesWriteAtOnce) {
  {
    ChildProcess first("StoreChild.DISABLED_AddsKeys", options_);
    ChildProcess second("StoreChild.DISABLED_AddsKeys", options_);
    ApiKeys keys(*store_);
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(keys.Add({.id = "own-" + std::to_string(i)}));
    EXPECT_TRUE(first.Succeeded());
    EXPECT_TRUE(second.Succeeded());
  }
  EXPECT_EQ(ApiKeys(*store_).All()->size(), 150u);
  EXPECT_EQ(*store_->KeyEpoch(), 151);
}

TEST(StoreChild, DISABLED_Serves) {
  Store store(ChildStoreOptions());
  ChildReports(store.LockForServing() ? "locked" : "refused");
  ChildWaitsToBeKilled();
}

TEST_P(StoreTest, D20_RefusesASecondServeOnTheSameDirectoryUntilTheFirstIsGone) {
  ChildProcess first("StoreChild.DISABLED_Serves", options_);
  ASSERT_EQ(first.NextReport(), "locked");
  const auto second = store_->LockForServing();
  if (IsPostgres()) {
    EXPECT_TRUE(second);
    return;
  }
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
  EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(first.pid())));
  // stdio and the command line work beside it.
  EXPECT_TRUE(store_->With(Nothing));
  first.Kill();
  EXPECT_TRUE(store_->LockForServing());
  EXPECT_TRUE(store_->LockForServing());
  EXPECT_FALSE(OpenAnother()->LockForServing());
  store_.reset();
  EXPECT_TRUE(OpenAnother()->LockForServing());
}

TEST(StoreChild, DISABLED_DiesInATransaction) {
  Store store(ChildStoreOptions());
  (void)store.With([](db::Sql& borrowed) {
    return borrowed.InTransaction([](db::Sql& sql) -> Result<void> {
      RETURN_IF_ERROR(sql.Execute("UPDATE toolpost_counters SET value = value + 1000"));
      ChildReports("changed");
      ChildWaitsToBeKilled();
    });
  });
}

TEST_P(StoreTest, UndoesTheTransactionOfAProcessThatWasKilled) {
  ASSERT_TRUE(ApiKeys(*store_).Add({.id = "k"}));
  ChildProcess child("StoreChild.DISABLED_DiesInATransaction", options_);
  ASSERT_EQ(child.NextReport(), "changed");
  child.Kill();
  ASSERT_TRUE(ApiKeys(*store_).Add({.id = "l"}));
  EXPECT_EQ(*store_->KeyEpoch(), 3);
}

class SqliteStore : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "toolpost-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }
  static mode_t Mode(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(lstat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  fs::path directory_;
};

TEST_F(SqliteStore, CreatesItsDirectoriesForItsOwnerOnly) {
  const mode_t old = umask(0);
  Store store({.directory = directory_ / "a/b"});
  EXPECT_TRUE(store.With(Nothing));
  EXPECT_TRUE(store.LockForServing());
  umask(old);
  EXPECT_EQ(Mode(directory_ / "a"), 0700u);
  EXPECT_EQ(Mode(directory_ / "a/b"), 0700u);
  for (const char* name : {"toolpost.db", "toolpost.db-wal", "toolpost.db-shm", "serve.lock"}) {
    EXPECT_EQ(Mode(directory_ / "a/b" / name), 0600u) << name;
  }
}

TEST_F(SqliteStore, ServingOnlyTakesTheLock) {
  Store store({.directory = directory_ / "a/"});
  EXPECT_TRUE(store.LockForServing());
  EXPECT_FALSE(store.Exists());
}

TEST_F(SqliteStore, LeavesADamagedFileAsItIs) {
  std::ofstream(directory_ / "toolpost.db") << std::string(5000, '#');
  Store store({.directory = directory_});
  const auto used = store.With(Nothing);
  ASSERT_FALSE(used);
  EXPECT_THAT(used.error().message, HasSubstr("toolpost.db is damaged"));
  EXPECT_FALSE(store.KeyEpoch());
  std::ifstream in(directory_ / "toolpost.db");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), std::string(5000, '#'));
}

TEST_F(SqliteStore, TriesAgainAfterAFailure) {
  std::ofstream(directory_ / "state") << "in the way";
  Store store({.directory = directory_ / "state"});
  EXPECT_EQ(store.problem(), "") << "nobody has tried";
  for (int i = 0; i < 10; ++i) EXPECT_EQ(store.With(Nothing).error().code, Code::kUnavailable);
  EXPECT_NE(store.problem(), "");
  fs::remove(directory_ / "state");
  EXPECT_TRUE(store.With(Nothing));
  EXPECT_EQ(store.problem(), "");
}

// Root may write everywhere, so the test gives that up.
TEST(StoreChild, DISABLED_OpensWithoutPrivileges) {
  ASSERT_TRUE(geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0));
  Store store(ChildStoreOptions());
  const auto used = store.With(Nothing);
  const auto locked = store.LockForServing();
  ASSERT_FALSE(used);
  ASSERT_FALSE(locked);
  EXPECT_EQ(used.error().code, Code::kUnavailable);
  EXPECT_EQ(locked.error().code, Code::kUnavailable);
  ChildReports(used.error().message);
}

TEST_F(SqliteStore, SaysThatItsDirectoryCannotBeWritten) {
  fs::create_directory(directory_ / "state");
  ASSERT_EQ(chmod((directory_ / "state").c_str(), 0555), 0);
  ASSERT_EQ(chmod(directory_.c_str(), 0555), 0);
  for (const auto& [name, message] : {std::pair("state", "toolpost.db cannot be written"),
                                      std::pair("other", "cannot be created")}) {
    ChildProcess child("StoreChild.DISABLED_OpensWithoutPrivileges",
                       {.directory = directory_ / name});
    const std::string report = child.NextReport();
    EXPECT_THAT(report, HasSubstr(message));
    EXPECT_THAT(report, Not(HasSubstr(directory_.string())));
    EXPECT_TRUE(child.Succeeded());
  }
  ASSERT_EQ(chmod(directory_.c_str(), 0755), 0);
  ASSERT_EQ(chmod((directory_ / "state").c_str(), 0755), 0);
}

TEST_F(SqliteStore, NeedsADirectory) {
  Store store({});
  EXPECT_EQ(store.With(Nothing).error().code, Code::kUnavailable);
  EXPECT_EQ(store.LockForServing().error().code, Code::kUnavailable);
}

TEST_F(SqliteStore, RefusesALockFileThatIsASymbolicLink) {
  std::ofstream(directory_ / "victim") << "precious";
  fs::create_symlink(directory_ / "victim", directory_ / "serve.lock");
  Store store({.directory = directory_});
  EXPECT_EQ(store.LockForServing().error().code, Code::kPermissionDenied);
  EXPECT_EQ(fs::file_size(directory_ / "victim"), 8u);
}

TEST_F(SqliteStore, NamesTheProcessThatServesAlready) {
  std::ofstream(directory_ / "serve.lock") << "12345678901234567890\n";  // longer than any
  fs::permissions(directory_ / "serve.lock", fs::perms::owner_read | fs::perms::owner_write);
  Store first({.directory = directory_});
  ASSERT_TRUE(first.LockForServing());
  const auto second = Store({.directory = directory_}).LockForServing();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
  EXPECT_NE(second.error().message.find(base::StrCat("process ", getpid(), " is serving")),
            std::string::npos)
      << second.error().message;
}

TEST_F(SqliteStore, LendsConnectionsToNestedWork) {
  Store store({.directory = directory_});
  std::function<Result<void>(int)> nest = [&](int depth) -> Result<void> {
    if (depth == 0) return {};
    return store.With([&](db::Sql&) { return nest(depth - 1); });
  };
  EXPECT_TRUE(nest(4));
}

TEST(PostgresStore, RefusesAUrlThatIsNone) {
  Store store({.url = "mysql://root:planted-secret@x/y"});
  const auto used = store.With(Nothing);
  ASSERT_FALSE(used);
  EXPECT_EQ(used.error().code, Code::kInvalidArgument);
  EXPECT_THAT(used.error().message, Not(HasSubstr("planted-secret")));
}

}  // namespace
}  // namespace toolpost::store
