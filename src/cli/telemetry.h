// Metrics and traces of a server, as the configuration wants them.
#pragma once

#include <memory>

#include "config/config.h"
#include "mcp/vitals.h"
#include "toolpost/result.h"
#include "toolpost/server.h"
#include "tools/database/connections.h"
#include "tools/mssql/connections.h"

namespace toolpost::cli {

// Pools and reachability of the databases.
void AddDatabaseVitals(mcp::Vitals& vitals,
                       const std::shared_ptr<const tools::database::Connections>& connections);
// Pools of the SQL Servers that were used.
void AddSqlServerVitals(mcp::Vitals& vitals,
                        const std::shared_ptr<const tools::mssql::Connections>& connections);
// Traces and metrics to the collector; nothing without one. Before a door opens.
Result<void> StartExport(Server& server, const config::Config& config);
// The listener of metrics.listen, if there is one. After StartHttp.
Result<void> StartMetricsListener(Server& server, const config::Config& config);

}  // namespace toolpost::cli
