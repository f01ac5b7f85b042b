// Reads the listing from the server, entry by entry as clients get it.
#include "base/json_parse.h"
#include "cli/tool_tables.h"
#include "mcp/registry_listing.h"
#include "transport/server_impl.h"

namespace toolpost::cli {

std::vector<ListedTool> ListedTools(Server& server) {
  const mcp::Core& core = server.impl().core;
  std::vector<ListedTool> tools;
  for (const auto& registered : core.registry.All()) {
    const Tool& tool = registered->tool;
    std::string entry;
    mcp::AppendListingEntry(entry, tool, core.options()->canonical_names, mcp::kNewestLegacy);
    if (Result<Json> parsed = base::ParseJson(entry)) {
      tools.push_back({tool.info.name, tool.info.toolset, *std::move(parsed)});
    }
  }
  return tools;
}

}  // namespace toolpost::cli
