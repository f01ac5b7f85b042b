// A user's database, read and never changed: what the database tools work on.
//
// Two implementations: PostgresDatabase and SqliteDatabase. Each owns a bounded pool of connections
// shared by all callers, accepts one statement per call, refuses what is not a reading statement
// before the engine sees it, and runs the rest where the engine cannot write either
// (docs/databases.md says what is guaranteed by what).
//
// Thread-safe. Everything blocks: call it from worker threads. Errors are fit to show to the
// caller: they say what was refused and what is allowed, and hold no credentials and no host.
// Code::kInvalidArgument: the statement or a parameter is refused before it runs.
// Code::kExecutionFailed: what the engine says of the statement, in its own words.
// Code::kPermissionDenied: the account may not. Code::kNotFound: a table that is not there.
// Code::kTimeout, Code::kCancelled. Code::kUnavailable: the database cannot be reached or the pool
// stays busy; at once while it is known to be down.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "db/sql.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::db {

enum class CellKind { kNull, kBoolean, kNumber, kText, kJson, kBytes };

// One value of a row. `text` is valid only during RowSink::Add().
struct Cell {
  CellKind kind = CellKind::kNull;
  // kBoolean: true or false. kNumber: a JSON number, every digit as the engine has it (NaN and
  // infinities are kText). kJson: a JSON text (json, jsonb; arrays as JSON arrays of their
  // elements). kBytes: the bytes themselves. kText: everything else as the engine prints it, but
  // for PostgreSQL's timestamps and times with an offset, which are ISO 8601.
  std::string_view text;
  // Bytes of the value behind those of `text`: of a long one a reader may have been asked for less.
  std::size_t missing = 0;

  std::size_t size() const { return text.size() + missing; }
};

struct ResultColumn {
  std::string name;
  std::string type;  // as the engine names it: int8, numeric, text[], INTEGER
};

// Takes a result as it arrives, so that its size is bounded by the taker.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // Once, before the first row, also when there is none. (A SqlServer: once for each result set.)
  virtual void Begin(std::span<const ResultColumn> columns) = 0;
  // False when it has seen enough: the statement is then ended on the server.
  virtual bool Add(std::span<const Cell> row) = 0;
  // About once a second while the engine is at work and no row comes, on the thread that reads. (A
  // SqlServer: never, because its driver does not return in between.)
  virtual void Waiting() {}
};

// An index that is only thought of, to see what EXPLAIN makes of it.
struct HypotheticalIndex {
  std::string schema;
  std::string table;
  std::vector<std::string> columns;
  std::string method;  // btree, hash, brin
};

struct ReadRequest {
  std::string_view sql;
  // Null, an array ($1, $2 … or ?), or an object (:name); the server decides their types.
  const Json* parameters = nullptr;
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop;
  // Of a PostgreSQL that has hypopg, for a statement that is an EXPLAIN.
  std::span<const HypotheticalIndex> indexes = {};
};

// How long an answer is waited for, and who may end that earlier.
struct Patience {
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(30);
  std::stop_token stop = {};
};

struct TableFilter {
  std::string schema;   // empty: the default one (public, main)
  std::string pattern;  // LIKE pattern on the name; empty: all
  std::string after;    // names that sort after this one (of the last page)
  int limit = 100;
};

struct TableSummary {
  std::string schema;
  std::string name;
  // table, view, materialized view, partitioned table, foreign table, virtual table
  std::string kind;
  std::optional<std::int64_t> estimated_rows;
  std::optional<std::int64_t> bytes;  // with indexes; not of a table that others have locked
  std::string comment;
};

struct TablePage {
  std::vector<TableSummary> tables;  // by name
  bool more = false;
  // That the account may use, besides those of the engine; at most 100.
  std::vector<std::string> schemas;
};

struct ColumnDetails {
  std::string name;
  std::string type;
  bool nullable = true;
  std::string default_value;  // as SQL; empty: none
  std::string generated;      // "", identity, stored, virtual
  std::vector<std::string> enum_values;
  std::string comment;
};

struct ForeignKey {
  std::vector<std::string> columns;
  std::string table;  // schema-qualified unless in the same schema
  std::vector<std::string> referenced;
  std::string on_delete;  // "" : no action
};

struct IndexDetails {
  std::string name;
  std::vector<std::string> columns;  // expressions as SQL
  bool unique = false;
  std::string method;     // btree, gin …
  std::string predicate;  // of a partial index, as SQL
};

struct TableDetails {
  TableSummary summary;
  std::vector<ColumnDetails> columns;
  std::vector<std::string> primary_key;
  std::vector<ForeignKey> foreign_keys;
  std::vector<IndexDetails> indexes;
  std::vector<std::string> checks;  // as SQL
};

struct DatabaseStatus {
  bool reachable = true;  // false while the circuit is open
  int open = 0;           // connections
  int busy = 0;
  int opening = 0;  // besides those that are open
  int limit = 0;
  std::string problem;  // why it is not reachable, or that it is damaged; empty: none is known
  // What the account could do although we never ask it to (superuser, write privileges …). Until
  // Check() or a statement has asked the server it is not known, and empty.
  bool privileges_known = false;
  std::vector<std::string> privileges;
};

class Database {
 public:
  virtual ~Database() = default;

  virtual Dialect dialect() const = 0;
  virtual Result<void> Read(const ReadRequest& request, RowSink& sink) = 0;
  virtual Result<TablePage> Tables(const TableFilter& filter, const Patience& patience = {}) = 0;
  // Details of each table, in the order asked for. Names are compared with the catalogue, never
  // put into SQL.
  virtual Result<std::vector<TableDetails>> Describe(std::string_view schema,
                                                     std::span<const std::string> tables,
                                                     const Patience& patience = {}) = 0;
  // Connects if nothing has yet; says why not.
  virtual Result<void> Check(const Patience& patience = {}) = 0;
  virtual DatabaseStatus Status() const = 0;
};

}  // namespace toolpost::db
