// A connection to a PostgreSQL database.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/sql.h"

struct pg_conn;
struct pg_result;

namespace toolpost::db {

struct Libpq;
class PostgresParameters;

struct PostgresOptions {
  std::string url;  // postgresql://user:password@host:port/database?option=…, as libpq reads it
  std::chrono::seconds connect_timeout{5};  // of each address; the URL's own wins
  std::chrono::milliseconds statement_timeout{30000};
  // Connection parameters that hold unless the URL says otherwise.
  std::vector<std::pair<std::string, std::string>> defaults = {};
};

// Columns come back by their type: bool and integers as integer, float4 and float8 as real, bytea
// as bytes, everything else as the text PostgreSQL prints (ISO dates, UTC). Text parameters take
// the type that their place in the statement asks for; where it does not tell (`$1 IS NULL`), write
// CAST($1 AS TEXT).
//
// A connection that the server has closed since it was last used is opened again unnoticed; one
// that breaks while a statement runs, or stays silent beyond its time, fails that statement with
// Code::kUnavailable (it may or may not have been executed) and is opened again for the next. A
// transaction that loses its connection before its COMMIT is run again. No message and no log line
// holds the password or a value. One thread at a time.
class Postgres final : public Sql {
 public:
  static Result<std::unique_ptr<Postgres>> Open(PostgresOptions options);
  ~Postgres() override;
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

  Dialect dialect() const override { return Dialect::kPostgres; }
  Result<std::vector<Row>> Query(std::string_view sql,
                                 const std::vector<Value>& parameters = {}) override;
  Result<std::int64_t> Execute(std::string_view sql,
                               const std::vector<Value>& parameters = {}) override;
  Result<std::vector<Row>> QueryAs(std::string_view user, std::string_view sql,
                                   const std::vector<Value>& parameters) override;
  Result<void> InTransaction(const std::function<Result<void>(Sql&)>& work,
                             Durability durability) override;
  using Sql::InTransaction;

 private:
  struct Clear {
    const Libpq* pq;
    void operator()(pg_result* result) const;
  };
  using Answer = std::unique_ptr<pg_result, Clear>;
  // What became of one try of a transaction.
  struct Attempt {
    Result<void> result;
    bool again;  // nothing was committed, and another try may succeed
  };

  Postgres(const Libpq& pq, PostgresOptions options) : pq_(pq), options_(std::move(options)) {}

  // Connects when there is no connection, or the server has closed it.
  Result<void> Connect();
  Result<void> ConfigureSession();
  bool Alive();
  void Close();
  Result<Answer> Run(std::string_view sql, const std::vector<Value>& parameters);
  Result<Answer> Check(Answer answer);
  // Both statements go out before the first answer is awaited.
  Result<Answer> RunAs(std::string_view user, std::string_view sql,
                       const std::vector<Value>& parameters);
  bool Send(std::string_view sql, const PostgresParameters& parameters);
  // Until an answer is there. False: none came in time, and the connection is closed.
  bool Await();
  // The last answer to a statement, null if none came.
  Answer NextAnswer();
  std::vector<Row> RowsOf(const Answer& answer) const;
  Attempt TryTransaction(const std::function<Result<void>(Sql&)>& work, Durability durability);

  const Libpq& pq_;
  const PostgresOptions options_;
  pg_conn* connection_ = nullptr;
  bool in_transaction_ = false;
  bool again_ = false;                // the last failure was a lost race or a lost connection
  Result<void> transaction_failure_;  // of its first failed statement
};

}  // namespace toolpost::db
