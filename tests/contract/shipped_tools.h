// A server with every tool of the binary, for tests over all of them.
#pragma once

#include <gtest/gtest.h>

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
    const Result<void> added = cli::AddBuiltInTools(server_);
    EXPECT_TRUE(added) << added.error().message;
  }
  std::vector<std::shared_ptr<const mcp::RegisteredTool>> All() {
    return server_.impl().core.registry.All();
  }

  Server server_;
};

}  // namespace toolpost
