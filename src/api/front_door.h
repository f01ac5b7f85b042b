// What every HTTP request passes before its route: the address limit, then who sends it.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "api/refusal.h"
#include "auth/authenticator.h"
#include "auth/rate_limit.h"
#include "net/http_server.h"

namespace toolpost::api {

// A request that was turned away, for the audit log.
struct Denial {
  std::string_view path;
  std::string_view address;
  std::string_view reason;  // "UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED"
};

// Thread-safe.
class FrontDoor {
 public:
  // `requests_per_second` per address (per /64 for IPv6), loopback exempt; 0: no limit. Failed
  // authentication has a tighter limit of its own: five at once, then one a second.
  FrontDoor(std::shared_ptr<auth::Authenticator> authenticator, double requests_per_second,
            std::function<void(const Denial&)> on_denial);

  // The principal of the request, or null after answering 401, 403, 429 or 503 in `form`.
  std::shared_ptr<const Principal> Admit(const net::Request& request, net::Exchange& exchange,
                                         std::string_view cors,
                                         RefusalForm form = SendJsonRpcRefusal);
  auth::Authenticator& authenticator() const { return *authenticator_; }
  void Configure(double requests_per_second);

 private:
  const std::shared_ptr<auth::Authenticator> authenticator_;
  auth::RateLimiter requests_;
  auth::RateLimiter failures_;
  const std::function<void(const Denial&)> on_denial_;
};

}  // namespace toolpost::api
