// From a Tool as its author wrote it to one that can be served. Pure functions.
#pragma once

#include <memory>

#include "mcp/registry.h"

namespace toolpost::mcp {

// Fills in defaults, checks names, schemas and annotations, and compiles the schemas.
// Code::kInvalidArgument naming the tool and the broken rule.
Result<std::shared_ptr<const RegisteredTool>> PrepareTool(Tool&& tool);

// True if both describe the same tool. Handlers cannot be compared and are not.
bool SameDefinition(const Tool& a, const Tool& b);

}  // namespace toolpost::mcp
