// The table of built-in tools, one line per category.
#include "tools/tools.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace toolpost::tools {

Result<void> RegisterAll(const AddTool& add, const Services& services) {
  std::vector<Tool> all;
  for (auto* make : {system::InfoTool, system::HealthTool, system::ToolsTool})
    all.push_back(make(services.system));
  if (services.keys) std::ranges::move(keys::Tools(*services.keys), std::back_inserter(all));
  for (Tool& tool : all) RETURN_IF_ERROR(add(std::move(tool)));
  return {};
}

}  // namespace toolpost::tools
