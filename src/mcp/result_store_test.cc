#include "mcp/result_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace toolpost::mcp {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class ResultStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "toolpost-results-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    state = pattern;
  }
  void TearDown() override {
    base::SetNowForTest({});
    fs::remove_all(state);
  }
  std::vector<fs::path> Files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(state)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }

  fs::path state;
  Principal ada{.id = "ada", .user = "ada", .authenticated = true};
  Principal eve{.id = "eve", .user = "eve", .authenticated = true};
};

TEST_F(ResultStoreTest, GivesBackWhatWasPut) {
  ResultStore store(state, 60s);
  const auto uri = store.Put(ada, "text/plain", "h\xC3\xA9llo\n");
  ASSERT_TRUE(uri) << uri.error().message;
  EXPECT_TRUE(uri->starts_with(ResultStore::kUriPrefix));
  const auto stored = store.Get(ada, *uri);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->mime_type, "text/plain");
  EXPECT_EQ(stored->text, "h\xC3\xA9llo\n");
  EXPECT_EQ(store.Get(ada, *store.Put(ada, "a/b", ""))->text, "");
}

TEST_F(ResultStoreTest, NothingOnDiskBeforeTheFirstPut) {
  ResultStore store(state / "deep" / "er", 60s);
  EXPECT_FALSE(store.Get(ada, "toolpost://results/00"));
  EXPECT_TRUE(fs::is_empty(state));
  EXPECT_TRUE(store.Put(ada, "a/b", "x"));
}

TEST_F(ResultStoreTest, UnknownForeignAndHostileUrisLookTheSame) {
  ResultStore store(state, 60s);
  const std::string uri = *store.Put(ada, "text/plain", "secret");
  const std::string foreign = store.Get(eve, uri).error().message;
  for (const std::string& bad :
       {std::string("toolpost://results/"), std::string("toolpost://results/../../etc/passwd"),
        std::string("file:///etc/passwd"), uri + "0", uri.substr(0, uri.size() - 1)}) {
    const auto stored = store.Get(ada, bad);
    ASSERT_FALSE(stored) << bad;
    EXPECT_EQ(stored.error().code, Code::kResourceNotFound);
    EXPECT_EQ(stored.error().message, foreign);
  }
}

TEST_F(ResultStoreTest, FilesAreReadableByTheOwnerOnly) {
  ResultStore store(state, 60s);
  ASSERT_TRUE(store.Put(ada, "text/plain", "secret"));
  ASSERT_EQ(Files().size(), 1u);
  struct stat file {};
  ASSERT_EQ(stat(Files()[0].c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600u);
  ASSERT_EQ(stat(Files()[0].parent_path().c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0700u);
}

TEST_F(ResultStoreTest, ExpiredResultsAreGoneFromDiskToo) {
  const auto start = base::WallTime(1'000'000s);
  base::SetNowForTest(start);
  ResultStore store(state, 60s);
  const std::string uri = *store.Put(ada, "text/plain", "x");
  base::SetNowForTest(start + 59s);
  EXPECT_TRUE(store.Get(ada, uri));
  base::SetNowForTest(start + 60s);
  EXPECT_FALSE(store.Get(ada, uri));
  EXPECT_TRUE(Files().empty());
}

TEST_F(ResultStoreTest, TheOldestGoFirst) {
  ResultStore store(state, 60s, 10);
  const std::string first = *store.Put(ada, "a/b", "12345");
  const std::string second = *store.Put(ada, "a/b", "12345");
  const std::string third = *store.Put(ada, "a/b", "1");
  EXPECT_FALSE(store.Get(ada, first));
  EXPECT_TRUE(store.Get(ada, second));
  EXPECT_TRUE(store.Get(ada, third));
  EXPECT_EQ(Files().size(), 2u);
}

TEST_F(ResultStoreTest, RefusesWhatNeverFits) {
  ResultStore store(state, 60s, 10);
  const auto uri = store.Put(ada, "a/b", "12345678901");
  ASSERT_FALSE(uri);
  EXPECT_EQ(uri.error().code, Code::kTooLarge);
}

TEST_F(ResultStoreTest, AnUnusableDirectoryIsAnErrorWithoutThePath) {
  std::ofstream(state / "file") << "x";
  ResultStore store(state / "file", 60s);
  const auto uri = store.Put(ada, "a/b", "x");
  ASSERT_FALSE(uri);
  EXPECT_EQ(uri.error().code, Code::kUnavailable);
  EXPECT_EQ(uri.error().message.find(state.string()), std::string::npos);
}

TEST_F(ResultStoreTest, WithoutADirectoryTheEnvironmentDecides) {
  const char* const old_home = std::getenv("HOME");
  const std::string home = old_home != nullptr ? old_home : "";
  setenv("XDG_STATE_HOME", state.c_str(), 1);
  {
    ResultStore store("", 60s);
    EXPECT_TRUE(store.Put(ada, "a/b", "x"));
    EXPECT_TRUE(fs::exists(state / "toolpost" / "results"));
  }
  unsetenv("XDG_STATE_HOME");
  unsetenv("HOME");
  ResultStore homeless("", 60s);
  const auto uri = homeless.Put(ada, "a/b", "x");
  if (old_home != nullptr) setenv("HOME", home.c_str(), 1);
  ASSERT_FALSE(uri);
  EXPECT_EQ(uri.error().code, Code::kUnavailable);
}

TEST_F(ResultStoreTest, TheDestructorCleansUpAndLeavesOthersAlone) {
  std::optional<ResultStore> one(std::in_place, state, 60s);
  ResultStore other(state, 60s);
  ASSERT_TRUE(one->Put(ada, "a/b", "x"));
  const std::string kept = *other.Put(ada, "a/b", "y");
  EXPECT_EQ(Files().size(), 2u);
  one.reset();
  EXPECT_EQ(Files().size(), 1u);
  EXPECT_TRUE(other.Get(ada, kept));
}

TEST_F(ResultStoreTest, RemovesWhatADeadProcessLeft) {
  fs::create_directories(state / "results" / "1-dead");
  std::ofstream(state / "results" / "1-dead" / "old") << "x";
  ResultStore store(state, 60s);
  ASSERT_TRUE(store.Put(ada, "a/b", "y"));
  EXPECT_FALSE(fs::exists(state / "results" / "1-dead"));
}

TEST_F(ResultStoreTest, ManyThreads) {
  ResultStore store(state, 60s, 2000);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 50; ++n) {
        const auto uri = store.Put(ada, "a/b", std::string(100, 'x'));
        ASSERT_TRUE(uri);
        (void)store.Get(ada, *uri);
      }
    });
  }
  threads.clear();
  EXPECT_LE(Files().size(), 20u);
}

}  // namespace
}  // namespace toolpost::mcp
