// Where a SQL Server is and who we are there: everything a connection string may say, and nothing
// else.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::db {

struct SqlServerLogin {
  std::string host;
  std::string instance;  // empty: the default one, or `port` says
  int port = 0;          // 0: 1433, or what the browser service says of `instance`
  std::string database;  // empty: the login's default
  std::string user;
  std::string password;
  enum class Encryption { kNone, kRequired, kStrict };
  Encryption encryption = Encryption::kRequired;
  bool trust_certificate = false;  // encrypted, but by whom is not checked
  std::string certificate_host;    // empty: `host`
  bool read_only_intent = false;   // ApplicationIntent=ReadOnly
  std::string application;         // empty: toolpost
  std::optional<std::chrono::seconds> login_timeout;
  std::optional<std::chrono::seconds> query_timeout;
};

// Reads a connection string in ADO.NET or ODBC spelling (all synonyms, either kind of quoting: see
// connection_string.h). A keyword may stand once, synonyms included: ADO.NET would take the last
// value, ODBC the first. Settings without a meaning here (pooling, packet size …) are accepted,
// and so is the name of a driver, which is not the one that is used.
// Code::kInvalidArgument names the keyword that is unknown, refused (AttachDbFilename, DumpFile,
// Trusted_Connection …), repeated or has a value that is not allowed; never a value.
Result<SqlServerLogin> ParseSqlServerLogin(std::string_view connection_string);

// A connection string that means the server, database, user and password of `login`, whatever
// characters they have; the rest is as where a connection string does not mention it.
std::string WriteSqlServerLogin(const SqlServerLogin& login);

}  // namespace toolpost::db
