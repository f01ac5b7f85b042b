// The TypeScript declarations of the tRPC router, made from the schemas of the tools behind it.
#pragma once

#include <string>

#include "mcp/registry.h"

namespace toolpost::api {

// A module that exports `AppRouter` and the types of inputs and outputs. Procedures whose tool the
// view does not show are left out.
std::string TrpcTypes(const mcp::Registry& registry, const mcp::ToolView& view);

}  // namespace toolpost::api
