// The tables of the store, as a list of versioned changes that only ever grows.
#pragma once

#include <cstdint>

#include "db/sql.h"

namespace toolpost::store {

// The version of the tables that this program works with.
std::int64_t LatestVersion();

// Brings the tables up to date: all missing changes in one transaction, or none. Safe when any
// number of processes and instances do it at once. Tables of a newer toolpost are refused with
// Code::kConflict and left alone.
Result<void> Migrate(db::Sql& sql);

}  // namespace toolpost::store
