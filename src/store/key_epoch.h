// The counter that tells every process and instance that API keys have changed.
#pragma once

#include <cstdint>

#include "db/sql.h"

namespace toolpost::store {

// 1 in a new store.
Result<std::int64_t> ReadKeyEpoch(db::Sql& sql);
// In the transaction of the change itself.
Result<void> RaiseKeyEpoch(db::Sql& sql);

}  // namespace toolpost::store
