// What a server says of us, as Initialize and TestConnection show it.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "db/sql_server.h"
#include "toolpost/schema.h"

namespace toolpost::tools::mssql {

struct PostureView {
  bool sysadmin = false;
  bool can_write = false;
  bool can_execute = false;
  std::vector<std::string> writable;
  std::vector<std::string> executable;
  bool database_read_only = false;
  std::vector<std::string> roles;
  static constexpr auto Fields() {
    using View = PostureView;
    return std::tuple{Req("sysadmin", &View::sysadmin),
                      Req("canWrite", &View::can_write),
                      Req("canExecute", &View::can_execute),
                      Req("writable", &View::writable,
                          "`database`, or [schema] and [schema].[object], the first ten."),
                      Req("executable", &View::executable, "The same."),
                      Req("databaseReadOnly", &View::database_read_only),
                      Req("roles", &View::roles)};
  }
};

// The reply of both tools: TestConnection knows no name unless it was given one.
struct ConnectedView {
  bool success = true;
  std::optional<std::string> connection_name;
  std::string message;
  std::string server_version;
  std::string database;
  std::string login;
  bool encrypted = false;
  bool certificate_verified = false;
  bool is_sysadmin = false;
  PostureView posture;
  std::vector<std::string> warnings;
  double latency_ms = 0;
  static constexpr auto Fields() {
    using View = ConnectedView;
    return std::tuple{Req("success", &View::success),
                      Opt("connectionName", &View::connection_name),
                      Req("message", &View::message),
                      Req("serverVersion", &View::server_version),
                      Req("database", &View::database),
                      Req("login", &View::login),
                      Req("encrypted", &View::encrypted),
                      Req("certificateVerified", &View::certificate_verified),
                      Req("isSysadmin", &View::is_sysadmin),
                      Req("readOnlyPosture", &View::posture, "What the login could do."),
                      Req("warnings", &View::warnings),
                      Req("latencyMs", &View::latency_ms)};
  }
};

// Connects, if nothing has yet, and asks.
Result<ConnectedView> Ask(db::SqlServer& server, std::chrono::steady_clock::time_point deadline,
                          std::stop_token stop);

}  // namespace toolpost::tools::mssql
