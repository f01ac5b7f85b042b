// Types that SQL Server converts from without being asked to.
#include "db/odbc_parameters.h"

#include <algorithm>

#include "base/json_write.h"
#include "base/strings.h"
#include "db/odbc_text.h"

namespace toolpost::db {
namespace {

constexpr std::size_t kLongestShort = 4000;  // characters of nvarchar(4000)
constexpr std::size_t kLongestName = 120;
constexpr std::size_t kMostParameters = 1000;

bool IsName(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    const char low = base::ToLower(c);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

Result<void> OdbcParameters::AddText(std::string_view text) {
  if (!base::IsValidUtf8(text)) return Error::InvalidParams("A parameter is not UTF-8");
  Value& value = values_.emplace_back();
  value.wide = ToWide(text);
  const bool is_short = value.wide.size() <= kLongestShort;
  value.type = is_short ? "nvarchar(4000)" : "nvarchar(max)";
  value.sql_type = is_short ? SQL_WVARCHAR : SQL_WLONGVARCHAR;
  value.column_size = is_short ? kLongestShort : value.wide.size();
  value.bytes = static_cast<SQLLEN>(value.wide.size() * sizeof(SQLWCHAR));
  if (value.wide.empty()) value.wide.push_back(0);  // something to point at
  value.data = value.wide.data();
  return {};
}

Result<void> OdbcParameters::AddJson(const Json& json) {
  if (json.is_string()) return AddText(json.get_string());
  if (json.is_structured()) return AddText(base::ToJson(json));
  if (json.is_null()) {
    RETURN_IF_ERROR(AddText(""));
    values_.back().bytes = SQL_NULL_DATA;
    return {};
  }
  if (json.is_uint64()) {
    RETURN_IF_ERROR(AddText(base::ToJson(json)));
    values_.back().type = "decimal(20,0)";
    return {};
  }
  Value& value = values_.emplace_back();
  if (json.is_int64()) {
    value.integer = json.get_int64();
    value.type = "bigint";
    value.c_type = SQL_C_SBIGINT;
    value.sql_type = SQL_BIGINT;
    value.column_size = 19;
    value.data = &value.integer;
    value.bytes = sizeof value.integer;
  } else if (json.is_bool()) {
    value.bit = json.get_bool() ? 1 : 0;
    value.type = "bit";
    value.c_type = SQL_C_BIT;
    value.sql_type = SQL_BIT;
    value.data = &value.bit;
    value.bytes = sizeof value.bit;
  } else {
    value.real = json.get_double();
    value.type = "float";
    value.c_type = SQL_C_DOUBLE;
    value.sql_type = SQL_DOUBLE;
    value.column_size = 53;
    value.data = &value.real;
    value.bytes = sizeof value.real;
  }
  return {};
}

std::string_view OdbcParameters::type() const { return values_.back().type; }

bool OdbcParameters::Bind(const Libodbc& odbc, SQLHSTMT statement, std::size_t first) {
  auto number = static_cast<SQLUSMALLINT>(first);
  return std::all_of(values_.begin(), values_.end(), [&](Value& value) {
    return SQL_SUCCEEDED(odbc.bind_parameter(
        statement, number++, SQL_PARAM_INPUT, value.c_type, value.sql_type, value.column_size, 0,
        value.data, static_cast<SQLLEN>(value.wide.size() * sizeof(SQLWCHAR)), &value.bytes));
  });
}

Result<NamedParameters> ReadNamedParameters(const Json* parameters) {
  NamedParameters named;
  if (parameters == nullptr || parameters->is_null()) return named;
  if (!parameters->is_object()) {
    return Error::InvalidParams("Parameters must be an object: its members are @name");
  }
  const JsonObject& object = parameters->get_object();
  if (object.size() > kMostParameters) {
    return Error::InvalidParams(base::StrCat("More than ", kMostParameters, " parameters"));
  }
  for (const auto& [key, value] : object) {
    std::string_view name = key;
    if (name.starts_with('@')) name.remove_prefix(1);
    if (!IsName(name)) {
      return Error::InvalidParams(base::StrCat(
          "A parameter has a name other than letters, digits and _, or one of more than ",
          kLongestName, " characters"));
    }
    for (const std::string& other : named.names) {
      if (base::EqualIgnoringCase(other, name)) {
        return Error::InvalidParams(base::StrCat("The parameter @", name, " is there twice"));
      }
    }
    named.names.emplace_back(name);
    named.values.push_back(&value);
  }
  return named;
}

}  // namespace toolpost::db
