// The SQL Server tools of the controller document, and mssql-query (docs/sql-server.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "db/sql_server.h"
#include "store/vault.h"
#include "toolpost/tool.h"
#include "tools/mssql/adapter.h"
#include "tools/mssql/connections.h"

namespace toolpost::tools::mssql {

struct MssqlServices {
  std::shared_ptr<Connections> connections;
  std::shared_ptr<MssqlAdapter> stub;
  std::string cursor_key;  // signs cursors; random, so that they end with the process
  std::size_t max_rows = 10'000;
  std::size_t max_cell = std::size_t{8} << 10;
  std::size_t max_bytes = std::size_t{1} << 20;  // of one reply
  std::size_t result_chars = 40'000;             // of a reply that asks for no size
  std::chrono::milliseconds timeout{30'000};
  std::string password_directory;  // where passwordFile is looked for; 0700
  bool manages = true;             // whether the tools that change connections are offered
};

// `open` makes servers from logins; `on_network` says whether other machines can call. Opens
// nothing. Code::kInvalidArgument names the setting that is wrong.
Result<MssqlServices> MakeServices(const config::Config& config,
                                   std::shared_ptr<store::Vault> vault, db::SqlServerFactory open,
                                   std::function<bool()> on_network);

Tool MssqlQueryTool(MssqlServices services);
Tool InitializeTool(MssqlServices services);
Tool ListConnectionsTool(MssqlServices services);
Tool AddConnectionTool(MssqlServices services);
Tool UpdateConnectionTool(MssqlServices services);
Tool RemoveConnectionTool(MssqlServices services);
Tool TestConnectionTool(MssqlServices services);
Tool ExecuteQueryTool(MssqlServices services);
Tool GetTableMetadataTool(MssqlServices services);
Tool GetDatabaseObjectsMetadataTool(MssqlServices services);
Tool GetDatabaseObjectsByTypeTool(MssqlServices services);
Tool GetSqlServerAgentJobsTool(MssqlServices services);
Tool GetSqlServerAgentJobDetailsTool(MssqlServices services);
Tool GetSsisCatalogInfoTool(MssqlServices services);
Tool GetAzureDevOpsInfoTool(MssqlServices services);

// All of them; without those that change connections unless `services.manages`.
std::vector<Tool> Tools(const MssqlServices& services);

}  // namespace toolpost::tools::mssql
