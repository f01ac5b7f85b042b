// JSON document and header values.
#include "auth/oauth_resource.h"

#include <algorithm>
#include <initializer_list>

#include "base/json_write.h"
#include "base/strings.h"
#include "toolpost/json.h"

namespace toolpost::auth {
namespace {

using base::StrCat;

constexpr std::string_view kWellKnown = "/.well-known/oauth-protected-resource";

struct Location {
  std::string_view origin;  // "https://mcp.example"
  std::string_view path;    // "/mcp", or empty
};

Location SplitUri(std::string_view uri) {
  const std::size_t authority = uri.find("://");
  const std::size_t begin = authority == uri.npos ? 0 : authority + 3;
  const std::size_t end = std::min(uri.find_first_of("/?#", begin), uri.size());
  std::string_view path = uri.substr(end);
  path = path.substr(0, path.find_first_of("?#"));
  while (path.ends_with('/')) path.remove_suffix(1);
  return {uri.substr(0, end), path};
}

JsonArray ToArray(const std::vector<std::string>& texts) {
  JsonArray array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

// RFC 6750 3: printable ASCII without quote and backslash.
std::string Parameter(std::string_view name, std::string_view value) {
  if (value.empty()) return {};
  std::string parameter = StrCat(name, "=\"");
  for (const char c : value) {
    const bool allowed = c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
    parameter.push_back(allowed ? c : '\'');
  }
  parameter.push_back('"');
  return parameter;
}

std::string Bearer(const std::initializer_list<std::string_view>& parameters) {
  std::string challenge = "Bearer";
  for (const std::string_view parameter : parameters) {
    if (parameter.empty()) continue;
    challenge += StrCat(challenge.ends_with('"') ? ", " : " ", parameter);
  }
  return challenge;
}

}  // namespace

std::string MetadataDocument(const ProtectedResource& resource) {
  JsonObject document;
  document["resource"] = resource.resource;
  if (!resource.authorization_servers.empty()) {
    document["authorization_servers"] = ToArray(resource.authorization_servers);
  }
  if (!resource.scopes.empty()) document["scopes_supported"] = ToArray(resource.scopes);
  document["bearer_methods_supported"] = JsonArray{"header"};
  return base::ToJson(document);
}

std::vector<std::string> MetadataPaths(std::string_view resource) {
  const Location location = SplitUri(resource);
  std::vector<std::string> paths{std::string(kWellKnown)};
  if (!location.path.empty()) paths.push_back(StrCat(kWellKnown, location.path));
  return paths;
}

std::string MetadataUrl(std::string_view resource) {
  const Location location = SplitUri(resource);
  return StrCat(location.origin, kWellKnown, location.path);
}

std::string ChallengeParameters(std::string_view metadata_url) {
  return Parameter("resource_metadata", metadata_url);
}

std::string Challenge(std::string_view parameters, std::string_view scopes) {
  return Bearer({Parameter("scope", scopes), parameters});
}

std::string InvalidTokenChallenge(std::string_view parameters, std::string_view description) {
  return Bearer({Parameter("error", "invalid_token"), Parameter("error_description", description),
                 parameters});
}

std::string InsufficientScopeChallenge(std::string_view parameters, std::string_view scopes) {
  return Bearer({Parameter("error", "insufficient_scope"), Parameter("scope", scopes), parameters});
}

}  // namespace toolpost::auth
