// `key=value` words of `toolpost call` to the arguments of a tool.
#pragma once

#include <span>
#include <string>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::cli {

// Builds the argument object. A value is taken as a string where `input_schema` says string, and
// else as JSON (`limit=5`, `tags=["a"]`) if it is JSON; what is not JSON stays a string, so that
// the tool's own check explains what it expected. A word without '=', an empty key or a key given
// twice is Code::kInvalidArgument. `input_schema` may be null.
Result<JsonObject> ArgumentsFromWords(const Json& input_schema, std::span<const std::string> words);

}  // namespace toolpost::cli
