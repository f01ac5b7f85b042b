// What an OAuth 2.1 protected resource says about itself: the metadata document of RFC 9728 and the
// challenges of RFC 6750 and of the MCP authorization chapter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolpost::auth {

struct ProtectedResource {
  std::string
      resource;  // canonical URI of this server, the `aud` of its tokens: "https://mcp.example/mcp"
  std::vector<std::string> authorization_servers;
  std::vector<std::string> scopes;
};

// The JSON document: resource, authorization_servers, scopes_supported, bearer_methods_supported
// (header only).
std::string MetadataDocument(const ProtectedResource& resource);
// Where it is served: the well-known path alone, and with the path of the resource behind it when
// it has one
// ("/.well-known/oauth-protected-resource/mcp").
std::vector<std::string> MetadataPaths(std::string_view resource);
// Absolute URL of the document, the form with the path: what challenges point to.
std::string MetadataUrl(std::string_view resource);

// Values of `WWW-Authenticate`. `parameters` come from ChallengeParameters (or are empty) and end
// every challenge. What cannot stand in a quoted string is replaced, so no value can add a
// parameter or a header.
std::string ChallengeParameters(std::string_view metadata_url);
// 401, no or no readable credential was sent; `scopes` (space separated) is what to ask for, empty:
// not said.
std::string Challenge(std::string_view parameters, std::string_view scopes = {});
// 401, it was refused: error="invalid_token".
std::string InvalidTokenChallenge(std::string_view parameters, std::string_view description);
// 403, the call needs `scopes` (space separated): error="insufficient_scope".
std::string InsufficientScopeChallenge(std::string_view parameters, std::string_view scopes);

}  // namespace toolpost::auth
