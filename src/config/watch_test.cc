// Tests of file watching.
#include "config/watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/crypto.h"

namespace toolpost::config {
namespace {

using std::chrono::milliseconds;

class WatchTest : public ::testing::Test {
 protected:
  WatchTest()
      : directory_(std::filesystem::path(::testing::TempDir()) / ("watch-" + base::RandomHex(8))),
        file_(directory_ / "toolpost.toml") {
    std::filesystem::create_directories(directory_);
    Write(file_, "one");
  }
  ~WatchTest() override {
    watch_.reset();
    std::filesystem::remove_all(directory_);
  }

  static void Write(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  void Replace(std::string_view text) {
    Write(directory_ / "new", text);
    std::filesystem::rename(directory_ / "new", file_);
  }
  std::string Content() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void Start(milliseconds quiet = milliseconds(5)) {
    auto started = FileWatch::Start(
        file_.string(),
        [this] {
          const std::lock_guard lock(mutex_);
          seen_.push_back(Content());
          changed_.notify_all();
        },
        quiet);
    ASSERT_TRUE(started.has_value());
    watch_ = *std::move(started);
  }
  // Waits until a callback saw the text.
  bool Sees(std::string_view text) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30),
                             [&] { return !seen_.empty() && seen_.back() == text; });
  }
  std::size_t calls() {
    const std::lock_guard lock(mutex_);
    return seen_.size();
  }

  std::filesystem::path directory_;
  std::filesystem::path file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> seen_;
  std::unique_ptr<FileWatch> watch_;
};

TEST_F(WatchTest, TellsOfWritesInPlace) {
  Start();
  Write(file_, "two!");
  EXPECT_TRUE(Sees("two!"));
  Write(file_, "three!");
  EXPECT_TRUE(Sees("three!"));
}

TEST_F(WatchTest, TellsOfReplacementByRename) {
  Start();
  Replace("two");
  EXPECT_TRUE(Sees("two"));
  Replace("six");
  EXPECT_TRUE(Sees("six"));
}

TEST_F(WatchTest, TellsOfALinkThatPointsElsewhere) {
  std::filesystem::create_directories(directory_ / "v1");
  std::filesystem::create_directories(directory_ / "v2");
  Write(directory_ / "v1/toolpost.toml", "one");
  Write(directory_ / "v2/toolpost.toml", "two");
  std::filesystem::create_directory_symlink("v1", directory_ / "data");
  std::filesystem::remove(file_);
  std::filesystem::create_symlink("data/toolpost.toml", file_);
  Start();
  std::filesystem::create_directory_symlink("v2", directory_ / "data.new");
  std::filesystem::rename(directory_ / "data.new", directory_ / "data");
  EXPECT_TRUE(Sees("two"));
}

TEST_F(WatchTest, DeletionIsSilentAndCreationIsNot) {
  Start();
  std::filesystem::remove(file_);
  Write(directory_ / "other", "x");
  Write(file_, "back");
  EXPECT_TRUE(Sees("back"));
  watch_.reset();
  for (const std::string& text : seen_) EXPECT_NE(text, "");
}

TEST_F(WatchTest, OtherFilesAreIgnored) {
  Start();
  for (int i = 0; i < 20; ++i) Write(directory_ / ("other" + std::to_string(i)), "x");
  Replace("two");
  EXPECT_TRUE(Sees("two"));
  watch_.reset();
  for (const std::string& text : seen_) EXPECT_EQ(text, "two");
}

TEST_F(WatchTest, ABurstOfChangesIsNotToldOneByOne) {
  Start(milliseconds(400));
  for (int i = 0; i < 50; ++i) Replace("v" + std::to_string(i));
  EXPECT_TRUE(Sees("v49"));
  EXPECT_LT(calls(), 50u);
}

TEST_F(WatchTest, ChangesThatDoNotStopAreToldAnyway) {
  Start(milliseconds(20));
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; !done; ++i) Replace("v" + std::to_string(i));
  });
  {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30), [&] { return !seen_.empty(); }));
  }
  done = true;
  writer.join();
}

TEST_F(WatchTest, ManyWatchesAndWritersEndCleanly) {
  std::atomic<int> called = 0;
  std::atomic<bool> done = false;
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([&, w] {
      const auto mine = directory_ / ("new" + std::to_string(w));
      for (int i = 0; !done; ++i) {
        Write(mine, std::to_string(i));
        std::filesystem::rename(mine, file_);
      }
    });
  }
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<FileWatch>> watches;
    for (int i = 0; i < 4; ++i) {
      auto started = FileWatch::Start(
          file_.string(), [&] { ++called; }, milliseconds(1));
      ASSERT_TRUE(started.has_value());
      watches.push_back(*std::move(started));
    }
  }
  done = true;
  for (auto& writer : writers) writer.join();
  const int after = called;
  Replace("last");
  EXPECT_EQ(called, after);
}

TEST_F(WatchTest, ThrowingCallbackDoesNotEndTheWatch) {
  int calls = 0;
  auto started = FileWatch::Start(
      file_.string(),
      [&] {
        const std::lock_guard lock(mutex_);
        seen_.push_back(Content());
        changed_.notify_all();
        if (++calls == 1) throw std::runtime_error("bad file");
      },
      milliseconds(5));
  ASSERT_TRUE(started.has_value());
  watch_ = *std::move(started);
  Replace("two");
  ASSERT_TRUE(Sees("two"));
  Replace("three");
  EXPECT_TRUE(Sees("three"));
}

TEST_F(WatchTest, MissingDirectoryIsAnError) {
  const auto started = FileWatch::Start((directory_ / "none/toolpost.toml").string(), [] {});
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace toolpost::config
