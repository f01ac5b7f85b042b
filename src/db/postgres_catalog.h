// What PostgreSQL's catalogue says: about functions and types, about the account, about tables.
//
// The statements are ours and constant; names come in as bound parameters only.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/function_policy.h"
#include "db/postgres_database.h"
#include "db/postgres_database_session.h"
#include "db/select_guard_postgres.h"

namespace toolpost::db {

// Everything that is read once and kept. Immutable but for the types that are met.
struct PostgresSnapshot {
  FunctionPolicy policy;
  std::unique_ptr<PostgresTypes> types;
  std::vector<std::string> privileges;  // as in DatabaseStatus
  std::chrono::steady_clock::time_point read_at;
};

Result<std::shared_ptr<const PostgresSnapshot>> ReadPostgresSnapshot(
    PostgresSession& session, const PostgresDatabaseOptions& options, const Patience& patience);

// Adds what the catalogue says of these types, such as those of the rows of tables.
Result<void> LearnPostgresTypes(PostgresSession& session, const std::vector<Oid>& oids,
                                PostgresTypes& types, const Patience& patience);

// Whether reading these relations runs no code of the database: tables without row-level security
// and without columns of domains or composite types, no views.
Result<bool> ReadsOnlyTables(PostgresSession& session, const std::vector<RelationName>& relations,
                             const Patience& patience);

// As Database::Tables and Database::Describe.
Result<TablePage> ListPostgresTables(PostgresSession& session, const TableFilter& filter,
                                     const Patience& patience);
Result<std::vector<TableDetails>> DescribePostgresTables(PostgresSession& session,
                                                         std::string_view schema,
                                                         std::span<const std::string> tables,
                                                         const Patience& patience);

}  // namespace toolpost::db
