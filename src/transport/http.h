// The HTTP listener: one port, a table of routes, the checks every request passes.
#pragma once

#include <atomic>
#include <memory>

#include "api/duplex_endpoints.h"
#include "api/guard.h"
#include "api/mcp_endpoint.h"
#include "api/ticker.h"
#include "mcp/core.h"
#include "net/http_server.h"
#include "toolpost/server.h"

namespace toolpost::transport {

class HttpListener {
 public:
  HttpListener(mcp::Core& core, const HttpOptions& options);
  ~HttpListener();

  Result<void> Start();
  std::uint16_t port() const { return server_.port(); }
  void Stop();

 private:
  void Route(const net::Request& request, std::shared_ptr<net::Exchange> exchange);
  // The view a path below /mcp selects; false when there is no such path.
  static bool ViewOf(std::string_view path, mcp::ToolView& view);

  mcp::Core& core_;
  const HttpOptions options_;
  std::atomic<bool> draining_{false};
  api::Guard guard_;
  api::Ticker ticker_;
  api::McpEndpoint mcp_;
  api::SseEndpoint sse_;
  net::HttpServer server_;
};

}  // namespace toolpost::transport
