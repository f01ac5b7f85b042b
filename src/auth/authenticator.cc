// Master key first, then by form: three dotted parts are a token, anything else a key.
#include "auth/authenticator.h"

#include <algorithm>

#include "auth/api_key.h"
#include "auth/oauth_resource.h"
#include "auth/policy.h"
#include "base/clock.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

// Empty unless the claim is text.
std::string_view TextClaim(const Claims& claims, std::string_view name) {
  const Json* value = claims.all.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

constexpr std::size_t kMaxCached = 4096;
constexpr std::chrono::seconds kCacheTime{60};
constexpr std::string_view kToolsetScope = "toolset:";

std::string_view Bytes(const base::Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::shared_ptr<const Credential> MasterCredential() {
  auto credential = std::make_shared<Credential>();
  credential->kind = "master";
  credential->grants.scopes = AllScopes();
  return credential;
}

// Scopes beyond ours are ignored; `toolset:NAME` scopes narrow to those toolsets.
Grants GrantsOf(const Claims& claims) {
  Grants grants;
  for (const std::string& scope : claims.scopes) {
    if (IsScope(scope)) {
      grants.scopes.push_back(scope);
    } else if (scope.starts_with(kToolsetScope)) {
      if (!grants.toolsets) grants.toolsets.emplace();
      grants.toolsets->push_back(scope.substr(kToolsetScope.size()));
    }
  }
  return grants;
}

bool IsConfigured(const AuthenticatorOptions& options) {
  return options.required || !options.master_key.empty() || options.jwt_keys != nullptr;
}

Verdict Accepted(Principal principal) {
  Verdict verdict;
  verdict.principal = std::move(principal);
  return verdict;
}

}  // namespace

Authenticator::Authenticator(AuthenticatorOptions options)
    : options_(std::move(options)),
      configured_(IsConfigured(options_)),
      // OpenSSL takes a millisecond to wake up: not without need.
      master_digest_(options_.master_key.empty() ? base::Sha256Digest{}
                                                 : base::Sha256(options_.master_key)),
      master_(MasterCredential()) {}

Verdict Authenticator::Refused(Verdict::Kind kind, std::string message) const {
  Verdict verdict;
  verdict.kind = kind;
  verdict.message = std::move(message);
  verdict.http_status = kind == Verdict::Kind::kInvalid  ? 403
                        : kind == Verdict::Kind::kUnsure ? 503
                                                         : 401;
  if (verdict.http_status == 401) verdict.challenge = Challenge(options_.challenge);
  return verdict;
}

Verdict Authenticator::RefusedToken(std::string message) const {
  Verdict verdict;
  verdict.kind = Verdict::Kind::kInvalid;
  verdict.http_status = 401;
  verdict.challenge = InvalidTokenChallenge(options_.challenge, message);
  verdict.message = std::move(message);
  return verdict;
}

bool Authenticator::IsMaster(const base::Sha256Digest& digest) const {
  return !options_.master_key.empty() &&
         base::EqualConstantTime(Bytes(digest), Bytes(master_digest_));
}

Verdict Authenticator::Check(const Presented& presented) {
  if (!configured_) {
    Principal local;
    local.authenticated = !options_.local_token.empty() &&
                          base::EqualConstantTime(presented.token, options_.local_token);
    return Accepted(std::move(local));
  }
  switch (presented.kind) {
    case Presented::Kind::kNone:
      return Refused(
          Verdict::Kind::kMissing,
          "Authentication required: send Authorization: Bearer <key> or X-API-Key: <key>");
    case Presented::Kind::kMalformed:
      return Refused(Verdict::Kind::kMalformed, presented.reason);
    case Presented::Kind::kToken:
      break;
  }
  const base::Sha256Digest digest = base::Sha256(presented.token);
  if (options_.accept_keys && IsMaster(digest)) {
    Principal master;
    master.id = "master";
    master.user.clear();
    master.authenticated = true;
    master.credential = master_;
    return Accepted(std::move(master));
  }
  return LooksLikeJwt(presented.token) ? CheckJwt(presented.token, digest)
                                       : CheckKey(presented.token, digest);
}

Verdict Authenticator::CheckKey(std::string_view text, const base::Sha256Digest& digest) {
  const auto invalid = [this] {
    return Refused(Verdict::Kind::kInvalid,
                   "Invalid authentication: the key is unknown, revoked or expired");
  };
  if (!options_.accept_keys || !options_.ring) return invalid();
  // One comparison for every key, known or not.
  static const std::string kNobody(base::Sha256Digest{}.size(), '\0');
  const auto entry = options_.ring->Find(ApiKeyIdPart(text));
  const bool matches = base::EqualConstantTime(Bytes(digest), entry ? entry->key.digest : kNobody);
  if (!matches || !entry) return invalid();
  if (!options_.ring->fresh())
    return Refused(Verdict::Kind::kUnsure,
                   "API keys cannot be checked at the moment; try again soon");
  if (entry->credential->revoked || entry->credential->expires <= base::Now()) return invalid();
  Principal principal;
  if (options_.users && !entry->key.user_id.empty()) options_.users->Seen(entry->key.user_id);
  principal.id = base::StrCat("key:", entry->key.id);
  principal.user = entry->key.user_id;
  principal.authenticated = true;
  principal.credential = entry->credential;
  return Accepted(std::move(principal));
}

Verdict Authenticator::CheckJwt(std::string_view token, const base::Sha256Digest& digest) {
  if (!options_.accept_jwts || !options_.jwt_keys)
    return RefusedToken("This server does not accept tokens of this kind");
  const std::string name(Bytes(digest));
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(cache_mutex_);
    const auto known = tokens_.find(name);
    if (known != tokens_.end() && known->second.until > now &&
        known->second.principal.credential->expires > base::Now()) {
      return Accepted(known->second.principal);
    }
  }
  Result<Claims> claims = VerifyJwt(token, *options_.jwt_keys, options_.jwt_rules);
  if (!claims && claims.error().code == Code::kUnavailable)
    return Refused(Verdict::Kind::kUnsure, claims.error().message);
  if (!claims) return RefusedToken(claims.error().message);
  if (options_.users)
    options_.users->Seen(claims->subject, TextClaim(*claims, "name"), TextClaim(*claims, "email"));
  auto credential = std::make_shared<Credential>();
  credential->kind = "jwt";
  credential->grants = GrantsOf(*claims);
  credential->expires = claims->expires;
  Principal principal;
  principal.id = base::StrCat("jwt:", options_.jwt_rules.issuer, "|", claims->subject);
  principal.user = claims->subject;
  principal.authenticated = true;
  principal.credential = std::move(credential);
  const std::lock_guard lock(cache_mutex_);
  if (tokens_.size() >= kMaxCached)
    std::erase_if(tokens_, [&](const auto& entry) { return entry.second.until <= now; });
  if (tokens_.size() >= kMaxCached) tokens_.clear();
  tokens_.insert_or_assign(name, Cached{principal, now + kCacheTime});
  return Accepted(std::move(principal));
}

std::string Authenticator::EndedChallenge(std::string_view message) const {
  return InvalidTokenChallenge(options_.challenge, message);
}

std::string Authenticator::StepUpChallenge(const Principal& principal,
                                           std::string_view scope) const {
  if (!principal.credential || principal.credential->kind != "jwt") return {};
  return InsufficientScopeChallenge(options_.challenge, scope);
}

}  // namespace toolpost::auth
