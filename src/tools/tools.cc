// The table of built-in tools, one line per category.
#include "tools/tools.h"

#include <utility>
#include <vector>

namespace toolpost::tools {

Result<void> RegisterAll(const AddTool& add, const Services& services) {
  const auto add_all = [&](std::vector<Tool> tools) -> Result<void> {
    for (Tool& tool : tools) RETURN_IF_ERROR(add(std::move(tool)));
    return {};
  };
  for (auto* make :
       {system::InfoTool, system::HealthTool, system::ResetMetricsTool, system::ToolsTool})
    RETURN_IF_ERROR(add(make(services.system)));
  if (services.keys) RETURN_IF_ERROR(add_all(keys::Tools(*services.keys)));
  if (services.file) RETURN_IF_ERROR(add_all(file::Tools(*services.file)));
  if (services.shell) RETURN_IF_ERROR(add(shell::ExecuteTool(*services.shell)));
  if (services.web) RETURN_IF_ERROR(add_all(web::Tools(*services.web)));
  if (services.todo) RETURN_IF_ERROR(add_all(todo::Tools(*services.todo)));
  if (services.database) RETURN_IF_ERROR(add_all(database::Tools(*services.database)));
  if (services.mssql) RETURN_IF_ERROR(add_all(mssql::Tools(*services.mssql)));
  return {};
}

}  // namespace toolpost::tools
