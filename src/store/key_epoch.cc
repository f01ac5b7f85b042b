// One row of toolpost_counters.
#include "store/key_epoch.h"

namespace toolpost::store {

Result<std::int64_t> ReadKeyEpoch(db::Sql& sql) {
  ASSIGN_OR_RETURN(const auto rows,
                   sql.Query("SELECT value FROM toolpost_counters WHERE name = 'key_epoch'"));
  if (rows.size() == 1) return db::IntegerOr(rows[0][0], 0);
  return Error::Internal("The store lacks its key counter: restore the database from a backup");
}

Result<void> RaiseKeyEpoch(db::Sql& sql) {
  RETURN_IF_ERROR(
      sql.Execute("UPDATE toolpost_counters SET value = value + 1 WHERE name = 'key_epoch'"));
  return {};
}

}  // namespace toolpost::store
