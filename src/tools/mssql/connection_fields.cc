// Fields to a login, and back to text that the vault can keep.
#include "tools/mssql/connection_fields.h"

#include "db/sql_server_login.h"
#include "tools/secret_line.h"

namespace toolpost::tools::mssql {
namespace {

bool AnyField(const ConnectionFields& fields) {
  return fields.host || fields.port || fields.instance || fields.database || fields.user ||
         fields.password || fields.password_file;
}

Result<void> Check(const ConnectionFields& fields) {
  if (!fields.host) return Error::InvalidParams("Give either connectionString or host");
  if (!fields.user) return Error::InvalidParams("Give user, a SQL Server login, with host");
  if (fields.port && fields.instance) return Error::InvalidParams("Give either port or instance");
  if (fields.password.has_value() == fields.password_file.has_value())
    return Error::InvalidParams("Give either password or passwordFile with host");
  return {};
}

}  // namespace

bool IsGiven(const ConnectionFields& fields) {
  return fields.connection_string || AnyField(fields);
}

Result<std::string> ConnectionStringOf(const MssqlServices& services,
                                       const ConnectionFields& fields) {
  if (fields.connection_string) {
    if (!AnyField(fields)) return *fields.connection_string;
    return Error::InvalidParams(
        "Give either connectionString, which says everything, or host and the fields beside it");
  }
  RETURN_IF_ERROR(Check(fields));
  db::SqlServerLogin login{.host = *fields.host,
                           .instance = fields.instance.value_or(""),
                           .port = static_cast<int>(fields.port.value_or(0)),
                           .database = fields.database.value_or(""),
                           .user = *fields.user,
                           .password = fields.password.value_or("")};
  if (fields.password_file) {
    RETURN_IF_ERROR(services.connections->CheckListed(login.host));
    ASSIGN_OR_RETURN(login.password, ReadSecretLine(services.password_directory,
                                                    *fields.password_file, "password"));
  }
  return db::WriteSqlServerLogin(login);
}

}  // namespace toolpost::tools::mssql
