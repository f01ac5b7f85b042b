// The two documents an issuer publishes.
#include <algorithm>

#include "auth/jwks.h"
#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

using base::StrCat;

constexpr std::size_t kMaxKeys = 100;

Error BadDocument(std::string_view what) { return Error::Unavailable(std::string(what)); }

std::string_view Text(const Json& object, std::string_view name) {
  const Json* value = object.get_object().if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

void Skip(std::string_view reason) {
  base::Log(base::Severity::kInfo, "a member of the issuer's key set is not used",
            {{"reason", reason}});
}

}  // namespace

Result<std::vector<VerificationKey>> ParseJwks(std::string_view document) {
  const auto parsed = base::ParseJson(document);
  const Json* members =
      parsed && parsed->is_object() ? parsed->get_object().if_contains("keys") : nullptr;
  if (members == nullptr || !members->is_array()) {
    return BadDocument("The key set of the issuer is not a JSON object with a list `keys`.");
  }
  if (members->get_array().size() > kMaxKeys) {
    return BadDocument("The key set of the issuer has more than 100 members.");
  }
  std::vector<VerificationKey> keys;
  for (const Json& member : members->get_array()) {
    if (!member.is_object()) {
      Skip("It is not an object.");
      continue;
    }
    auto key = VerificationKey::FromJwk(member.get_object());
    if (key) {
      keys.push_back(*std::move(key));
    } else {
      Skip(key.error().message);
    }
  }
  if (keys.empty())
    return BadDocument("The key set of the issuer has no key for RS256, ES256 or EdDSA.");
  return keys;
}

std::vector<std::string> MetadataUrlsOf(std::string_view issuer) {
  while (issuer.ends_with('/')) issuer.remove_suffix(1);
  const std::size_t scheme = issuer.find("://");
  if (scheme == issuer.npos || issuer.find_first_of("?#") != issuer.npos) return {};
  const std::size_t end = std::min(issuer.find('/', scheme + 3), issuer.size());
  const std::string_view origin = issuer.substr(0, end);
  const std::string_view path = issuer.substr(end);
  std::vector<std::string> urls{StrCat(origin, "/.well-known/oauth-authorization-server", path),
                                StrCat(origin, "/.well-known/openid-configuration", path)};
  if (!path.empty()) urls.push_back(StrCat(issuer, "/.well-known/openid-configuration"));
  return urls;
}

Result<std::string> JwksUriIn(std::string_view document, std::string_view issuer) {
  const auto parsed = base::ParseJson(document);
  if (!parsed || !parsed->is_object())
    return BadDocument("The metadata of the issuer is not a JSON object.");
  if (Text(*parsed, "issuer") != issuer) {
    return BadDocument("The metadata names another issuer than the one configured.");
  }
  const std::string_view uri = Text(*parsed, "jwks_uri");
  if (uri.empty()) return BadDocument("The metadata of the issuer has no jwks_uri.");
  return std::string(uri);
}

}  // namespace toolpost::auth
