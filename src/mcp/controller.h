// The plain JSON-RPC 2.0 controller (document CTRL): no session, tool names as methods.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "mcp/message.h"
#include "mcp/registry.h"

namespace toolpost::mcp {

struct Core;

// Answers a message or a batch. `done` is called once with the reply, empty when there is nothing
// to answer (notifications). Methods: tools/list, tools/call, ping, and every tool by any of its
// names (arguments in params, its data as result).
void ServeController(Core& core, std::shared_ptr<const Body> body, const Principal& principal,
                     const ToolView& view, std::function<void(std::string)> done);

}  // namespace toolpost::mcp
