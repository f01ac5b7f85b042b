// Two headers to one token.
#include "auth/credentials.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

using Kind = Presented::Kind;

constexpr std::size_t kMaxTokenBytes = 3 * 8 * 1024 + 512;
constexpr std::string_view kScheme = "bearer";

Presented Malformed(std::string_view reason) { return {Kind::kMalformed, {}, std::string(reason)}; }

constexpr auto kToken68 = [] {
  std::array<bool, 256> allowed{};
  for (const unsigned char c :
       std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789-._~+/"))
    allowed[c] = true;
  return allowed;
}();

bool IsToken68(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return kToken68[static_cast<unsigned char>(c)];
  });
}

bool IsVisible(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

Presented ReadAuthorization(std::string_view value) {
  value = base::Trim(value);
  const std::string_view scheme = value.substr(0, value.find(' '));
  if (!base::EqualIgnoringCase(scheme, kScheme)) {
    return Malformed("The Authorization header must be: Bearer TOKEN.");
  }
  value.remove_prefix(scheme.size());
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  if (value.size() > kMaxTokenBytes)
    return Malformed("The token in the Authorization header is too long.");
  if (!IsToken68(value)) {
    return Malformed(
        "After Bearer exactly one token is expected: letters, digits and -._~+/ with = at the "
        "end.");
  }
  return {Kind::kToken, value, {}};
}

Presented ReadApiKey(std::string_view value) {
  value = base::Trim(value);
  if (value.size() > kMaxTokenBytes)
    return Malformed("The key in the X-API-Key header is too long.");
  if (!IsVisible(value)) return Malformed("The X-API-Key header must hold one key without spaces.");
  return {Kind::kToken, value, {}};
}

}  // namespace

Presented ReadCredentials(std::span<const std::string_view> authorization,
                          std::span<const std::string_view> api_key) {
  if (authorization.size() > 1 || api_key.size() > 1) {
    return Malformed("Authorization and X-API-Key may each be given once only.");
  }
  if (authorization.empty() && api_key.empty()) return {};
  if (api_key.empty()) return ReadAuthorization(authorization.front());
  Presented key = ReadApiKey(api_key.front());
  if (authorization.empty() || key.kind == Kind::kMalformed) return key;
  Presented bearer = ReadAuthorization(authorization.front());
  if (bearer.kind == Kind::kToken && !base::EqualConstantTime(bearer.token, key.token)) {
    return Malformed("Authorization and X-API-Key differ: send one of them.");
  }
  return bearer;
}

}  // namespace toolpost::auth
