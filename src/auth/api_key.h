// The text form of API keys: `mcp_<id>_<secret>_<check>`.
//
// <id> is 12 base62 characters and public: it names the key in tools and logs. <secret> is 32
// random bytes in base64url, which may itself contain `_` and `-`, so the parts are found by their
// lengths. <check> is the CRC-32 of everything before its underscore in six base62 characters: it
// lets us and secret scanners refuse typing errors without a lookup; it protects nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolpost::auth {

struct NewApiKey {
  std::string text;  // shown once, stored nowhere
  std::string id;
  std::string digest;  // ApiKeyDigest(text)
};

NewApiKey MakeApiKey();
// The id, if `text` has exactly this form and its check is right; no statement about whether the
// key exists.
std::optional<std::string> ApiKeyId(std::string_view text);
// Where the id of a key stands in `text`; empty if its length and beginning are not a key's. For
// those who compare digests anyway: nothing else of the form is looked at.
std::string_view ApiKeyIdPart(std::string_view text);
// SHA-256 of the whole text: 32 bytes, what the store keeps. A slow hash would add nothing to 256
// random bits.
std::string ApiKeyDigest(std::string_view text);

}  // namespace toolpost::auth
