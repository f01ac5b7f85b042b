// The keys tokens are verified with, and where they come from.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/signature.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::auth {

using Algorithm = base::SignatureAlgorithm;

// A key that can verify one algorithm, and its name. Immutable, thread-safe, cheap to copy.
// Factories fail with Code::kInvalidArgument and a message without key material.
class VerificationKey {
 public:
  // At least 32 bytes.
  static Result<VerificationKey> FromSecret(std::string_view secret);
  // PEM public key or certificate: RSA of 2048 bits or more, P-256, Ed25519. A private key is
  // refused.
  static Result<VerificationKey> FromPem(std::string_view pem);
  // One member of a JWKS; `use` must be absent or "sig", `key_ops` absent or with "verify", `alg`
  // absent or the one that fits. Symmetric ("oct") keys and keys with a private part are refused.
  static Result<VerificationKey> FromJwk(const JsonObject& jwk);

  Algorithm algorithm() const { return key_.algorithm(); }
  const std::string& key_id() const { return key_id_; }  // kid; empty: none
  bool Verify(std::string_view signed_part, std::string_view signature) const {
    return key_.Verify(signed_part, signature);
  }

 private:
  VerificationKey(base::SignatureKey key, std::string key_id)
      : key_(std::move(key)), key_id_(std::move(key_id)) {}

  base::SignatureKey key_;
  std::string key_id_;
};

// Answers which keys may have signed a token with this `kid` (empty: none given). May return
// several (rotation) or none. Thread-safe, and never waits for the network: an error
// (Code::kUnavailable) says that the answer is not known yet and that the same token may be
// accepted a moment later.
class KeySource {
 public:
  virtual ~KeySource() = default;
  virtual Result<std::vector<VerificationKey>> Candidates(std::string_view key_id) = 0;
};

// A fixed list; a key without kid fits every token, a key with one only its own.
std::shared_ptr<KeySource> FixedKeys(std::vector<VerificationKey> keys);

}  // namespace toolpost::auth
