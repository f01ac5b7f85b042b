// DNS-rebinding and cross-site protection.
#include "api/guard.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::api {
namespace {

// "[::1]:3001" → "[::1]", "localhost:3001" → "localhost".
std::string_view WithoutPort(std::string_view authority) {
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    return end == std::string_view::npos ? authority : authority.substr(0, end + 1);
  }
  return authority.substr(0, authority.find(':'));
}

bool IsLoopbackName(std::string_view host) {
  return base::EqualIgnoringCase(host, "localhost") || host == "127.0.0.1" || host == "[::1]";
}

bool IsLoopbackOrigin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme))
      return IsLoopbackName(WithoutPort(origin.substr(scheme.size())));
  }
  return false;
}

bool Contains(const std::vector<std::string>& list, std::string_view value) {
  return std::any_of(list.begin(), list.end(), [value](const std::string& entry) {
    return base::EqualIgnoringCase(entry, value);
  });
}

}  // namespace

Guard::Guard(std::vector<std::string> allowed_hosts, std::vector<std::string> allowed_origins)
    : hosts_(std::move(allowed_hosts)), origins_(std::move(allowed_origins)) {}

bool Guard::HostAllowed(std::string_view host) const {
  return IsLoopbackName(WithoutPort(host)) || Contains(hosts_, host) ||
         Contains(hosts_, WithoutPort(host));
}

Guard::Verdict Guard::Check(const net::Request& request) const {
  if (!HostAllowed(request.Find("Host"))) {
    return {false, "This Host is not allowed; add it to http.allowed_hosts", {}};
  }
  const std::string_view origin = request.Find("Origin");
  const bool configured = origin.data() != nullptr && Contains(origins_, origin);
  if (origin.data() != nullptr && !configured && !IsLoopbackOrigin(origin)) {
    return {false, "This Origin is not allowed; add it to http.allowed_origins", {}};
  }
  if (!configured && request.Find("Sec-Fetch-Site") == "cross-site") {
    return {false,
            "Requests from other sites are not allowed; add their origin to http.allowed_origins",
            {}};
  }
  if (origin.data() == nullptr) return {};
  return {true,
          {},
          base::StrCat("Access-Control-Allow-Origin: ", origin,
                       "\r\nVary: Origin\r\nAccess-Control-Expose-Headers: Mcp-Session-Id, "
                       "MCP-Protocol-Version, "
                       "WWW-Authenticate, Retry-After\r\n")};
}

std::string_view PreflightHeaders() {
  return "Access-Control-Allow-Methods: GET, POST, DELETE, OPTIONS\r\n"
         "Access-Control-Allow-Headers: Content-Type, Accept, Authorization, X-API-Key, "
         "Mcp-Session-Id, "
         "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, trpc-accept, x-trpc-source, "
         "traceparent, tracestate, "
         "baggage\r\n"
         "Access-Control-Max-Age: 600\r\n";
}

}  // namespace toolpost::api
