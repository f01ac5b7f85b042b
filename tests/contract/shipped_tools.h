// A server with every tool of the binary, for tests over all of them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "base/log.h"
#include "cli/built_in_tools.h"
#include "mcp/registry.h"
#include "toolpost/server.h"
#include "transport/server_impl.h"

namespace toolpost {

class ShippedTools : public ::testing::Test {
 protected:
  ShippedTools() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_tools_XXXXXX").string();
    config_.state.dir = mkdtemp(name.data());
    identity_ = *cli::Identity::Make(config_);
    Fill(server_);
  }
  ~ShippedTools() override {
    server_.Stop();
    identity_.reset();
    std::filesystem::remove_all(config_.state.dir);
  }
  void Fill(Server& server) {
    const Result<void> added = cli::AddBuiltInTools(server, config_, *identity_);
    EXPECT_TRUE(added) << added.error().message;
  }
  std::vector<std::shared_ptr<const mcp::RegisteredTool>> All() {
    return server_.impl().core.registry.All();
  }

  config::Config config_;
  std::unique_ptr<cli::Identity> identity_;
  Server server_;
};

}  // namespace toolpost
