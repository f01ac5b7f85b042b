// Adds, replaces and removes declared tools.
#include "cli/declared_tools.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/strings.h"
#include "mcp/names.h"
#include "mcp/registry.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

// Where it stands in the file is not part of a tool.
bool Same(config::Config::DeclaredTool a, const config::Config::DeclaredTool& b) {
  a.where = b.where;
  return a == b;
}

Error Refused(const std::string& name, const config::Config::DeclaredTool& declared,
              std::string_view why) {
  return Error::InvalidParams(base::StrCat(declared.where, ": tool.", name, ": ", why));
}

}  // namespace

bool DeclaredTools::Offers(const std::string& tool) const {
  return std::any_of(offered_.begin(), offered_.end(), [&](const auto& each) {
    return tools::database::DeclaredToolName(each.first) == tool;
  });
}

Result<void> DeclaredTools::Apply(Server& server, const config::Config& config) {
  std::vector<std::pair<std::string, Tool>> additions;
  std::set<std::string> wire_names;
  for (const auto& [name, declared] : config.declared_tools) {
    if (!wire_names.insert(mcp::DefaultWireName(tools::database::DeclaredToolName(name))).second)
      return Refused(name, declared, "another declared tool has this name");
    if (const Result<void> fits = tools::database::CheckDeclaredTool(config, declared); !fits)
      return Refused(name, declared, fits.error().message);
    const auto present = offered_.find(name);
    if (present != offered_.end() && Same(present->second, declared)) continue;
    Tool tool = tools::database::DeclaredTool(services_, name, declared);
    if (server.impl().core.registry.Find(tool.info.name) != nullptr && !Offers(tool.info.name))
      return Refused(name, declared, "another tool has this name");
    additions.emplace_back(name, std::move(tool));
  }
  for (auto present = offered_.begin(); present != offered_.end();) {
    const auto& [name, declared] = *present;
    const auto next = config.declared_tools.find(name);
    if (next != config.declared_tools.end() && Same(declared, next->second)) {
      ++present;
      continue;
    }
    RETURN_IF_ERROR(server.RemoveTool(tools::database::DeclaredToolName(name)));
    present = offered_.erase(present);
  }
  for (auto& [name, tool] : additions) {
    const config::Config::DeclaredTool& declared = config.declared_tools.at(name);
    if (Result<void> added = server.AddTool(std::move(tool)); !added)
      return Refused(name, declared, added.error().message);
    offered_[name] = declared;
  }
  return {};
}

}  // namespace toolpost::cli
