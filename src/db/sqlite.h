// A connection to an SQLite file of our own state.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <string>

#include "db/sql.h"

struct sqlite3;
struct sqlite3_stmt;

namespace toolpost::db {

struct SqliteOptions {
  std::string path;  // its directory must exist; the file is created when missing
  std::chrono::milliseconds busy_timeout{5000};  // how long to wait for a lock
};

// WAL, synchronous=FULL (a committed change survives a power cut), secure_delete (deleted rows are
// overwritten), foreign keys. File, -wal and -shm are 0600 and belong to this user, or Open()
// refuses (see db/private_file.h). A file that is damaged or no database is refused and left as it
// is. Several processes may share the file. One thread at a time.
class Sqlite final : public Sql {
 public:
  static Result<std::unique_ptr<Sqlite>> Open(const SqliteOptions& options);
  ~Sqlite() override;
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  Dialect dialect() const override { return Dialect::kSqlite; }
  Result<std::vector<Row>> Query(std::string_view sql,
                                 const std::vector<Value>& parameters = {}) override;
  Result<std::int64_t> Execute(std::string_view sql,
                               const std::vector<Value>& parameters = {}) override;
  // SQLite has no users: the statement alone decides.
  Result<std::vector<Row>> QueryAs(std::string_view, std::string_view sql,
                                   const std::vector<Value>& parameters) override {
    return Query(sql, parameters);
  }
  Result<void> InTransaction(const std::function<Result<void>(Sql&)>& work,
                             Durability durability) override;
  using Sql::InTransaction;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;
  struct Cached {
    std::string sql;
    Statement statement;
  };

  Sqlite(sqlite3* database, std::string name) : database_(database), name_(std::move(name)) {}

  Result<void> Configure(std::chrono::milliseconds busy_timeout);
  Result<void> UseWriteAheadLog(std::chrono::milliseconds patience);
  Result<Statement> Prepare(std::string_view sql);
  Result<sqlite3_stmt*> Cache(std::string_view sql);
  Result<void> Bind(sqlite3_stmt* statement, const std::vector<Value>& parameters);
  // Runs the statement to its end; rows go to `rows` unless it is null.
  Result<void> Run(std::string_view sql, const std::vector<Value>& parameters,
                   std::vector<Row>* rows);
  Result<void> Step(sqlite3_stmt* statement, std::vector<Row>* rows);
  Error Failure();
  void RollBack();
  // A statement that cannot fail, prepared anew: such settings take effect while they are prepared.
  void Set(const char* statement);

  sqlite3* database_;
  const std::string name_;   // of the file, for messages
  std::list<Cached> cache_;  // most recently used first
  bool in_transaction_ = false;
  Result<void> transaction_failure_;  // of its first failed statement
};

}  // namespace toolpost::db
