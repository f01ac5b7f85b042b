// Query plans in a few lines.
#pragma once

#include <string>
#include <vector>

#include "toolpost/json.h"
#include "tools/database/collect.h"

namespace toolpost::tools::database {

// Of `EXPLAIN (FORMAT JSON)`: one line per node, indented, at most 30, then what stands out.
std::vector<std::string> SummaryOfPostgresPlan(const Json& plan);
// What the planner expects it to cost; -1 if it does not say.
double CostOfPostgresPlan(const Json& plan);
// In one line, what an idea does to the cost of a plan.
std::string Comparison(double cost_without, double cost_with);
// Of `EXPLAIN QUERY PLAN`: rows of id, parent, not used, detail.
std::vector<std::string> SummaryOfSqlitePlan(const std::vector<TextRow>& rows);

}  // namespace toolpost::tools::database
