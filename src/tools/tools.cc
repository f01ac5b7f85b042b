// The table of built-in tools, one line per category.
#include "tools/tools.h"

#include <utility>
#include <vector>

namespace toolpost::tools {

Result<void> RegisterAll(const AddTool& add, const system::SystemProbes& probes) {
  std::vector<Tool> all;
  for (auto* make : {system::InfoTool, system::HealthTool, system::ToolsTool})
    all.push_back(make(probes));
  for (Tool& tool : all) RETURN_IF_ERROR(add(std::move(tool)));
  return {};
}

}  // namespace toolpost::tools
