// Status codes and headers.
#include "api/refusal.h"

#include <algorithm>

#include "api/mcp_endpoint.h"
#include "auth/policy.h"
#include "base/strings.h"

namespace toolpost::api {
namespace {

std::int64_t RetryAfterSeconds(const Error& error) {
  const JsonObject* data = error.data.if_object();
  const Json* wait = data == nullptr ? nullptr : data->if_contains("retryAfterMs");
  const std::int64_t milliseconds = wait == nullptr || !wait->is_int64() ? 1000 : wait->get_int64();
  return std::max<std::int64_t>(1, (milliseconds + 999) / 1000);
}

std::string_view ScopeOf(const Error& error) {
  const JsonObject* data = error.data.if_object();
  const Json* scope = data == nullptr ? nullptr : data->if_contains("scope");
  return scope == nullptr || !scope->is_string() ? std::string_view() : scope->get_string();
}

}  // namespace

void SendJsonRpcRefusal(const net::Request&, net::Exchange& exchange, int status,
                        const Error& error, std::string_view headers) {
  SendError(exchange, status, error, headers);
}

HttpRefusal HttpRefusalOf(const Error& error, const Principal& principal,
                          const auth::Authenticator& authenticator) {
  switch (error.code) {
    case Code::kRateLimited:
      return {429, base::StrCat("Retry-After: ", RetryAfterSeconds(error), "\r\n")};
    case Code::kUnauthenticated:
      // A tool that wants a user says so in its own words: another credential of the kind that has
      // none is no way out.
      if (!auth::EndedRefusal(principal)) return {};
      return {401, base::StrCat("WWW-Authenticate: ", authenticator.EndedChallenge(error.message),
                                "\r\n")};
    case Code::kPermissionDenied: {
      const std::string challenge = authenticator.StepUpChallenge(principal, ScopeOf(error));
      if (challenge.empty()) return {};
      return {403, base::StrCat("WWW-Authenticate: ", challenge, "\r\n")};
    }
    default:
      return {};
  }
}

}  // namespace toolpost::api
