// The `x-mcp-header` annotations of an input schema (2026-07-28, mcp-protocol.md A6.7).
#pragma once

#include <vector>

#include "mcp/registry.h"

namespace toolpost::mcp {

// All annotated properties, in document order. Code::kInvalidArgument for an annotation a client
// would drop the tool for: no RFC 9110 token, used twice (ignoring case), on something other than a
// string, integer or boolean, or not reachable through `properties` alone.
Result<std::vector<HeaderArgument>> CollectHeaderArguments(const Json& input_schema);

}  // namespace toolpost::mcp
