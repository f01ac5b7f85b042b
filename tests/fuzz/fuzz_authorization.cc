// Any bytes as header values, one per line, each for Authorization or X-API-Key by its first byte:
// what is accepted is one clean token that stands in the input.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "auth/credentials.h"
#include "auth/oauth_resource.h"
#include "base/strings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using toolpost::auth::Presented;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  std::vector<std::string_view> authorization;
  std::vector<std::string_view> api_key;
  for (std::string_view line : toolpost::base::Split(input, '\n')) {
    if (line.empty()) continue;
    auto& values = line.front() == 'X' ? api_key : authorization;
    values.push_back(line.substr(1));
  }
  const Presented presented = toolpost::auth::ReadCredentials(authorization, api_key);
  const bool sent = !authorization.empty() || !api_key.empty();
  switch (presented.kind) {
    case Presented::Kind::kNone:
      if (sent) std::abort();
      break;
    case Presented::Kind::kMalformed:
      if (!sent || presented.reason.empty() || !presented.token.empty()) std::abort();
      break;
    case Presented::Kind::kToken:
      if (authorization.size() > 1 || api_key.size() > 1 || presented.token.empty()) std::abort();
      for (const char c : presented.token) {
        if (c <= 0x20 || c >= 0x7F) std::abort();
      }
  }
  const std::string challenge = toolpost::auth::InvalidTokenChallenge("", input);
  for (const char c : challenge) {
    if (c < 0x20 || c >= 0x7F) std::abort();
  }
  return 0;
}
