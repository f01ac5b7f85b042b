// Indexes that are only thought of: the extension hypopg shows planners what they would change.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "db/database.h"
#include "db/postgres_database_session.h"

namespace toolpost::db {

// What makes `session` suppose that there are such indexes, until it is closed. Names are quoted.
// Code::kInvalidArgument where the database does not have hypopg, and behind a pooler, whose
// sessions would keep them for others.
Result<std::vector<PostgresStep>> SupposeIndexes(PostgresSession& session,
                                                 std::span<const HypotheticalIndex> indexes,
                                                 const Patience& patience);

}  // namespace toolpost::db
