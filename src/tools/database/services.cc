// From the configuration to what the database tools work with.
#include <utility>

#include "base/crypto.h"
#include "tools/database/database.h"

namespace toolpost::tools::database {

Result<DatabaseServices> MakeServices(const config::Config& config,
                                      std::function<bool()> on_network) {
  DatabaseServices services;
  ASSIGN_OR_RETURN(services.connections, Connections::Make(config, std::move(on_network)));
  std::chrono::seconds keep = std::chrono::ceil<std::chrono::seconds>(config.limits.result_keep);
  if (keep.count() == 0) keep = std::chrono::minutes(15);
  services.links = std::make_shared<ResultLinks>(keep);
  services.state_directory = config.state.dir;
  services.cursor_key = base::RandomBytes(32);
  const config::Config::Database& database = config.database;
  if (database.max_rows > 0) services.max_rows = database.max_rows;
  if (database.max_cell > 0) services.max_cell = database.max_cell;
  if (database.max_export > 0) services.max_export = database.max_export;
  if (database.timeout.count() > 0) services.timeout = database.timeout;
  if (config.limits.result_chars > 0) services.result_chars = config.limits.result_chars;
  return services;
}

std::vector<Tool> Tools(const DatabaseServices& services) {
  return {QueryTool(services),   TablesTool(services), SchemaTool(services),
          ExplainTool(services), HealthTool(services), TopQueriesTool(services)};
}

}  // namespace toolpost::tools::database
