// JSON values as parameters of an SQLite statement.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolpost/json.h"
#include "toolpost/result.h"

struct sqlite3_stmt;

namespace toolpost::db {

// An array for `?`, `?1` and `$1`; an object for `:name`, `@name` and `$name`; null when there are
// none. Booleans become 0 and 1, arrays and objects their JSON text. Every parameter needs a value
// and every value a parameter: Code::kInvalidArgument otherwise. `parameters` must stay until the
// statement is reset.
Result<void> BindSqliteParameters(sqlite3_stmt* statement, const Json* parameters);

// The parameters in a statement as they stand there, each once: `:name`, `$1`, `?`.
std::vector<std::string> SqliteParametersIn(std::string_view sql);

}  // namespace toolpost::db
