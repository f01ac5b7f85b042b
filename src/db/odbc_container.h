// The constant texts around a caller's statement.
//
// A caller's text is a parameter of sp_executesql, so that no driver scans it and what it sets ends
// with it. Around it is a transaction: rolled back after a statement that reads, committed after
// one that may write and did not fail. The last result set says how deep the transaction was when
// the statement had ended (anything but 1 means that it left its container) and, after one that may
// write, how many rows its last part changed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolpost::db {

// Each takes the parameters @toolpost_sql and, if the statement has any, @p1, @p2 … for its own and
// @toolpost_types.
std::string ReadContainer(std::size_t parameters);
std::string WriteContainer(std::size_t parameters);

// The name of the first column of the last result set.
inline constexpr std::string_view kContainerColumn = "toolpost_depth";

// Ends what a statement that did not end by itself may have left, and says how deep the
// transaction still is.
inline constexpr std::string_view kCheckSql =
    "/* toolpost:check */ IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; "
    "SELECT @@TRANCOUNT AS toolpost_depth";

inline constexpr std::string_view kPingSql = "/* toolpost:ping */ SELECT 1 AS one";

}  // namespace toolpost::db
