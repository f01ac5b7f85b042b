// The plain JSON-RPC 2.0 controller (document CTRL): no session, tool names as methods.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "mcp/channel.h"
#include "mcp/message.h"
#include "mcp/registry.h"

namespace toolpost::mcp {

struct Core;

// Answers a message or a batch through `channel`: Finish with the reply, or Abandon when there is
// nothing to answer (notifications). Methods: tools/list, tools/call, ping, and every tool by any
// of its names (arguments in params, its data as result).
void ServeController(Core& core, const std::shared_ptr<const Body>& body,
                     const SharedPrincipal& principal, const ToolView& view,
                     std::shared_ptr<Channel> channel);
// The same for callers that only want the reply; empty when there is none.
void ServeController(Core& core, const std::shared_ptr<const Body>& body,
                     const SharedPrincipal& principal, const ToolView& view,
                     std::function<void(std::string)> done);

}  // namespace toolpost::mcp
