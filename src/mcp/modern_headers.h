// The headers of a modern POST must say what its body says (2026-07-28, A6.7 of the protocol
// reference).
#pragma once

#include <string_view>

#include "mcp/message.h"
#include "mcp/modern.h"
#include "mcp/registry.h"

namespace toolpost::mcp {

// MCP-Protocol-Version and Mcp-Method, where present, must not contradict the body.
Result<void> CheckHeaderConflicts(const HttpHeaders& headers, const Message& message,
                                  std::string_view version);
// MCP-Protocol-Version, Mcp-Method and, for the methods that need it, Mcp-Name must be there and
// match.
Result<void> CheckRequiredHeaders(const HttpHeaders& headers, const Message& message);
// Mcp-Param-* of tools/call.
Result<void> CheckParameterHeaders(const HttpHeaders& headers, const RegisteredTool& tool,
                                   const JsonObject* arguments);

}  // namespace toolpost::mcp
