// A SQL Server: what the mssql tools work on.
//
// One object is one stored connection: a bounded pool of sessions that all callers share, each used
// by one call at a time. The implementation is ODBC (odbc_server.h); tools know only this.
//
// Thread-safe. Everything blocks: call it from worker threads. Errors are fit to show to the
// caller and hold no credentials: Code::kInvalidArgument: the statement or a parameter is refused
// before it runs. Code::kExecutionFailed: what the server says of the statement, in its own words.
// Code::kPermissionDenied: the login may not. Code::kNotFound: a table or database that is not
// there. Code::kTimeout, Code::kCancelled. Code::kUnavailable: the server cannot be reached,
// refuses the login, its certificate does not verify, or the pool stays busy. Error::data, when
// there is one, has `message`, `number` and, as far as the driver tells, `class`, `state` and
// `line` of the server's error. That `message` is the server's, word for word: not for every
// caller.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/pool.h"
#include "db/sql.h"
#include "db/sql_server_login.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::db {

struct SqlServerRequest {
  std::string_view sql;
  // Null, or an object: its members are the parameters @name.
  const Json* parameters = nullptr;
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop;
  // How much of a text or of bytes there is use for: a longer one arrives with more bytes than
  // this, the others only counted (Cell::missing). 0: all of it.
  std::size_t max_cell = 0;
};

struct SqlServerOutcome {
  std::vector<std::string> messages;  // of PRINT and warnings, bounded
  std::int64_t rows_changed = -1;     // -1: the server did not say
};

// Who the server says we are and what we could do although the tools never ask for it.
struct SqlServerPosture {
  std::string version;  // one line
  std::string database;
  std::string login;
  bool encrypted = false;
  bool certificate_verified = false;
  bool sysadmin = false;
  bool can_write = false;
  bool can_execute = false;
  // Of what: `database`, or else [schema] and [schema].[object], the first ten.
  std::vector<std::string> writable;
  std::vector<std::string> executable;
  bool database_read_only = false;
  std::vector<std::string> roles;     // of the server and the database
  std::vector<std::string> warnings;  // sentences: what is dangerous and what to do
};

class SqlServer {
 public:
  virtual ~SqlServer() = default;

  // A caller's statement, one that reads: the guard looks at it (select_guard_tsql.h), it runs in a
  // transaction that is rolled back, and a session that left its container is closed. RowSink gets
  // every result set; one of FOR JSON or FOR XML as one row (for_clause.h).
  virtual Result<SqlServerOutcome> Read(const SqlServerRequest& request, RowSink& sink) = 0;
  // A caller's batch, of any kind, on behalf of someone who may write; committed unless it fails.
  // RowSink gets every result set, if there are any; the batch runs to its end even when RowSink
  // has enough. Its session is closed: nobody else gets what it left there.
  virtual Result<SqlServerOutcome> Write(const SqlServerRequest& request, RowSink& sink) = 0;
  // A statement of ours: constant text that begins with a tag comment, its values as parameters.
  // One vector of rows for each result set. Timestamps are text in ISO 8601, decimals text with
  // every digit. Code::kTooLarge for more than 64 MiB of them.
  virtual Result<std::vector<std::vector<Row>>> Query(const SqlServerRequest& request) = 0;
  virtual Result<SqlServerPosture> Posture(std::chrono::steady_clock::time_point deadline,
                                           std::stop_token stop) = 0;
  virtual PoolStatus Status() const = 0;
};

// Opens nothing yet: the first call connects.
using SqlServerFactory = std::function<Result<std::shared_ptr<SqlServer>>(const SqlServerLogin&)>;

}  // namespace toolpost::db
