// What monitors ask: /healthz, /readyz, /version and /metrics.
#pragma once

#include <memory>
#include <string_view>

#include "api/front_door.h"
#include "api/guard.h"
#include "mcp/core.h"
#include "net/http_server.h"

namespace toolpost::api {

// Handles requests on the loop's thread; never blocks. Answers while the server starts and drains
// too.
//
// Whoever asks without a credential where one is needed, or from another site, learns only whether
// the server is alive and ready. Callers see versions and which dependency has a problem,
// administrators also what the problem is, and the metrics.
class HealthEndpoint {
 public:
  // `guard` (null: none) and `door` must live as long. `open`: everybody who passes the guard may
  // see everything.
  HealthEndpoint(const mcp::Core& core, const Guard* guard, FrontDoor& door, bool open = false)
      : core_(core), guard_(guard), door_(door), open_(open) {}

  static bool Serves(std::string_view path);
  void Handle(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange);

 private:
  // Who asks. `answered`: they were turned away; otherwise null is nobody in particular.
  struct Caller {
    std::shared_ptr<const Principal> principal;
    bool answered = false;
  };
  // Why the guard turns the request away; empty: it does not.
  std::string_view GuardRefusal(const net::Request& request) const;
  Caller CallerOf(const net::Request& request, net::Exchange& exchange);
  void Ready(const Principal* caller, net::Exchange& exchange) const;
  void Metrics(const net::Request& request, net::Exchange& exchange);

  const mcp::Core& core_;
  const Guard* const guard_;
  FrontDoor& door_;
  const bool open_;
};

}  // namespace toolpost::api
