// What tests of the file tools share: a root with a neighbour it must never reach.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "mcp/registry_fixture.h"
#include "tools/file/file.h"

namespace toolpost::tools::file {

class FileFixture : public mcp::RegistryFixture {
 protected:
  FileFixture() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_file_XXXXXX").string();
    directory_ = mkdtemp(name.data());
    std::filesystem::create_directories(directory_ / "root");
    std::filesystem::create_directories(directory_ / "outside");
    std::filesystem::create_directories(directory_ / "root_twin");
    Put(Outside("secret"), "SECRET");
    Put(directory_ / "root_twin" / "secret", "SECRET");
    options_.roots.roots = {Root("").string()};
    options_.roots.working_directory = directory_.string();
    options_.state_directory = (directory_ / "state").string();
    options_.roots.hidden = {options_.state_directory};
  }
  ~FileFixture() override {
    std::error_code ignored;
    std::filesystem::permissions(directory_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(directory_, ignored);
  }

  // Registers the tools; called by the first Call if a test did not.
  void Start() {
    auto made = MakeServices(options_);
    ASSERT_TRUE(made) << made.error().message;
    services_ = *std::move(made);
    for (Tool& tool : Tools(services_)) {
      const auto added = registry.Add(std::move(tool));
      ASSERT_TRUE(added) << added.error().message;
    }
    started_ = true;
  }

  std::filesystem::path Root(std::string_view relative) const {
    return relative.empty() ? directory_ / "root" : directory_ / "root" / relative;
  }
  std::filesystem::path Outside(std::string_view relative) const {
    return directory_ / "outside" / relative;
  }
  static void Put(const std::filesystem::path& path, std::string_view content) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    ASSERT_TRUE(file.good()) << path;
  }
  static std::string Get(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // The structured result of a call that must succeed.
  Json Good(std::string_view tool, JsonObject arguments) {
    const auto outcome = Run(tool, std::move(arguments));
    EXPECT_FALSE(outcome.error) << tool << ": " << TextOf(outcome);
    return outcome.output.structured;
  }
  // The message of a call that must fail.
  std::string Bad(std::string_view tool, JsonObject arguments) {
    const auto outcome = Run(tool, std::move(arguments));
    EXPECT_TRUE(outcome.error) << tool << " did not fail";
    return TextOf(outcome);
  }
  mcp::CallOutcome Run(std::string_view tool, JsonObject arguments) {
    if (!started_) Start();
    context = std::make_shared<mcp::TestContext>();
    context->who = who_;
    return CallWithContext(tool, std::move(arguments));
  }
  static std::string Text(const Json& value) { return std::string(value.as_string()); }

  std::filesystem::path directory_;
  FileOptions options_;
  FileServices services_;
  Principal who_;
  bool started_ = false;
};

}  // namespace toolpost::tools::file
