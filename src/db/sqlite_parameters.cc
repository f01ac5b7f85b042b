// Binding of positional and named parameters.
#include "db/sqlite_parameters.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_write.h"
#include "base/strings.h"
#include "db/libsqlite.h"
#include "db/sqlite_schema_text.h"

namespace toolpost::db {
namespace {

const LibSqlite& Lite() { return LibSqlite::Loaded(); }

int BindValue(sqlite3_stmt* statement, int index, const Json& value) {
  if (value.is_null()) return Lite().bind_null(statement, index);
  if (value.is_bool()) return Lite().bind_int64(statement, index, value.get_bool() ? 1 : 0);
  if (value.is_int64()) return Lite().bind_int64(statement, index, value.get_int64());
  if (value.is_double()) return Lite().bind_double(statement, index, value.get_double());
  if (value.is_string()) {
    return Lite().bind_text64(statement, index, value.get_string().data(),
                              value.get_string().size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  const std::string text = base::ToJson(value);
  return Lite().bind_text64(statement, index, text.data(), text.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8);
}

Result<void> Bind(sqlite3_stmt* statement, int index, const Json& value, std::string_view name) {
  if (value.is_uint64()) {
    return Error::InvalidParams(base::StrCat(
        "The parameter ", name, " is larger than SQLite's integers: pass it as a string"));
  }
  const int code = BindValue(statement, index, value);
  if (code == SQLITE_TOOBIG)
    return Error{Code::kTooLarge, base::StrCat("The parameter ", name, " is too long"), {}};
  if (code != SQLITE_OK)
    return Error::InvalidParams(base::StrCat("The parameter ", name, " cannot be used"));
  return {};
}

// 3 of "?3", "$3" and the like; 0: it has a name.
std::size_t NumberOf(std::string_view name) {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + 1, end, number);
  return read.ec == std::errc() && read.ptr == end ? number : 0;
}

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

struct Slot {
  int index = 0;
  std::size_t number = 0;  // from 1; 0: named
  std::string_view name;   // with its sign
};

std::vector<Slot> SlotsOf(sqlite3_stmt* statement) {
  std::vector<Slot> slots;
  const int count = Lite().bind_parameter_count(statement);
  // `?5` alone makes five parameters, of which four are nobody's.
  for (int index = 1; index <= count; ++index) {
    const char* name = Lite().bind_parameter_name(statement, index);
    if (name == nullptr) {
      slots.push_back({index, static_cast<std::size_t>(index), "?"});
    } else {
      slots.push_back({index, NumberOf(name), name});
    }
  }
  return slots;
}

Result<void> BindArray(sqlite3_stmt* statement, const std::vector<Slot>& slots,
                       const JsonArray& values) {
  std::size_t highest = 0;
  for (const Slot& slot : slots) {
    if (slot.number == 0) {
      return Error::InvalidParams(base::StrCat("The statement has the named parameter ", slot.name,
                                               ": pass params as an object"));
    }
    highest = std::max(highest, slot.number);
    if (slot.number <= values.size())
      RETURN_IF_ERROR(Bind(statement, slot.index, values[slot.number - 1],
                           base::StrCat("number ", slot.number)));
  }
  if (highest == values.size()) return {};
  return Error::InvalidParams(
      base::StrCat("The statement has ", highest, " parameters, but ", values.size(),
                   " values were given: pass one for each, and write values as ? or $1"));
}

Result<void> BindObject(sqlite3_stmt* statement, const std::vector<Slot>& slots,
                        const JsonObject& values) {
  std::vector<std::string_view> used;
  for (const Slot& slot : slots) {
    if (slot.number != 0) {
      return Error::InvalidParams(base::StrCat("The statement has the parameter ", slot.name,
                                               " without a name: pass params as an array"));
    }
    const std::string_view name = slot.name.substr(1);
    const Json* value = values.if_contains(name);
    if (value == nullptr)
      return Error::InvalidParams(base::StrCat("params has no value for ", slot.name));
    RETURN_IF_ERROR(Bind(statement, slot.index, *value, slot.name));
    used.push_back(name);
  }
  for (const auto& member : values) {
    const std::string_view name = member.key();
    if (std::find(used.begin(), used.end(), name) == used.end())
      return Error::InvalidParams(base::StrCat("The statement has no parameter :", name));
  }
  return {};
}

}  // namespace

std::vector<std::string> SqliteParametersIn(std::string_view sql) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < sql.size();) {
    std::size_t end = SkipToken(sql, at);
    const bool is_parameter = std::string_view(":@$?").find(sql[at]) != std::string_view::npos;
    if (is_parameter || IsNameCharacter(sql[at]))
      while (end < sql.size() && IsNameCharacter(sql[end])) ++end;
    if (is_parameter) {
      std::string parameter(sql.substr(at, end - at));
      if ((parameter == "?" || parameter.size() > 1) &&
          std::find(found.begin(), found.end(), parameter) == found.end())
        found.push_back(std::move(parameter));
    }
    at = end;
  }
  return found;
}

Result<void> BindSqliteParameters(sqlite3_stmt* statement, const Json* parameters) {
  static const JsonArray kNone;
  if (parameters != nullptr && parameters->is_object())
    return BindObject(statement, SlotsOf(statement), parameters->get_object());
  if (parameters != nullptr && !parameters->is_null() && !parameters->is_array())
    return Error::InvalidParams("params must be an array or an object");
  const bool none = parameters == nullptr || parameters->is_null();
  return BindArray(statement, SlotsOf(statement), none ? kNone : parameters->get_array());
}

}  // namespace toolpost::db
