// Who sends a request: master key, API key, JWT, local token, or nobody in particular. The same
// answer at every door.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "auth/credentials.h"
#include "auth/jwt.h"
#include "auth/key_ring.h"
#include "base/crypto.h"
#include "store/users.h"
#include "toolpost/context.h"

namespace toolpost::auth {

struct AuthenticatorOptions {
  bool required = false;    // auth.required
  bool accept_keys = true;  // auth.method any or token
  bool accept_jwts = true;  // auth.method any, jwt or oauth
  std::string master_key;   // empty: none
  std::string local_token;  // for where nothing is configured; empty: none
  JwtRules jwt_rules;
  std::shared_ptr<KeySource> jwt_keys;  // null: no JWTs
  std::shared_ptr<KeyRing> ring;        // null: no stored keys
  std::shared_ptr<store::Users> users;  // told who was recognised; null: nobody
  std::string
      challenge;  // parameters all WWW-Authenticate challenges carry, such as resource_metadata="…"
};

// The outcome of looking at a request's credentials.
struct Verdict {
  enum class Kind {
    kAccepted,   // `principal` is set
    kMissing,    // 401: a credential is needed and none was sent
    kMalformed,  // 401: what was sent cannot be a credential
    kInvalid,    // unknown, revoked or expired: 403 for keys, 401 with a challenge for tokens
                 // (requirements D14)
    kUnsure,     // 503: the key store cannot be read
  };
  Kind kind = Kind::kAccepted;
  Principal principal;
  std::string message;    // safe to show
  std::string challenge;  // value of WWW-Authenticate; empty: none
  int http_status = 200;
};

// Thread-safe; never blocks on disk or network.
class Authenticator {
 public:
  explicit Authenticator(AuthenticatorOptions options);

  // False in local mode: everybody is the local user, whatever they send; only the local token
  // makes them authenticated.
  bool configured() const { return configured_; }
  Verdict Check(const Presented& presented);
  // WWW-Authenticate for a credential that ended while it was in use.
  std::string EndedChallenge(std::string_view message) const;
  // WWW-Authenticate for a principal whose token lacks `scope`; empty if its credential is not a
  // token.
  std::string StepUpChallenge(const Principal& principal, std::string_view scope) const;

 private:
  struct Cached {
    Principal principal;
    std::chrono::steady_clock::time_point until;
  };

  // `digest` is the SHA-256 of the text.
  Verdict CheckKey(std::string_view text, const base::Sha256Digest& digest);
  Verdict CheckJwt(std::string_view token, const base::Sha256Digest& digest);
  bool IsMaster(const base::Sha256Digest& digest) const;
  Verdict Refused(Verdict::Kind kind, std::string message) const;
  Verdict RefusedToken(std::string message) const;

  const AuthenticatorOptions options_;
  const bool configured_;
  const base::Sha256Digest master_digest_;
  const std::shared_ptr<const Credential> master_;
  std::mutex cache_mutex_;
  std::unordered_map<std::string, Cached>
      tokens_;  // verified tokens by SHA-256, for a minute at most
};

}  // namespace toolpost::auth
