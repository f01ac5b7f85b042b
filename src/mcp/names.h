// The spellings of a tool's name (requirements D1).
//
// A canonical id is `category/name`. The wire name is what MCP clients list: every client and model
// API in the field accepts it (a letter, then at most 47 of A-Za-z0-9_-, never `__`). Pure
// functions.
#pragma once

#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::mcp {

// Code::kInvalidArgument saying which rule is broken.
Result<void> CheckCanonicalId(std::string_view id);
Result<void> CheckWireName(std::string_view wire);
// An alias is spelled like a canonical id or like a wire name.
Result<void> CheckAlias(std::string_view alias);

// The part before the slash of a valid id.
std::string_view CategoryOf(std::string_view id);
// The id with '_' for '/'.
std::string DefaultWireName(std::string_view id);

}  // namespace toolpost::mcp
