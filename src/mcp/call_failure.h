// What a caller sees of a call that failed. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "mcp/registry.h"

namespace toolpost::mcp {

// An answer outside the tool result: the door speaks it in its own kind of error.
CallOutcome Refusal(Error error);

// A handler's error. Questions to the client and cancellation are refusals; a call that was stopped
// by its deadline timed out; all else is an isError result that the model can read, in the tool's
// own shape if it has one.
CallOutcome FailedCall(const RegisteredTool& tool, Error error, const CallContext& context);

// What is wrong with the arguments of `subject`: a sentence, and as data every violation with path,
// rule and what is expected.
Error ArgumentError(std::string_view subject, const std::vector<Violation>& violations);

// Arguments that broke the schema: an isError result listing every violation, in the tool's own
// shape if it has one.
CallOutcome InvalidArguments(const RegisteredTool& tool, const std::vector<Violation>& violations);

}  // namespace toolpost::mcp
