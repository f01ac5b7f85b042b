// The arguments of prompts/get and completion/complete against what the prompt declares.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "toolpost/json.h"
#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

using PromptArguments = std::map<std::string, std::string, std::less<>>;

// Code::kInvalidArgument when the prompt declares no argument of that name; says which it takes.
Result<void> CheckPromptArgument(const PromptInfo& info, std::string_view name);

// Code::kInvalidArgument, naming the argument, for one that is not declared, is no string, or is
// required and missing.
Result<PromptArguments> CheckPromptArguments(const PromptInfo& info, const JsonObject& arguments);

}  // namespace toolpost::mcp
