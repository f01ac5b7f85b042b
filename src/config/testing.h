// A directory and the sources of a configuration, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/crypto.h"
#include "config/config.h"

namespace toolpost::config {

class LoadTest : public ::testing::Test {
 protected:
  LoadTest()
      : directory_(std::filesystem::path(::testing::TempDir()) / ("load-" + base::RandomHex(8))) {
    std::filesystem::create_directories(directory_);
    sources_.working_directory = directory_.string();
    sources_.environment = {{"HOME", (directory_ / "home").string()}};
  }
  ~LoadTest() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path Write(const std::string& name, std::string_view text) const {
    std::filesystem::path path = directory_ / name;
    std::ofstream(path, std::ios::binary) << text;
    std::filesystem::permissions(path, std::filesystem::perms(0600));
    return path;
  }
  // The settings of a file of this name and text.
  Config Loaded(const std::string& name, std::string_view text) {
    sources_.config_file = Write(name, text).string();
    return Loaded();
  }
  Config Loaded() const {
    auto config = Load(sources_);
    EXPECT_TRUE(config.has_value()) << (config ? "" : config.error().message);
    return config ? *std::move(config) : Config{};
  }
  std::string LoadError(const std::string& name, std::string_view text) {
    sources_.config_file = Write(name, text).string();
    return LoadError();
  }
  std::string LoadError() const {
    const auto config = Load(sources_);
    EXPECT_FALSE(config.has_value());
    return config ? "" : config.error().message;
  }

  const std::filesystem::path directory_;
  Sources sources_;
};

}  // namespace toolpost::config
