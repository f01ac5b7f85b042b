// What a PostgreSQL error means to a caller.
#pragma once

#include <string_view>

#include "toolpost/result.h"

namespace toolpost::db {

// Logs the primary message, except those that quote values, and returns the sanitised error.
Error PostgresError(std::string_view sql_state, std::string_view primary_message);
// A serialization failure or a deadlock: the same transaction may succeed when it is run again.
bool LostRace(std::string_view sql_state);
// The server is going away or never was there.
bool LostConnection(std::string_view sql_state);

}  // namespace toolpost::db
