// Query plans in a few lines.
#pragma once

#include <string>
#include <vector>

#include "toolpost/json.h"
#include "tools/database/collect.h"

namespace toolpost::tools::database {

// Of `EXPLAIN (FORMAT JSON)`: one line per node, indented, at most 30, then what stands out.
std::vector<std::string> SummaryOfPostgresPlan(const Json& plan);
// Of `EXPLAIN QUERY PLAN`: rows of id, parent, not used, detail.
std::vector<std::string> SummaryOfSqlitePlan(const std::vector<TextRow>& rows);

}  // namespace toolpost::tools::database
