// Other spellings of a Transact-SQL statement, and a second opinion on one.
//
// Both come from a scanner of their own, so that a mistake of the guard's tokenizer shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toolpost::db {

// The same statement to the server: other case, more spaces, line breaks and comments (nested ones,
// with quotes in them) where they mean nothing, names in brackets or double quotes, N before
// strings. Only adds: nothing the guard refuses for its length or layout becomes allowed.
std::string MutateTsql(std::string_view sql, std::uint64_t seed);

// Whether no word that changes something stands outside of quotes and comments, and no semicolon
// but at the end.
bool LooksHarmless(std::string_view sql);

}  // namespace toolpost::db
