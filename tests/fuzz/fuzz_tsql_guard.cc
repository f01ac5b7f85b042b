// Any bytes as a statement, and the same in another spelling: what the guard refuses it refuses in
// the other one too, and what it allows has no word outside of quotes and comments that changes
// something. Each input runs the guard twice.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "db/tsql_cases_fixture.h"
#include "db/tsql_mutation_fixture.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace toolpost::db;
  const std::string_view sql(reinterpret_cast<const char*>(data), size);
  const bool allowed = GuardedTsql(sql).has_value();
  if (allowed && !LooksHarmless(sql)) std::abort();
  const std::string mutated = MutateTsql(sql, std::hash<std::string_view>()(sql));
  if (GuardedTsql(mutated) && !(allowed && LooksHarmless(mutated))) std::abort();
  return 0;
}
