// One connection to a database of ours, SQLite or PostgreSQL, for code that works on both.
//
// Statements are written in the common subset of the two with `$1`, `$2` … as parameters; where
// they differ, ask dialect(). Everything blocks: call it from worker threads, never from an I/O
// thread. A connection is used by one thread at a time.
//
// Errors are sanitised; the engine's own words go to the log, without values. Code::kUnavailable:
// the database cannot be reached, stays locked, or its disk is full or not writable.
// Code::kConflict: a violated constraint. Code::kTimeout: the statement ran too long.
// Code::kInvalidArgument: a text parameter that is not UTF-8 or contains a NUL character (which
// PostgreSQL cannot store). Code::kInternal: everything else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::db {

enum class Dialect { kSqlite, kPostgres };

// When the changes of a transaction survive a crash of the database's machine: once it is
// committed, or a moment later, without anybody waiting for the disk.
enum class Durability { kAtCommit, kSoon };

// Bytes that are not text: BLOB, bytea.
struct Blob {
  std::string bytes;
  bool operator==(const Blob&) const = default;
};

// null, integer (also booleans, as 0 and 1), real, text, bytes.
using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;
using Row = std::vector<Value>;

class Sql {
 public:
  virtual ~Sql() = default;

  virtual Dialect dialect() const = 0;
  // Runs one statement and returns all its rows.
  virtual Result<std::vector<Row>> Query(std::string_view sql,
                                         const std::vector<Value>& parameters = {}) = 0;
  // Runs one statement and returns the number of rows it changed.
  virtual Result<std::int64_t> Execute(std::string_view sql,
                                       const std::vector<Value>& parameters = {}) = 0;
  // Query() for the rows of one user: on PostgreSQL the setting `toolpost.user`, which policies of
  // row-level security ask for, holds `user` while the statement runs (one round trip, and a
  // transaction of its own). Not inside InTransaction().
  virtual Result<std::vector<Row>> QueryAs(std::string_view user, std::string_view sql,
                                           const std::vector<Value>& parameters) = 0;
  // Runs `work` between BEGIN and COMMIT, alone among writers (SQLite: BEGIN IMMEDIATE; PostgreSQL:
  // SERIALIZABLE, retried for a few seconds when it lost a race or its connection, so `work` may
  // run more than once). Rolls back when `work` fails, or when one of its statements failed,
  // whatever it made of that. Transactions do not nest.
  virtual Result<void> InTransaction(const std::function<Result<void>(Sql&)>& work,
                                     Durability durability) = 0;
  Result<void> InTransaction(const std::function<Result<void>(Sql&)>& work) {
    return InTransaction(work, Durability::kAtCommit);
  }
};

// For implementations: refuses text, of the statement or of a parameter, that one of the engines
// could not take.
Result<void> CheckStatement(std::string_view sql, const std::vector<Value>& parameters);

// Readers of a column; what is not of that type (null included) gives the fallback.
std::int64_t IntegerOr(const Value& value, std::int64_t fallback);
double RealOr(const Value& value, double fallback);  // integers too
std::string TextOr(const Value& value, std::string_view fallback);
std::string BytesOr(const Value& value, std::string_view fallback);
bool IsNull(const Value& value);

}  // namespace toolpost::db
