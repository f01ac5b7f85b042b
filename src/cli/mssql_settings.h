// How the SQL Server tools reach servers, from the configuration.
#pragma once

#include "config/config.h"
#include "db/sql_server.h"

namespace toolpost::cli {

// Loads no driver and opens nothing yet.
db::SqlServerFactory SqlServersOf(const config::Config& config);

}  // namespace toolpost::cli
