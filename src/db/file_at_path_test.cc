#include "db/file_at_path.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace toolpost::db {
namespace {

class FileAtPathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "toolpost-file-at-path-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    path_ = directory_ / "folder" / "shop.db";
    std::filesystem::create_directory(directory_ / "folder");
    Write(path_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static void Write(const std::filesystem::path& path) { std::ofstream(path) << "data"; }

  std::filesystem::path directory_;
  std::filesystem::path path_;
};

TEST_F(FileAtPathTest, StaysWhileNothingHappensButWriting) {
  FileAtPath file(path_);
  EXPECT_TRUE(file.StillThere());
  std::ofstream(path_, std::ios::app) << "more";
  EXPECT_TRUE(file.StillThere());
  EXPECT_TRUE(file.StillThere());
}

TEST_F(FileAtPathTest, IsGoneWhenItWasRemoved) {
  FileAtPath file(path_);
  EXPECT_TRUE(file.StillThere());
  std::filesystem::remove(path_);
  EXPECT_FALSE(file.StillThere());
  Write(path_);
  EXPECT_FALSE(file.StillThere());
}

TEST_F(FileAtPathTest, IsGoneWhenAnotherWasMovedOverIt) {
  FileAtPath file(path_);
  EXPECT_TRUE(file.StillThere());
  Write(directory_ / "new.db");
  std::filesystem::rename(directory_ / "new.db", path_);
  EXPECT_FALSE(file.StillThere());
}

TEST_F(FileAtPathTest, IsGoneWhenItWasMovedAwayAndAnotherPutThere) {
  FileAtPath file(path_);
  EXPECT_TRUE(file.StillThere());
  std::filesystem::rename(path_, directory_ / "old.db");
  Write(path_);
  EXPECT_FALSE(file.StillThere());
}

TEST_F(FileAtPathTest, IsGoneSoonWhenItsFolderWasExchanged) {
  FileAtPath file(path_);
  EXPECT_TRUE(file.StillThere());
  std::filesystem::rename(directory_ / "folder", directory_ / "old folder");
  std::filesystem::create_directory(directory_ / "folder");
  Write(path_);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (file.StillThere()) ASSERT_LT(std::chrono::steady_clock::now(), patience);
}

TEST_F(FileAtPathTest, WhatNeverWasThereIsNotThere) {
  FileAtPath file(directory_ / "nothing.db");
  EXPECT_FALSE(file.StillThere());
}

}  // namespace
}  // namespace toolpost::db
