// The wire forms of completion/complete: its params read, its result written.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "toolpost/json.h"
#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

inline constexpr std::size_t kMaxCompletions = 100;

// Views into the params they were read from.
struct CompletionRequest {
  bool prompt = false;   // ref/prompt; otherwise ref/resource
  std::string_view ref;  // name of the prompt, or URI template
  std::string_view argument;
  std::string_view value;  // what has been typed so far
  std::map<std::string, std::string, std::less<>> known;
};

// Code::kInvalidArgument naming the member that is missing or of the wrong kind.
Result<CompletionRequest> ReadCompletionRequest(const JsonObject& params);

// Appends `"completion":{"values":[…],"total":…,"hasMore":…}` with at most kMaxCompletions values.
void AppendCompletion(std::string& out, const Completion& completion);

}  // namespace toolpost::mcp
