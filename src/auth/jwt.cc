// Structure, then signature, then claims.
#include "auth/jwt.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

constexpr std::size_t kMaxSegmentBytes = std::size_t{8} * 1024;
constexpr std::size_t kMaxCandidates = 8;
constexpr std::size_t kMaxSubjectBytes = 255;
constexpr std::int64_t kEndOfYear9999 = 253'402'300'799;
constexpr std::int64_t kLastWallTime = 9'000'000'000;  // what a clock in nanoseconds can still hold

Error Refuse(std::string_view message) {
  return {Code::kUnauthenticated, std::string(message), {}};
}

struct Segments {
  std::string_view header, payload, signature;
  std::string_view signed_part;  // header and payload with their dot
};

Result<Segments> Cut(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == token.npos ? first : token.find('.', first + 1);
  if (second == token.npos || token.find('.', second + 1) != token.npos) {
    return Refuse("The token is not a JWT: three parts separated by dots are expected.");
  }
  const Segments segments{token.substr(0, first), token.substr(first + 1, second - first - 1),
                          token.substr(second + 1), token.substr(0, second)};
  for (const std::string_view part : {segments.header, segments.payload, segments.signature}) {
    if (part.empty()) return Refuse("A part of the token is empty.");
    if (part.size() > kMaxSegmentBytes) return Refuse("A part of the token is longer than 8 KiB.");
  }
  return segments;
}

Result<JsonObject> ReadObject(std::string_view segment) {
  const auto text = base::FromBase64Url(segment);
  if (!text) return Refuse("A part of the token is not unpadded base64url.");
  auto value = base::ParseJson(*text);
  if (!value || !value->is_object()) {
    return Refuse("Header and payload of the token must be JSON objects without duplicate names.");
  }
  return std::move(value->get_object());
}

// Nothing when absent; an error when present and not a string.
Result<std::optional<std::string_view>> ReadText(const JsonObject& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  if (value == nullptr) return std::optional<std::string_view>();
  if (!value->is_string()) return Refuse(base::StrCat("The token's ", name, " is not a string."));
  return std::optional<std::string_view>(value->get_string());
}

Result<void> CheckType(const JsonObject& header) {
  ASSIGN_OR_RETURN(const auto type, ReadText(header, "typ"));
  if (!type) return {};
  std::string lower = base::ToLower(*type);
  constexpr std::string_view kMediaType = "application/";  // RFC 7515 4.1.9: may be left out
  if (lower.starts_with(kMediaType)) lower.erase(0, kMediaType.size());
  if (lower == "jwt" || lower == "at+jwt") return {};
  return Refuse("The token's typ is neither JWT nor at+jwt.");
}

Result<void> CheckSignature(const JsonObject& header, const Segments& segments, KeySource& keys) {
  if (header.contains("crit"))
    return Refuse("The token has critical extensions; none is supported.");
  RETURN_IF_ERROR(CheckType(header));
  ASSIGN_OR_RETURN(const auto algorithm, ReadText(header, "alg"));
  ASSIGN_OR_RETURN(const auto key_id, ReadText(header, "kid"));
  const auto signature = base::FromBase64Url(segments.signature);
  if (!signature) return Refuse("A part of the token is not unpadded base64url.");
  ASSIGN_OR_RETURN(const auto candidates, keys.Candidates(key_id.value_or("")));
  if (candidates.empty()) {
    return Refuse(
        "The token was signed with a key this server does not know. Get a new token and try "
        "again.");
  }
  std::size_t tried = 0;
  for (const VerificationKey& key : candidates) {
    if (algorithm != base::NameOf(key.algorithm()) || tried == kMaxCandidates) continue;
    ++tried;
    if (key.Verify(segments.signed_part, *signature)) return {};
  }
  if (tried == 0) return Refuse("The token's alg is not the one its key is for.");
  return Refuse("The signature of the token is wrong.");
}

Result<std::optional<std::int64_t>> ReadTime(const JsonObject& payload, std::string_view name) {
  const Json* value = payload.if_contains(name);
  if (value == nullptr) return std::optional<std::int64_t>();
  if (!value->is_int64() || value->get_int64() < 0 || value->get_int64() > kEndOfYear9999) {
    return Refuse(
        base::StrCat("The token's ", name, " is not a whole number of seconds since 1970."));
  }
  return std::optional<std::int64_t>(value->get_int64());
}

