// One connection to a user's PostgreSQL database, in which every statement is a read-only
// transaction of its own that is always rolled back.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "db/libpq.h"
#include "db/postgres.h"
#include "db/postgres_database_cells.h"
#include "db/postgres_database_wire.h"

namespace toolpost::db {

// Takes a result as it arrives.
class PostgresRows {
 public:
  virtual ~PostgresRows() = default;
  // Once, before the first row, also when there is none.
  virtual void Begin(const PGresult& header) = 0;
  // The only row of `result`. False when it has seen enough.
  virtual bool Row(const PGresult& result) = 0;
  // About once a second while nothing arrives.
  virtual void Waiting() {}
};

// A statement of ours.
struct PostgresStep {
  std::string sql;
  std::vector<PostgresParameter> parameters;
};

struct PostgresRequest {
  std::string_view sql;
  std::span<const PostgresParameter> parameters = {};
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop = {};
  // Not 0: the statement is prepared under this number, once for each session.
  std::uint64_t prepare_as = 0;
  // Frees locks and prepared statements that functions of the database may have left.
  bool reset = false;
  // Run first, in the same transaction; their rows are of no interest.
  std::vector<PostgresStep> before = {};
};

// Not thread-safe.
class PostgresSession {
 public:
  // Logs in and sets the session up. Behind a pooler such as PgBouncer, which gives each
  // transaction another session of the server, the settings travel with each transaction instead.
  // The login blocks for as long as `options` says, what follows until the deadline
  // (Code::kTimeout) or `stop` (Code::kCancelled).
  static Result<std::unique_ptr<PostgresSession>> Open(
      const Libpq& pq, const PostgresOptions& options,
      std::chrono::steady_clock::time_point deadline, std::stop_token stop);
  PostgresSession(const PostgresSession&) = delete;
  PostgresSession& operator=(const PostgresSession&) = delete;

  // Whether the server has not closed it.
  bool Alive();
  // Behind a pooler.
  bool pooled() const { return pooled_; }
  // False after something that makes its state unknown, or its memory large: close it then.
  bool usable() const { return usable_; }
  // Of a session that is to be closed: see PostgresWire::Gone().
  bool Gone() { return wire_.Gone(); }

  // Runs one statement and hands over its rows as they arrive. It is cancelled on the server when
  // the deadline passes (Code::kTimeout), `stop` is requested (Code::kCancelled) or `rows` has
  // seen enough (success). `again` is set when it failed without having begun, for a reason that
  // another try may not meet: the session turns out to have ended while it was idle, or what was
  // prepared is out of date.
  Result<void> Read(const PostgresRequest& request, PostgresRows& rows, bool* again = nullptr);
  // The types that the server expects of the parameters of a statement.
  Result<std::vector<Oid>> ParameterTypes(const PostgresRequest& request);
  // Runs a statement of ours and returns its rows, NULL as nothing.
  Result<std::vector<std::vector<PostgresParameter>>> Rows(const PostgresRequest& request);

 private:
  enum class Step { kOurs, kPrepare, kStatement, kDescribe };
  // What came back so far.
  struct Outcome {
    std::chrono::steady_clock::time_point started;
    bool begun = false;
    bool too_large = false;
    bool prepared = false;   // now
    bool reused = false;     // prepared by an earlier call
    PostgresResult failure;  // the first
    std::vector<Oid> types;
  };

  PostgresSession(const Libpq& pq, PGconn* connection);

  Result<void> SetUp();
  // The last result, none when the connection is lost.
  PostgresResult Run(const char* sql);
  bool Send(Step step, std::string_view sql, std::span<const PostgresParameter> parameters = {});
  bool SendBegin(const PostgresRequest& request);
  bool SendPrepared(const PostgresRequest& request);
  bool SendEnd(const PostgresRequest& request);
  void Receive(Outcome& outcome, PostgresRows* rows);
  void ReceiveStatement(Outcome& outcome, PostgresRows& rows);
  bool TooLarge(const PGresult& row);
  bool RollBack(bool reset);
  // Everything after the last message was sent.
  Result<void> Finish(const PostgresRequest& request, const Outcome& outcome, bool* again);
  // Whether the session ended with this failure; none: the connection was lost.
  bool Ended(const PGresult* failure) const;
  Error Failed(const Outcome& outcome, bool* again);
  Error Lost(const Outcome& outcome, bool* again);
  static void OnNotice(void* session, const PGresult* notice);

  const Libpq& pq_;
  PostgresWire wire_;
  bool pooled_ = false;
  bool usable_ = true;
  bool breached_ = false;
  bool used_ = false;  // before
  std::size_t largest_row_ = 0;
  std::string search_path_;
  std::vector<Step> steps_;  // sent and not yet answered
  std::unordered_set<std::uint64_t> prepared_;
};

}  // namespace toolpost::db
