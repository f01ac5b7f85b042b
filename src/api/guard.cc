// DNS-rebinding and cross-site protection.
#include "api/guard.h"

#include <algorithm>

#include "base/strings.h"
#include "config/bind.h"

namespace toolpost::api {
namespace {

// "[::1]:3001" → "[::1]", "localhost:3001" → "localhost"; anything else behind the name stays.
std::string_view WithoutPort(std::string_view authority) {
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == std::string_view::npos) return authority;
  const std::size_t colon = authority.find(':', bracket);
  if (colon == std::string_view::npos ||
      authority.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
    return authority;
  return authority.substr(0, colon);
}

bool IsLoopbackName(std::string_view host) {
  return base::EqualIgnoringCase(host, "localhost") || host == "127.0.0.1" || host == "[::1]" ||
         (host.starts_with("127.") && config::IsLoopback(host));
}

bool IsLoopbackOrigin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme))
      return IsLoopbackName(WithoutPort(origin.substr(scheme.size())));
  }
  return false;
}

// Mcp-Param-NAME: 2026-07-28 lets a tool choose the names.
bool IsParameterHeader(std::string_view name) {
  constexpr std::string_view kStart = "mcp-param-";
  return name.size() > kStart.size() &&
         base::EqualIgnoringCase(name.substr(0, kStart.size()), kStart) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_';
         });
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

std::string PreflightHeaders(const net::Request& request) {
  std::string headers =
      "Access-Control-Allow-Methods: GET, POST, DELETE, OPTIONS\r\n"
      "Access-Control-Allow-Headers: Content-Type, Accept, Authorization, X-API-Key, "
      "Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, trpc-accept, "
      "x-trpc-source, traceparent, tracestate, baggage";
  for (const std::string_view name :
       base::Split(request.Find("Access-Control-Request-Headers"), ',')) {
    if (IsParameterHeader(base::Trim(name))) headers.append(", ").append(base::Trim(name));
  }
  return headers + "\r\nAccess-Control-Max-Age: 600\r\n";
}

}  // namespace toolpost::api
