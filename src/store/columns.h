// How the store writes times and lists into columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "db/sql.h"

namespace toolpost::store {

// Nanoseconds since 1970; absent is null.
db::Value FromTime(base::WallTime time);
db::Value FromTime(const std::optional<base::WallTime>& time);
base::WallTime ToTime(const db::Value& value);
std::optional<base::WallTime> ToOptionalTime(const db::Value& value);

// A JSON array of strings; absent is null.
db::Value FromList(const std::vector<std::string>& list);
db::Value FromList(const std::optional<std::vector<std::string>>& list);
// Code::kInternal for anything but an array of strings: a restriction that cannot be read must not
// be taken for none.
Result<std::vector<std::string>> ToList(const db::Value& value);
Result<std::optional<std::vector<std::string>>> ToOptionalList(const db::Value& value);

}  // namespace toolpost::store
