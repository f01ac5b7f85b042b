// UTF-16 as ODBC has it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/libodbc.h"

namespace toolpost::db {

// `utf8` must be valid.
std::vector<SQLWCHAR> ToWide(std::string_view utf8);
// Up to the first NUL. What is not well-formed becomes U+FFFD.
std::string FromWide(std::span<const SQLWCHAR> wide);

}  // namespace toolpost::db
