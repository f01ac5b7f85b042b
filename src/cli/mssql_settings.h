// How the SQL Server tools reach servers, from the configuration.
#pragma once

#include "config/config.h"
#include "db/sql_server.h"
#include "toolpost/result.h"

namespace toolpost::cli {

// Loads no driver and opens nothing yet.
db::SqlServerFactory SqlServersOf(const config::Config& config);

// Whether mssql.connection_string can be read. Code::kInvalidArgument says where it stands and what
// to do; never a value.
Result<void> CheckConnectionString(const config::Config& config);

}  // namespace toolpost::cli
