// From the configuration to what the SQL Server tools work with.
#include <utility>

#include "base/crypto.h"
#include "base/strings.h"
#include "config/file.h"
#include "tools/mssql/mssql.h"
#include "tools/mssql/stub_adapter.h"

namespace toolpost::tools::mssql {
namespace {

Result<StubAdapter::Script> ScriptOf(const std::string& file) {
  if (file.empty()) return StubAdapter::Script();
  ASSIGN_OR_RETURN(const std::string text, config::ReadText(file, "file of mssql.stub_file"));
  Result<StubAdapter::Script> script = ParseStubScript(text);
  if (script) return script;
  return Error::InvalidParams(base::StrCat("mssql.stub_file: ", script.error().message));
}

}  // namespace

Result<MssqlServices> MakeServices(const config::Config& config,
                                   std::shared_ptr<store::Vault> vault, db::SqlServerFactory open,
                                   std::function<bool()> on_network) {
  const config::Config::Mssql& mssql = config.mssql;
  ConnectionsOptions options;
  options.vault = std::move(vault);
  options.open = std::move(open);
  options.configured = config.appsettings_connections;
  if (!mssql.connection_string.empty())
    options.configured[std::string(kDefaultConnection)] = mssql.connection_string;
  options.allow_hosts = mssql.allow_hosts;
  options.write_connections = mssql.write_connections;
  options.on_network = std::move(on_network);

  MssqlServices services;
  services.connections = std::make_shared<Connections>(std::move(options));
  ASSIGN_OR_RETURN(StubAdapter::Script script, ScriptOf(mssql.stub_file));
  services.stub = std::make_shared<StubAdapter>(std::move(script));
  services.cursor_key = base::RandomBytes(32);
  services.password_directory = config.state.dir + "/passwords";
  if (config.database.max_rows > 0) services.max_rows = config.database.max_rows;
  if (config.database.max_cell > 0) services.max_cell = config.database.max_cell;
  if (mssql.max_bytes > 0) services.max_bytes = mssql.max_bytes;
  if (mssql.timeout.count() > 0) services.timeout = mssql.timeout;
  if (config.limits.result_chars > 0) services.result_chars = config.limits.result_chars;
  return services;
}

std::vector<Tool> Tools(const MssqlServices& services) {
  std::vector<Tool> tools;
  for (auto* make :
       {MssqlQueryTool, InitializeTool, ListConnectionsTool, ExecuteQueryTool, GetTableMetadataTool,
        GetDatabaseObjectsMetadataTool, GetDatabaseObjectsByTypeTool, GetSqlServerAgentJobsTool,
        GetSqlServerAgentJobDetailsTool, GetSsisCatalogInfoTool, GetAzureDevOpsInfoTool})
    tools.push_back(make(services));
  if (!services.manages) return tools;
  for (auto* make :
       {AddConnectionTool, UpdateConnectionTool, RemoveConnectionTool, TestConnectionTool})
    tools.push_back(make(services));
  return tools;
}

}  // namespace toolpost::tools::mssql
