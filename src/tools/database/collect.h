// A small result as text, for tools that read a few rows of their own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "toolpost/context.h"
#include "tools/database/database.h"

namespace toolpost::tools::database {

using TextRow = std::vector<std::string>;  // null is empty

// At most `most` rows.
Result<std::vector<TextRow>> Collect(const DatabaseServices& services, db::Database& database,
                                     std::string_view sql, const Json* parameters,
                                     CallContext& context, std::size_t most = 1000,
                                     std::span<const db::HypotheticalIndex> indexes = {});

}  // namespace toolpost::tools::database
