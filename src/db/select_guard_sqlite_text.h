// A statement for SQLite as text: what is refused before it is parsed.
#pragma once

#include <cstddef>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::db {

inline constexpr std::size_t kMaxSqliteTextBytes = 100'000;

// Refuses text no statement needs: more than 100 kB, not UTF-8, control characters, and outside of
// string literals invisible characters, look-alike spaces and changes of direction.
// Code::kInvalidArgument says which and where.
Result<void> CheckSqliteText(std::string_view sql);

}  // namespace toolpost::db
