// The table toolpost_usage.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "store/usage_log.h"

namespace toolpost::store {

enum class UsageOf { kKey, kUser };

// All entries and the last-used times of their keys in one transaction.
Result<void> InsertUsage(Store& store, const std::vector<Usage>& entries);
// Entries of calls before `time`, in transactions of bounded size.
Result<void> RemoveUsageBefore(Store& store, base::WallTime time);
// Newest first; `limit` outside 1 to 10,000 gives Code::kInvalidArgument.
Result<std::vector<Usage>> SelectUsage(Store& store, UsageOf whose, std::string_view id,
                                       std::int64_t limit);
// Cuts `text` to `longest` bytes at a character's border and replaces NUL and what is not UTF-8 by
// "?".
void MakeStorable(std::string& text, std::size_t longest);

}  // namespace toolpost::store
