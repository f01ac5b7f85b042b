// Settings of the ODBC servers.
#include "cli/mssql_settings.h"

namespace toolpost::cli {

db::SqlServerFactory SqlServersOf(const config::Config&) {
  return [](const db::SqlServerLogin&) -> Result<std::shared_ptr<db::SqlServer>> {
    return Error::Unavailable("This server was built without a driver for SQL Server");
  };
}

}  // namespace toolpost::cli
