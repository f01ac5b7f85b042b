// All built-in tools.
#pragma once

#include <functional>

#include "toolpost/tool.h"
#include "tools/system/system.h"

namespace toolpost::tools {

// Registers one tool somewhere: a server or a registry.
using AddTool = std::function<Result<void>(Tool)>;

// Adds every built-in tool. Stops at the first that is refused.
Result<void> RegisterAll(const AddTool& add, const system::SystemProbes& probes);

}  // namespace toolpost::tools
