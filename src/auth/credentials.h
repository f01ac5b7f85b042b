// The one credential a request presents, from its `Authorization` and `X-API-Key` headers. Never
// from the query string: that ends up in logs and histories.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace toolpost::auth {

struct Presented {
  enum class Kind {
    kNone,       // neither header
    kMalformed,  // `reason` says what is wrong and what to send instead; it never repeats the value
    kToken,      // `token`: an API key, a JWT or the master key; which one is not decided here
  };
  Kind kind = Kind::kNone;
  std::string_view token;  // points into the header
  std::string reason;
};

// `Authorization: Bearer TOKEN` (the scheme in any case, one or more spaces, the characters of
// token68 in RFC 9110) or `X-API-Key: KEY` (any visible ASCII). Each argument holds the values of
// all headers of that name. Malformed: another scheme, nothing or more than one word after it, a
// token above 24.5 KiB (the largest JWT that VerifyJwt reads fits), a header given twice, both
// headers with different tokens.
Presented ReadCredentials(std::span<const std::string_view> authorization,
                          std::span<const std::string_view> api_key);

}  // namespace toolpost::auth
