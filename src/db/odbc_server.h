// A SQL Server through ODBC.
//
// What keeps it unchanged by Read(), from the outside in: the rights of the login are the boundary;
// the statement is looked at token by token (select_guard_tsql.h); it runs in a container
// (odbc_container.h) that is rolled back; a session that left its container is closed. A connection
// that went stale while nobody used it is replaced without the caller's noticing, except by
// Write(), which never runs a batch twice.
//
// The driver cannot interrupt a login: it lasts until it has succeeded, failed, or timed out.
// A row may have 64 MiB; a larger one is Code::kTooLarge.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "db/sql_server.h"
#include "toolpost/result.h"

namespace toolpost::db {

struct OdbcServerOptions {
  SqlServerLogin login;
  int max_connections = 8;
  std::chrono::seconds login_timeout{15};  // the login's own wins
  // A PEM file of authorities that servers' certificates are verified with.
  std::string authorities = "/etc/ssl/certs/ca-certificates.crt";
  // Says whether a caller's statement reads; gets the names of its parameters, without @.
  std::function<Result<void>(std::string_view sql, std::span<const std::string_view> parameters)>
      guard;
};

// Does not connect yet. Code::kUnavailable when unixODBC or the driver is not installed,
// Code::kInvalidArgument when the driver cannot do what the login asks for.
Result<std::shared_ptr<SqlServer>> OpenOdbcServer(OdbcServerOptions options);

}  // namespace toolpost::db