// Returns `exp`.
Result<std::int64_t> CheckTimes(const JsonObject& payload, const JwtRules& rules) {
  ASSIGN_OR_RETURN(const auto expires, ReadTime(payload, "exp"));
  ASSIGN_OR_RETURN(const auto not_before, ReadTime(payload, "nbf"));
  ASSIGN_OR_RETURN(const auto issued, ReadTime(payload, "iat"));
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::seconds>(base::Now().time_since_epoch()).count();
  const std::int64_t skew = rules.skew.count();
  const std::int64_t longest = rules.longest_life.count();
  if (!expires) return Refuse("The token has no exp.");
  if (now >= *expires) return Refuse("The token has expired.");
  if (not_before && *not_before > now + skew) return Refuse("The token is not valid yet.");
  if (issued && *issued > now + skew) return Refuse("The token was issued in the future.");
  if (longest > 0 && *expires - issued.value_or(now) > longest) {
    return Refuse("The token is valid for longer than this server accepts.");
  }
  return *expires;
}

bool Contains(const Json& value, std::string_view wanted) {
  const auto equals = [&](const Json& item) {
    return item.is_string() && std::string_view(item.get_string()) == wanted;
  };
  if (!value.is_array()) return equals(value);
  return std::any_of(value.get_array().begin(), value.get_array().end(), equals);
}

Result<void> CheckParties(const JsonObject& payload, const JwtRules& rules) {
  ASSIGN_OR_RETURN(const auto issuer, ReadText(payload, "iss"));
  if (!rules.issuer.empty() && issuer != std::string_view(rules.issuer)) {
    return Refuse("The token comes from another issuer than the one configured.");
  }
  const Json* audience = payload.if_contains("aud");
  if (!rules.audience.empty() && (audience == nullptr || !Contains(*audience, rules.audience))) {
    return Refuse("The token was not issued for this server.");
  }
  return {};
}

Result<std::string> ReadSubject(const JsonObject& payload) {
  ASSIGN_OR_RETURN(const auto subject, ReadText(payload, "sub"));
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (!subject || subject->empty() || subject->size() > kMaxSubjectBytes ||
      std::any_of(subject->begin(), subject->end(), is_control)) {
    return Refuse("The token needs a sub of 1 to 255 bytes without control characters.");
  }
  return std::string(*subject);
}

void AddWords(std::vector<std::string>& words, std::string_view text) {
  for (const std::string_view word : base::Split(text, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
}

Result<std::vector<std::string>> ReadScopes(const JsonObject& payload) {
  std::vector<std::string> scopes;
  const Json* value = payload.if_contains("scope");
  const bool array_allowed = value == nullptr;
  if (value == nullptr) value = payload.if_contains("scp");
  if (value == nullptr) return scopes;
  const auto malformed =
      Refuse("The token's scopes are neither a string nor, as scp, a list of strings.");
  if (value->is_string()) {
    AddWords(scopes, value->get_string());
    return scopes;
  }
  if (!value->is_array() || !array_allowed) return malformed;
  for (const Json& item : value->get_array()) {
    if (!item.is_string()) return malformed;
    AddWords(scopes, item.get_string());
  }
  return scopes;
}

}  // namespace

Result<Claims> VerifyJwt(std::string_view token, KeySource& keys, const JwtRules& rules) {
  ASSIGN_OR_RETURN(const Segments segments, Cut(token));
  ASSIGN_OR_RETURN(const JsonObject header, ReadObject(segments.header));
  RETURN_IF_ERROR(CheckSignature(header, segments, keys));
  Claims claims;
  ASSIGN_OR_RETURN(claims.all, ReadObject(segments.payload));
  ASSIGN_OR_RETURN(const std::int64_t expires, CheckTimes(claims.all, rules));
  RETURN_IF_ERROR(CheckParties(claims.all, rules));
  ASSIGN_OR_RETURN(claims.subject, ReadSubject(claims.all));
  ASSIGN_OR_RETURN(claims.scopes, ReadScopes(claims.all));
  claims.expires = base::WallTime(std::chrono::seconds(std::min(expires, kLastWallTime)));
  return claims;
}

bool LooksLikeJwt(std::string_view token) {
  return std::count(token.begin(), token.end(), '.') == 2;
}

}  // namespace toolpost::auth
