// The table of built-in tools, one line per category.
#include "tools/tools.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace toolpost::tools {

Result<void> RegisterAll(const AddTool& add, const Services& services) {
  std::vector<Tool> all;
  for (auto* make :
       {system::InfoTool, system::HealthTool, system::ResetMetricsTool, system::ToolsTool})
    all.push_back(make(services.system));
  if (services.keys) std::ranges::move(keys::Tools(*services.keys), std::back_inserter(all));
  if (services.file) std::ranges::move(file::Tools(*services.file), std::back_inserter(all));
  if (services.shell) all.push_back(shell::ExecuteTool(*services.shell));
  if (services.web) std::ranges::move(web::Tools(*services.web), std::back_inserter(all));
  if (services.todo) std::ranges::move(todo::Tools(*services.todo), std::back_inserter(all));
  if (services.database)
    std::ranges::move(database::Tools(*services.database), std::back_inserter(all));
  for (Tool& tool : all) RETURN_IF_ERROR(add(std::move(tool)));
  return {};
}

}  // namespace toolpost::tools
