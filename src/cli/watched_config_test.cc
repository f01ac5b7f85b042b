// No edit falls between loading and watching.
#include "cli/watched_config.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>

#include "base/crypto.h"

namespace toolpost::cli {
namespace {

class WatchedConfigTest : public ::testing::Test {
 protected:
  WatchedConfigTest()
      : directory_(std::filesystem::path(::testing::TempDir()) / ("watched-" + base::RandomHex(8))),
        file_((directory_ / "toolpost.toml").string()) {
    std::filesystem::create_directories(directory_);
    Write("http.port = 4001\n");
  }
  ~WatchedConfigTest() override { std::filesystem::remove_all(directory_); }

  void Write(std::string_view text) const {
    std::ofstream(directory_ / "new", std::ios::binary) << text;
    std::filesystem::rename(directory_ / "new", file_);
  }
  Result<config::Config> Load() const {
    config::Sources sources;
    sources.config_file = file_;
    return config::Load(sources);
  }
  void Changed() {
    const std::lock_guard lock(mutex_);
    changed_ = true;
    condition_.notify_all();
  }
  bool WaitForChange() {
    std::unique_lock lock(mutex_);
    return condition_.wait_for(lock, std::chrono::seconds(30), [&] { return changed_; });
  }

  std::filesystem::path directory_;
  std::string file_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool changed_ = false;
};

TEST_F(WatchedConfigTest, AnEditDuringTheLoadIsNoticed) {
  const auto load_then_edit = [&] {
    auto loaded = Load();
    Write("http.port = 4002\n");
    return loaded;
  };
  const auto watched = LoadWatched(file_, load_then_edit, [&] { Changed(); });
  ASSERT_TRUE(watched.has_value());
  EXPECT_EQ(watched->config.http.port, 4001u);
  ASSERT_TRUE(WaitForChange());
  EXPECT_EQ(Load()->http.port, 4002u);
}

TEST_F(WatchedConfigTest, AnEditAfterTheLoadIsNoticed) {
  const auto watched = LoadWatched(
      file_, [&] { return Load(); }, [&] { Changed(); });
  ASSERT_TRUE(watched.has_value());
  Write("http.port = 4003\n");
  EXPECT_TRUE(WaitForChange());
}

TEST_F(WatchedConfigTest, AFileThatCannotBeWatchedIsAWarning) {
  const std::string nowhere = (directory_ / "none" / "toolpost.toml").string();
  const auto watched = LoadWatched(
      nowhere, [&] { return Load(); }, [] {});
  ASSERT_TRUE(watched.has_value());
  EXPECT_EQ(watched->watch, nullptr);
  ASSERT_EQ(watched->config.warnings.size(), 1u);
  EXPECT_NE(watched->config.warnings.front().find("SIGHUP"), std::string::npos);
}

TEST_F(WatchedConfigTest, WithoutAFileNothingIsWatchedAndAFailedLoadFails) {
  const auto none = LoadWatched(
      "", [&] { return Load(); }, [] {});
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->watch, nullptr);
  EXPECT_TRUE(none->config.warnings.empty());
  Write("http.port = \"x\"\n");
  EXPECT_FALSE(LoadWatched(
                   file_, [&] { return Load(); }, [] {})
                   .has_value());
}

}  // namespace
}  // namespace toolpost::cli
