// JSON values as parameters of sp_executesql.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/libodbc.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::db {

// The values of one call, in order. Keeps what the driver is told to read until it is gone.
class OdbcParameters {
 public:
  // Code::kInvalidArgument for text that is not UTF-8.
  Result<void> AddText(std::string_view text);
  // Integers as bigint (beyond that as decimal(20,0)), other numbers as float, booleans as bit,
  // text as nvarchar, arrays and objects as JSON text; null is a null of nvarchar.
  Result<void> AddJson(const Json& value);

  // How the last one is declared: `bigint`.
  std::string_view type() const;
  std::size_t size() const { return values_.size(); }
  // From the parameter `first` on, counted from 1.
  bool Bind(const Libodbc& odbc, SQLHSTMT statement, std::size_t first);

 private:
  struct Value {
    std::string_view type;
    SQLSMALLINT c_type = SQL_C_WCHAR;
    SQLSMALLINT sql_type = SQL_WVARCHAR;
    SQLULEN column_size = 1;
    SQLPOINTER data = nullptr;
    SQLLEN bytes = 0;  // SQL_NULL_DATA
    std::vector<SQLWCHAR> wide;
    std::int64_t integer = 0;
    double real = 0;
    unsigned char bit = 0;
  };

  std::deque<Value> values_;  // pointers into it stay good
};

// The members of an object, as parameters `@name` of a statement.
struct NamedParameters {
  std::vector<std::string> names;  // without @
  std::vector<const Json*> values;
};

// Takes null (no parameters) and an object. Code::kInvalidArgument for anything else, a name that
// is none, and more than 1,000.
Result<NamedParameters> ReadNamedParameters(const Json* parameters);

}  // namespace toolpost::db
