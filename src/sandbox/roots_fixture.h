// What tests of roots share: a root with a neighbour.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "sandbox/roots.h"

namespace toolpost::sandbox {

class RootsFixture : public ::testing::Test {
 protected:
  RootsFixture() {
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_roots_XXXXXX").string();
    directory_ = mkdtemp(name.data());
    std::filesystem::create_directories(directory_ / "root");
    options_.roots = {(directory_ / "root").string()};
    options_.working_directory = directory_.string();
  }
  ~RootsFixture() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  const Roots& Opened() {
    if (!roots_) {
      auto opened = Roots::Open(options_);
      EXPECT_TRUE(opened) << opened.error().message;
      roots_ = *opened;
    }
    return *roots_;
  }
  Location At(std::string_view path, Access access = Access::kWrite) {
    auto location = Opened().Locate(path, access);
    EXPECT_TRUE(location) << location.error().message;
    return *std::move(location);
  }
  void Put(const std::string& path, std::string_view content = "x") {
    std::filesystem::create_directories((directory_ / path).parent_path());
    std::ofstream(directory_ / path, std::ios::binary) << content;
  }
  std::string Get(const std::string& path) {
    std::ifstream file(directory_ / path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path directory_;
  RootsOptions options_;
  std::shared_ptr<const Roots> roots_;
};

}  // namespace toolpost::sandbox
