// Which era, and which door behind it, serves an HTTP POST: the table of A7.1 in the protocol
// reference, with requirement D4.
#pragma once

#include <string_view>

#include "mcp/message.h"
#include "mcp/modern.h"

namespace toolpost::mcp {

enum class Route {
  kRefuse,              // answer `error` with `http_status`
  kModern,              // ServeModern
  kModernNotification,  // 202, nothing to do
  kHandshake,           // a new session
  kSession,             // a session named by the header; message or batch
  kController,          // the plain JSON-RPC controller, for callers with an API key
};

struct Decision {
  Route route = Route::kRefuse;
  Error error;
  int http_status = 400;
};

struct HttpFacts {
  std::string_view
      version;  // MCP-Protocol-Version; data() == nullptr when absent, like the next one
  std::string_view session;  // Mcp-Session-Id
  bool has_api_key = false;
};

// Pure: looks at the body and the headers, nothing else.
Decision RoutePost(const Body& body, const HttpFacts& facts);

}  // namespace toolpost::mcp
