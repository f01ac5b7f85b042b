// What is known of a call once it has ended: for the audit log and usage counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "toolpost/context.h"
#include "toolpost/tool.h"

namespace toolpost::mcp {

// Valid during the observer's call only.
struct CallRecord {
  const ToolInfo& tool;
  const CallContext& context;
  const JsonObject& arguments;  // as bound, or as sent when they were refused
  const std::vector<std::string>& connections;
  std::string_view outcome;  // "OK", "TOOL_ERROR" or the name of the error code
  bool denied = false;       // refused by policy or a limit
  std::chrono::steady_clock::duration duration{};
  const Output& output;
};

// Called once a call, on the thread that ended it; must be quick and thread-safe.
using CallObserver = std::function<void(const CallRecord&)>;

}  // namespace toolpost::mcp
