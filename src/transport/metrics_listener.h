// A second listener for monitors alone: /metrics, /healthz and /readyz.
#pragma once

#include <cstdint>
#include <string>

#include "api/front_door.h"
#include "api/guard.h"
#include "api/health_endpoint.h"
#include "net/http_server.h"
#include "toolpost/result.h"
#include "transport/http.h"

namespace toolpost::transport {

// On a loopback address everybody who can connect sees everything; elsewhere callers need the same
// credentials as at the main listener. Must be stopped before `core` goes.
class MetricsListener {
 public:
  MetricsListener(const mcp::Core& core, const std::string& host, std::uint16_t port,
                  const HttpIdentity& identity);

  Result<void> Start() { return server_.Start(); }
  std::uint16_t port() const { return server_.port(); }
  void Stop();

 private:
  api::Guard guard_;
  api::FrontDoor door_;
  api::HealthEndpoint health_;
  net::HttpServer server_;
};

}  // namespace toolpost::transport
