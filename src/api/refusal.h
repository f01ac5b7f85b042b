// Refusals of calls in the words of HTTP.
#pragma once

#include <string>
#include <string_view>

#include "auth/authenticator.h"
#include "net/http_server.h"
#include "toolpost/result.h"

namespace toolpost::api {

// How a door words what it refuses before it has read the request. `headers` is a raw block.
using RefusalForm = void (*)(const net::Request& request, net::Exchange& exchange, int status,
                             const Error& error, std::string_view headers);
// A JSON-RPC error without id.
void SendJsonRpcRefusal(const net::Request& request, net::Exchange& exchange, int status,
                        const Error& error, std::string_view headers);

struct HttpRefusal {
  int status = 0;       // 0: HTTP has nothing to add
  std::string headers;  // raw block
};

// 429 with Retry-After for limits, 403 with a challenge for tokens that lack a scope (step-up), 401
// for credentials that ended meanwhile.
HttpRefusal HttpRefusalOf(const Error& error, const Principal& principal,
                          const auth::Authenticator& authenticator);

}  // namespace toolpost::api
