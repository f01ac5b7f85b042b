// The tool list as people read it: a plain list, its cost in tokens, and docs/tools.md.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "toolpost/json.h"
#include "toolpost/server.h"

namespace toolpost::cli {

// One entry of tools/list with what the entry itself does not say. Members an entry lacks are left
// out of every rendering.
struct ListedTool {
  std::string id;  // canonical
  std::string toolset;
  Json entry;  // as MCP clients of the newest revision with sessions get it
};

// The visible tools in listing order.
std::vector<ListedTool> ListedTools(Server& server);

// One line per tool: canonical id and description.
std::string ToolList(std::span<const ListedTool> tools);
// Bytes and estimated tokens (bytes / 4) of every tool's definition, and the sums per toolset and
// in total.
std::string TokenTable(std::span<const ListedTool> tools);
// docs/tools.md: arguments, results and annotations of every tool.
std::string ToolsMarkdown(std::span<const ListedTool> tools);

}  // namespace toolpost::cli
