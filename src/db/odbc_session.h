// One connection to a SQL Server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/timer_queue.h"
#include "db/libodbc.h"
#include "db/odbc_cancel.h"
#include "db/odbc_cells.h"
#include "db/odbc_error.h"
#include "db/odbc_parameters.h"
#include "toolpost/result.h"

namespace toolpost::db {

// Takes the result sets of a call as they arrive.
class OdbcResults {
 public:
  virtual ~OdbcResults() = default;
  // Before the rows of each set.
  virtual void Begin(const std::vector<ResultColumn>& columns) = 0;
  // False when it has seen enough of everything: the call is then ended.
  virtual bool Add(const OdbcCells& cells, std::span<const Cell> row) = 0;
};

struct OdbcLogin {
  std::string connection_string;
  bool encrypted = true;
  bool verified = true;  // the server's certificate
};

struct OdbcCall {
  std::string_view sql;              // of sp_executesql
  std::string_view types;            // the declaration of its parameters; empty: none
  OdbcParameters* values = nullptr;  // null: none
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop = {};
  std::size_t max_cell = 0;  // see SqlServerRequest
};

// Not thread-safe.
class OdbcSession {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Logs in; blocks until `deadline` at the latest, whatever anybody wants. Code::kUnavailable,
  // Code::kTimeout.
  static Result<std::unique_ptr<OdbcSession>> Open(const Libodbc& odbc, base::TimerQueue& timers,
                                                   const OdbcLogin& login, Time deadline);
  ~OdbcSession();
  OdbcSession(const OdbcSession&) = delete;
  OdbcSession& operator=(const OdbcSession&) = delete;

  enum class Finish {
    kAll,     // every set was read to its end
    kEnough,  // `results` wanted no more: the call was cancelled
  };
  // Calls sp_executesql. It is cancelled on the server when the deadline passes (Code::kTimeout) or
  // `stop` is requested (Code::kCancelled). Afterwards the session can be used again if usable();
  // the transaction of a call that did not end with kAll may still be there.
  Result<Finish> Run(const OdbcCall& call, OdbcResults& results);

  // What the server said besides results during the last Run(), bounded. unixODBC drops what comes
  // between the last row of a set and its end.
  std::vector<std::string> TakeMessages() { return std::move(messages_); }
  // False when the connection is lost: close it then.
  bool usable() const { return usable_; }
  // Whether Run() failed before the server said anything, and may be tried on another connection.
  bool stale() const { return !usable_ && !answered_; }
  // Whether there was a Run().
  bool used() const { return runs_ > 0; }
  // Makes it unusable, but not stale.
  void GiveUp() {
    usable_ = false;
    answered_ = true;
  }
  Time last_used() const { return last_used_; }

 private:
  OdbcSession(const Libodbc& odbc, base::TimerQueue& timers) : odbc_(odbc), cancel_(odbc, timers) {}

  Result<void> Connect(const OdbcLogin& login, Time deadline);
  Result<void> Prepare(const OdbcCall& call, OdbcParameters& own);
  Result<Finish> Execute(const OdbcCall& call, OdbcResults& results);
  Result<Finish> ReadSets(std::size_t max_cell, OdbcResults& results);
  Result<bool> ReadSet(std::size_t max_cell, OdbcResults& results);
  void Note(SQLRETURN code);
  Error Failed();
  bool Dead();

  const Libodbc& odbc_;
  SQLHENV environment_ = nullptr;
  SQLHDBC connection_ = nullptr;
  SQLHSTMT statement_ = nullptr;
  OdbcCancel cancel_;
  bool connected_ = false;
  bool usable_ = true;
  bool answered_ = false;
  std::uint64_t runs_ = 0;
  std::uintptr_t patience_ = 0;  // of the statement, in seconds
  Time last_used_;
  std::vector<std::string> messages_;
};

}  // namespace toolpost::db
