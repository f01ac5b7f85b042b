// Opening a PostgreSQL connection without giving its password away.
#pragma once

#include "db/libpq.h"
#include "db/postgres.h"

namespace toolpost::db {

// Connects, blocking for at most the timeout per address. A URL that libpq cannot read gives
// Code::kInvalidArgument and no part of it; a server that is not there or refuses gives
// Code::kUnavailable, with the reason in the log.
Result<PGconn*> LogIn(const Libpq& pq, const PostgresOptions& options);
// Code::kInvalidArgument, without any part of it, for a URL that libpq cannot read.
Result<void> CheckPostgresUrl(const Libpq& pq, const std::string& url);
// Whether what a readable URL and the environment say may lead to another machine: a host of
// either, or a service, whose file is not read here.
bool ConnectsToOthers(const Libpq& pq, const std::string& url);

}  // namespace toolpost::db
