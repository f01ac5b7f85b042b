// Which addresses may be listened on.
#include "config/bind.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"
#include "config/config.h"

namespace toolpost::config {
namespace {

using Ipv6 = std::array<unsigned char, 16>;

// IPv4 as ::ffff:a.b.c.d.
std::optional<Ipv6> Parse(std::string_view host) {
  const std::string text(host);
  if (text.find('\0') != std::string::npos) return std::nullopt;
  Ipv6 bytes{};
  if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
  if (::inet_pton(AF_INET, text.c_str(), bytes.data() + 12) != 1) return std::nullopt;
  bytes[10] = bytes[11] = 0xFF;
  return bytes;
}

}  // namespace

bool IsAddress(std::string_view host) { return host == "localhost" || Parse(host).has_value(); }

bool IsLoopback(std::string_view host) {
  if (host == "localhost") return true;
  const auto bytes = Parse(host);
  if (!bytes) return false;
  Ipv6 prefix{};
  prefix[10] = prefix[11] = 0xFF;
  if (std::equal(prefix.begin(), prefix.begin() + 12, bytes->begin())) return (*bytes)[12] == 127;
  Ipv6 loopback{};
  loopback[15] = 1;
  return *bytes == loopback;
}

Result<void> CheckBind(const Config& config) {
  if (AuthenticationConfigured(config)) return {};
  for (const std::string& host : config.http.host) {
    if (IsLoopback(host)) continue;
    return Error::InvalidParams(base::StrCat(
        "http.host (", OriginOf(config, "http.host").name, ") is ", host,
        ", which other machines can reach, and no authentication is configured. Set "
        "auth.master_key (TOOLPOST_AUTH_MASTER_KEY), or auth.jwt_secret, auth.jwt_key_file or "
        "auth.jwks_url for signed tokens, or auth.required = true if API keys are stored already; "
        "or set http.host to 127.0.0.1 or ::1"));
  }
  return {};
}

}  // namespace toolpost::config
