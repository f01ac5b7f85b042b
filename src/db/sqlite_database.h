// A user's SQLite database.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "db/database.h"
#include "db/sqlite_reader.h"

namespace toolpost::db {

struct SqliteDatabaseOptions {
  SqliteSource source;
  bool sample = false;  // the sample shop instead of `source`
  int max_connections = 4;
};

// `sqlite:PATH`, `sqlite://PATH` (relative to the working directory, or absolute with a third
// slash), with `?immutable=1` for a file that never changes; `%20` and the like stand for their
// bytes. Code::kInvalidArgument says what is wrong.
Result<SqliteSource> ParseSqliteUrl(std::string_view url);

// Nothing is opened yet, so that a file may come later; but what must not be opened is refused now
// (and again each time).
Result<std::unique_ptr<Database>> OpenSqliteDatabase(const SqliteDatabaseOptions& options);

}  // namespace toolpost::db
