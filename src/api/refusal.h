// Refusals of calls in the words of HTTP.
#pragma once

#include <string>

#include "auth/authenticator.h"
#include "toolpost/result.h"

namespace toolpost::api {

struct HttpRefusal {
  int status = 0;       // 0: HTTP has nothing to add
  std::string headers;  // raw block
};

// 429 with Retry-After for limits, 403 with a challenge for tokens that lack a scope (step-up), 401
// for credentials that ended meanwhile.
HttpRefusal HttpRefusalOf(const Error& error, const Principal& principal,
                          const auth::Authenticator& authenticator);

}  // namespace toolpost::api
