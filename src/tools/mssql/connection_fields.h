// Where a connection leads, as AddConnection and UpdateConnection are told: in a connection string,
// or field by field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "toolpost/result.h"
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
