// Values on their way to and from libpq.
#pragma once

#include <string>
#include <vector>

#include "db/libpq.h"
#include "db/sql.h"

namespace toolpost::db {

// The arrays that PQexecParams takes. Points into the parameters, which must live as long.
class PostgresParameters {
 public:
  explicit PostgresParameters(const std::vector<Value>& parameters);

  int count() const { return static_cast<int>(values_.size()); }
  const Oid* types() const { return types_.data(); }
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  std::vector<std::string> numbers_;
  std::vector<Oid> types_;
  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

// A column's text as the value that its type calls for.
Value ReadPostgresText(Oid type, std::string_view text);

}  // namespace toolpost::db
