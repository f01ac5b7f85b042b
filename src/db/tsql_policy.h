// Which functions and relations of Transact-SQL a reading statement may use.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::db {

// A name of one to three parts (four with a method), without quotes.
struct TsqlName {
  std::vector<std::string> parts;  // an empty one was left out, as in master..t
  bool called = false;             // followed by arguments
  bool relation = false;           // stands where a table or a function that makes one can stand
};
// Why it may not be used, a sentence without its full stop; empty when it may. `databases`: those a
// name of three parts may begin with.
std::string WhyRefused(const TsqlName& name, std::span<const std::string> databases);

// geometry::, geography:: and hierarchyid::
bool HasStaticMethods(std::string_view type);
// `name` with its @@.
bool IsTsqlGlobal(std::string_view name);
bool IsTsqlDollarName(std::string_view name);
// CONTAINSTABLE and the like, whose first argument is a table.
bool TakesTable(std::string_view function);

}  // namespace toolpost::db
