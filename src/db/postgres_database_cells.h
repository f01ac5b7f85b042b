// Values of a result as cells, and JSON values as parameters.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/database.h"
#include "db/libpq.h"

namespace toolpost::db {

// What the catalogue says of a type.
struct PostgresType {
  std::string name;      // int4, text[], public types without their schema
  Oid element = 0;       // of an array; otherwise 0
  char delimiter = ',';  // between its elements
};

// The types that were there when the catalogue was read, without those of the rows of tables, and
// the ones met since. Thread-safe; what Find() returns stays.
class PostgresTypes {
 public:
  using Map = std::unordered_map<Oid, PostgresType>;

  explicit PostgresTypes(Map known) : known_(std::move(known)) {}
  const PostgresType* Find(Oid oid) const;
  void Add(Map met);

 private:
  const Map known_;
  mutable std::mutex mutex_;
  Map met_;  // guarded by mutex_
};

// Reads the rows of one result. The cells of a row are valid until the next.
class PostgresCells {
 public:
  PostgresCells(const Libpq& pq, const PGresult& header, const PostgresTypes& types);

  const std::vector<ResultColumn>& columns() const { return columns_; }
  const std::vector<Oid>& unknown() const { return unknown_; }
  std::span<const Cell> Read(const PGresult& result, int row);

 private:
  struct Plan {
    Oid element;  // of an array, or the type itself
    bool array;
    char delimiter;
  };

  const Libpq& pq_;
  std::vector<ResultColumn> columns_;
  std::vector<Plan> plans_;
  std::vector<std::string> scratch_;
  std::vector<Cell> cells_;
  std::vector<Oid> unknown_;
};

// One parameter as text; nothing is NULL.
using PostgresParameter = std::optional<std::string>;

// True when the form of a value depends on the type the server expects: arrays.
bool NeedsType(const Json& value);
// Strings as they are, numbers with their digits (whole ones without a fraction), booleans as true
// and false; arrays as PostgreSQL's arrays where the server expects one (of JSON, arrays within it
// are its elements), otherwise, like objects, as JSON. `expected` is the type the server expects, 0
// when nobody asked, and `type` what is known of it. Code::kInvalidArgument for text that
// PostgreSQL cannot store, and for an array where one number, time and the like is expected.
Result<PostgresParameter> ToPostgresParameter(const Json& value, Oid expected,
                                              const PostgresType* type);

}  // namespace toolpost::db
