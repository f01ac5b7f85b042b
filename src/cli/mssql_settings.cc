// Settings of the ODBC servers.
#include "cli/mssql_settings.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "db/odbc_server.h"
#include "db/select_guard_tsql.h"
#include "db/sql_server_login.h"

namespace toolpost::cli {

db::SqlServerFactory SqlServersOf(const config::Config& config) {
  return [mssql = config.mssql](
             const db::SqlServerLogin& login) -> Result<std::shared_ptr<db::SqlServer>> {
    db::OdbcServerOptions options;
    options.login = login;
    if (mssql.max_connections > 0)
      options.max_connections = static_cast<int>(mssql.max_connections);
    if (mssql.login_timeout.count() > 0)
      options.login_timeout = std::chrono::ceil<std::chrono::seconds>(mssql.login_timeout);
    if (!mssql.ca_file.empty()) options.authorities = mssql.ca_file;
    std::vector<std::string> databases = mssql.databases;
    if (!login.database.empty()) databases.push_back(login.database);
    options.guard = [databases = std::move(databases)](
                        std::string_view sql, std::span<const std::string_view> parameters) {
      return db::GuardTsqlStatement(sql, {.parameters = parameters, .databases = databases});
    };
    return db::OpenOdbcServer(std::move(options));
  };
}

Result<void> CheckConnectionString(const config::Config& config) {
  if (config.mssql.connection_string.empty()) return {};
  const auto login = db::ParseSqlServerLogin(config.mssql.connection_string);
  if (login) return {};
  constexpr std::string_view kKey = "mssql.connection_string";
  return Error::InvalidParams(
      base::StrCat(config::OriginOf(config, kKey).name, ": ", kKey, ": ", login.error().message));
}

}  // namespace toolpost::cli
