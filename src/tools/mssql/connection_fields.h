// Where a connection leads, as AddConnection, UpdateConnection and TestConnection are told: in a
// connection string, or field by field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "toolpost/result.h"
#include "toolpost/schema.h"
#include "tools/mssql/mssql.h"

namespace toolpost::tools::mssql {

struct ConnectionFields {
  std::optional<std::string> connection_string;
  std::optional<std::string> host;
  std::optional<std::int64_t> port;
  std::optional<std::string> instance;
  std::optional<std::string> database;
  std::optional<std::string> user;
  std::optional<std::string> password;
  std::optional<std::string> password_file;  // a plain name, in services.password_directory
};

// Of arguments that have them.
template <typename Args>
constexpr auto ConnectionFieldsOf() {
  return std::tuple{
      Opt("connectionString", &Args::connection_string, "Server=…;Database=…;User Id=…;Password=…")
          .MinLength(1)
          .MaxLength(4000),
      Opt("host", &Args::host, "Or, field by field:").Pattern("^[A-Za-z0-9._:-]+$"),
      Opt("port", &Args::port, "Default 1433.").Range(1, 65535),
      Opt("instance", &Args::instance, "Instead of port.").Pattern("^[A-Za-z0-9_$#]+$"),
      Opt("database", &Args::database, "Default: the login's."),
      Opt("user", &Args::user, "SQL Server login."),
      Opt("password", &Args::password, "Of user."),
      Opt("passwordFile", &Args::password_file, "Or: file on the server with it.")
          .Pattern("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$")};
}

// Whether there is a connection string or any field.
bool IsGiven(const ConnectionFields& fields);

// The connection string they amount to. With fields the connection is always encrypted and the
// certificate verified.
//
// A password file is read only for a host that mssql.allow_hosts lists: who manages connections
// could otherwise have it sent to a server of their own. There is no such thing as a password from
// the environment, where the keys of this process are. Code::kInvalidArgument says what is missing
// or too much; Code::kPermissionDenied, Code::kConflict: of the password file.
Result<std::string> ConnectionStringOf(const MssqlServices& services,
                                       const ConnectionFields& fields);

}  // namespace toolpost::tools::mssql
