// SQL functions of SQLite that take quadratic time inside one step, in linear time: instr, replace,
// like, glob, trim, ltrim, rtrim, and printf, whose time is what its format says.
//
// The results are those of SQLite's own. What cannot be bounded this way is refused by the guard.
#pragma once

#include "toolpost/result.h"

struct sqlite3;

namespace toolpost::db {

// Puts them in place of the built-in ones, for this connection. LibSqlite must be loaded.
Result<void> ReplaceSlowFunctions(sqlite3* database);

}  // namespace toolpost::db
