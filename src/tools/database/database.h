// The tools that read databases. None of them can change one: see docs/databases.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "mcp/catalog.h"
#include "toolpost/server.h"
#include "toolpost/tool.h"
#include "tools/database/connections.h"
#include "tools/database/result_links.h"

namespace toolpost::tools::database {

struct DatabaseServices {
  std::shared_ptr<Connections> connections;
  std::shared_ptr<ResultLinks> links;
  std::string state_directory;  // for results that are too long for memory
  std::string cursor_key;       // signs cursors; random, so that they end with the process
  std::size_t max_rows = 10'000;
  std::size_t max_cell = std::size_t{8} << 10;
  std::size_t max_export = std::size_t{64} << 20;
  std::size_t result_chars = 40'000;
  std::chrono::milliseconds timeout{30'000};
  std::chrono::seconds long_query{300};  // what database/health calls long
  std::chrono::seconds long_lag{60};     // the same of a standby
};

// `on_network` says whether other machines can call; called for each use, must be thread-safe.
Result<DatabaseServices> MakeServices(const config::Config& config,
                                      std::function<bool()> on_network);

Tool QueryTool(DatabaseServices services);
Tool TablesTool(DatabaseServices services);
Tool SchemaTool(DatabaseServices services);
Tool ExplainTool(DatabaseServices services);
Tool HealthTool(DatabaseServices services);
Tool TopQueriesTool(DatabaseServices services);

// All of them.
std::vector<Tool> Tools(const DatabaseServices& services);

// The canonical id of a tool of the configuration, `name` as it stands there.
std::string DeclaredToolName(const std::string& name);
// Whether the statement takes the parameters that are declared, and no others, in the dialect of
// its connection. Code::kInvalidArgument names the one that is wrong.
Result<void> CheckDeclaredTool(const config::Config& config,
                               const config::Config::DeclaredTool& declared);
Tool DeclaredTool(DatabaseServices services, const std::string& name,
                  const config::Config::DeclaredTool& declared);

// The part of a server that offers resources.
struct DatabaseHost {
  std::function<Result<void>(ResourceInfo, ResourceReader, Completer)> add_template;
  std::function<Result<void>(ResourceInfo, mcp::LongReader)> add_long_template;
};
// `database://results/{id}`: whole results of the caller's own queries as CSV.
// `database://{connection}/{schema}/{table}`: tables, with completion.
Result<void> AddResources(const DatabaseHost& host, const DatabaseServices& services);

}  // namespace toolpost::tools::database
