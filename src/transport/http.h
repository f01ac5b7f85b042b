// The HTTP listener: one port, a table of routes, the checks every request passes.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/duplex_endpoints.h"
#include "api/front_door.h"
#include "api/guard.h"
#include "api/health_endpoint.h"
#include "api/mcp_endpoint.h"
#include "api/ticker.h"
#include "api/trpc_endpoint.h"
#include "mcp/core.h"
#include "net/http_server.h"
#include "toolpost/server.h"
#include "transport/http_counters.h"

namespace toolpost::transport {

// Who may come in.
struct HttpIdentity {
  std::shared_ptr<auth::Authenticator> authenticator =
      std::make_shared<auth::Authenticator>(auth::AuthenticatorOptions{});
  std::function<void(const api::Denial&)> on_denial;
  // OAuth protected-resource metadata (RFC 9728): the document and the paths it is served at.
  std::string metadata;
  std::vector<std::string> metadata_paths;
};

class HttpListener {
 public:
  HttpListener(mcp::Core& core, const HttpOptions& options, HttpIdentity identity);
  ~HttpListener();

  Result<void> Start();
  std::uint16_t port() const { return server_.port(); }
  void Stop();
  void SetAddressLimit(double requests_per_second) { door_.Configure(requests_per_second); }

 private:
  void Route(const net::Request& request, std::shared_ptr<net::Exchange> exchange);
  // The view a path below /mcp selects; false when there is no such path.
  static bool ViewOf(std::string_view path, mcp::ToolView& view);

  mcp::Core& core_;
  const HttpOptions options_;
  std::atomic<bool> draining_{false};
  const HttpIdentity identity_;
  api::Guard guard_;
  api::FrontDoor door_;
  api::Ticker ticker_;
  api::HealthEndpoint health_;
  api::McpEndpoint mcp_;
  api::SseEndpoint sse_;
  api::TrpcEndpoint trpc_;
  const std::shared_ptr<HttpCounters> counters_ = std::make_shared<HttpCounters>();
  net::HttpServer server_;
  std::function<void()> forget_;  // takes the listener out of the health report
};

}  // namespace toolpost::transport
