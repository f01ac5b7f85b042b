// The parser of PostgreSQL's own grammar (libpg_query), loaded on first use.
#pragma once

#include <string_view>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::db {

// Parses `sql` (no NUL in it) into the tree that PostgreSQL 15 would, in libpg_query's JSON form:
// {"version": …, "stmts": [{"stmt": {NODE: {…}}}, …]}. Thread-safe. Code::kInvalidArgument with the
// parser's words for a syntax error or a tree that nests too deeply; Code::kUnavailable names the
// package to install.
Result<Json> ParsePostgres(std::string_view sql, boost::json::storage_ptr storage);

// Whether the library is there.
Result<void> LoadPostgresParser();

}  // namespace toolpost::db
