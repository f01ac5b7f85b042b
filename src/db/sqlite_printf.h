// printf() and format() of SQL that come to an end.
//
// SQLite's own append the character of '%.2000000000c' two thousand million times, although the
// text has long been too long, and look at nothing meanwhile; and what is too long, they call null.
#pragma once

#include "toolpost/result.h"

struct sqlite3;

namespace toolpost::db {

// Puts them in place of the built-in ones, for this connection. LibSqlite must be loaded.
Result<void> ReplacePrintf(sqlite3* database);

}  // namespace toolpost::db
