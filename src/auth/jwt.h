// JSON Web Tokens (RFC 7519 in the compact form of RFC 7515), verified and read. The algorithm is a
// property of the key, never of the token: `alg` is only compared with it, and nothing the header
// points to (jwk, jku, x5u, x5c) is looked at.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "auth/verification_key.h"
#include "base/clock.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::auth {

struct JwtRules {
  std::string issuer;    // `iss` must equal it; empty: not checked
  std::string audience;  // `aud` must equal or contain it; empty: not checked
  // How far the issuer's clock may be ahead: for `nbf` and `iat`. `exp` gets no extra time.
  std::chrono::seconds skew{60};
  std::chrono::seconds longest_life{24 * 3600};  // exp − iat (or now); 0: no limit
};

struct Claims {
  std::string subject;              // 1 to 255 bytes, no control characters
  std::vector<std::string> scopes;  // `scope` (space separated) or `scp` (array or string)
  base::WallTime expires{};         // a cached result must not be used at or after this time
  JsonObject all;
};

// Accepts a token of three segments of at most 8 KiB each, unpadded base64url, header and payload
// strict JSON objects without duplicate names, `typ` absent, JWT or at+jwt, no `crit`, signed by a
// candidate of `keys` whose algorithm is the token's; at most eight are tried. `exp`, `nbf` and
// `iat` are integers, `exp` and `sub` required.
//
// Every refusal has Code::kUnauthenticated and a message that is safe to show ("The token has
// expired."), never the token or its claims. Code::kUnavailable when `keys` cannot say yet.
Result<Claims> VerifyJwt(std::string_view token, KeySource& keys, const JwtRules& rules);
// True for three dot-separated parts: what D14 treats as a JWT.
bool LooksLikeJwt(std::string_view token);

}  // namespace toolpost::auth
