// The `x-mcp-header` annotations of an input schema (2026-07-28, mcp-protocol.md A6.7).
#pragma once

#include <string>
#include <vector>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::mcp {

// An argument that must also be sent as the header `Mcp-Param-<header>` (2026-07-28,
// `x-mcp-header`).
struct HeaderArgument {
  std::string header;
  std::vector<std::string> path;  // property names from the root
  std::string type;               // "string", "integer" or "boolean"
};

// All annotated properties, in document order. Code::kInvalidArgument for an annotation a client
// would drop the tool for: no RFC 9110 token, used twice (ignoring case), on something other than a
// string, integer or boolean, or not reachable through `properties` alone.
Result<std::vector<HeaderArgument>> CollectHeaderArguments(const Json& input_schema);

}  // namespace toolpost::mcp
