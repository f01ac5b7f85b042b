// A user's PostgreSQL database.
//
// What keeps it unchanged, from the outside in (docs/databases.md): the text is parsed with
// PostgreSQL's own grammar and every node of it is checked (select_guard_postgres.h); functions and
// operators are judged by what the database's catalogue says about them (function_policy.h); the
// statement travels alone in the extended protocol, in a REPEATABLE READ READ ONLY transaction that
// is always rolled back; a connection whose transaction did not end as expected is closed; session
// state is reset where a statement could have left any. The account's privileges are the boundary:
// everything before is depth.
//
// Works behind PgBouncer in transaction mode: nothing that matters lives in the session.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "db/database.h"

namespace toolpost::db {

struct PostgresDatabaseOptions {
  // postgresql://user:password@host:port/database?option=…, as libpq reads it. Unless it names an
  // sslmode, a host that is not this machine, also one of the environment (PGHOST) or of a service,
  // is connected to with sslmode=verify-full (and the system's certificate authorities unless it
  // names a sslrootcert).
  std::string url;
  int max_connections = 8;
  std::chrono::seconds connect_timeout{5};  // the URL's own wins
  // Schemas, besides pg_catalog, whose functions may be called when the policy finds them harmless;
  // empty: all of them.
  std::vector<std::string> function_schemas;
  // Extensions, besides the well-known ones, whose C functions may be called.
  std::vector<std::string> trusted_extensions;
  // What the catalogue says about functions and types is then read again.
  std::chrono::seconds catalogue_lasts = std::chrono::hours(1);
};

// Does not connect yet. Code::kInvalidArgument for a URL that cannot be read (no part of it is
// quoted); Code::kUnavailable when libpq or libpg_query is not installed.
Result<std::unique_ptr<Database>> OpenPostgresDatabase(const PostgresDatabaseOptions& options);

}  // namespace toolpost::db
