// Waiting for PostgreSQL's answers without waiting forever.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "db/libpq.h"

namespace toolpost::db {

inline constexpr std::size_t kLargestPostgresRow = 64 << 20;  // bytes

// Why a statement was ended before it had finished.
enum class PostgresEnd { kNone, kTimeout, kStopped, kEnough };

struct ClearPostgresResult {
  const Libpq* pq;
  void operator()(PGresult* result) const { pq->clear(result); }
};
using PostgresResult = std::unique_ptr<PGresult, ClearPostgresResult>;

// The traffic of one connection, which it owns. A statement that takes too long is cancelled on the
// server; a server that does not answer that within seconds is given up. One thread at a time.
class PostgresWire {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `connection` is logged in.
  PostgresWire(const Libpq& pq, PGconn* connection);
  ~PostgresWire();
  PostgresWire(const PostgresWire&) = delete;
  PostgresWire& operator=(const PostgresWire&) = delete;

  PGconn* connection() const { return connection_; }
  // Before the first message of a statement: until when, and who may stop it. `waiting` is called
  // about once a second while nothing arrives, until the next Start().
  void Start(Time deadline, std::stop_token stop, std::function<void()> waiting = {});
  // Sends what is still buffered. False when the connection is lost.
  bool Flush();
  // The next result; none at the end of a statement's results, and when the connection is lost. It
  // is given up when a result has grown well beyond kLargestPostgresRow before all of it is there
  // (too_large() then).
  PostgresResult Next();
  // Ends the statement. Results that are on their way still arrive, and an error after them unless
  // it had finished already. With kEnough the server has a moment to finish by itself.
  void End(PostgresEnd why);
  // After the last result: waits until no cancel is under way that could hit the next statement.
  // False when that takes too long.
  bool Settle();

  // Whether the server's session has ended as far as anybody can tell. Only of a server that was
  // given up it has not at once: it knows of the end when it looks next, and until then this is
  // false. Does not block.
  bool Gone();

  PostgresEnd end() const { return end_; }
  bool lost() const { return lost_; }
  bool too_large() const { return too_large_; }

 private:
  struct Cancel;
  class Meter;

  bool AwaitInput(bool sending, Meter* meter);
  Time Limit() const;
  void PastLimit();
  void GiveUp();
  void SendCancel();

  const Libpq& pq_;
  PGconn* const connection_;
  const int wake_;  // an eventfd that stop requests write to
  Time deadline_;
  std::function<void()> waiting_;
  Time patience_;  // for the server to finish by itself, or to react to the cancel
  PostgresEnd end_ = PostgresEnd::kNone;
  bool lost_ = false;
  bool too_large_ = false;
  bool given_up_ = false;    // while it may still be at work
  std::size_t ignored_ = 0;  // bytes that it sent since
  std::shared_ptr<Cancel> cancel_;
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
};

}  // namespace toolpost::db
