// Times and lists in columns.
#include "store/columns.h"

#include <chrono>

#include "base/json_parse.h"
#include "base/json_write.h"

namespace toolpost::store {

using std::chrono::duration_cast;
using std::chrono::nanoseconds;

db::Value FromTime(base::WallTime time) {
  return std::int64_t{duration_cast<nanoseconds>(time.time_since_epoch()).count()};
}

db::Value FromTime(const std::optional<base::WallTime>& time) {
  return time ? FromTime(*time) : db::Value();
}

base::WallTime ToTime(const db::Value& value) {
  return base::WallTime(
      duration_cast<base::WallTime::duration>(nanoseconds(db::IntegerOr(value, 0))));
}

std::optional<base::WallTime> ToOptionalTime(const db::Value& value) {
  if (db::IsNull(value)) return std::nullopt;
  return ToTime(value);
}

db::Value FromList(const std::vector<std::string>& list) {
  std::string text = "[";
  for (const std::string& entry : list) {
    if (text.size() > 1) text += ',';
    base::AppendJsonString(text, entry);
  }
  text += ']';
  return text;
}

db::Value FromList(const std::optional<std::vector<std::string>>& list) {
  return list ? FromList(*list) : db::Value();
}

Result<std::vector<std::string>> ToList(const db::Value& value) {
  const Error damaged = Error::Internal("A list in the store is damaged");
  const Result<Json> parsed = base::ParseJson(db::TextOr(value, ""));
  if (!parsed || !parsed->is_array()) return damaged;
  std::vector<std::string> list;
  for (const Json& entry : parsed->get_array()) {
    if (!entry.is_string()) return damaged;
    list.emplace_back(entry.get_string());
  }
  return list;
}

Result<std::optional<std::vector<std::string>>> ToOptionalList(const db::Value& value) {
  using Optional = std::optional<std::vector<std::string>>;
  if (db::IsNull(value)) return Optional();
  ASSIGN_OR_RETURN(auto list, ToList(value));
  return Optional(std::move(list));
}

}  // namespace toolpost::store
