// JWK members to keys.
#include "auth/verification_key.h"

#include <algorithm>
#include <optional>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

using base::SignatureKey;
using base::StrCat;

constexpr std::size_t kMaxKeyIdBytes = 256;
constexpr std::size_t kMaxParameterBytes = std::size_t{4} * 1024;

Error BadJwk(std::string_view what) { return Error::InvalidParams(StrCat("The JWK ", what, ".")); }

std::string_view Text(const JsonObject& jwk, std::string_view name) {
  const Json* value = jwk.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return std::string_view(value->get_string());
}

Result<std::string> Parameter(const JsonObject& jwk, std::string_view name) {
  const std::string_view text = Text(jwk, name);
  const auto bytes = text.size() <= kMaxParameterBytes ? base::FromBase64Url(text) : std::nullopt;
  if (!bytes || bytes->empty()) return BadJwk(StrCat("lacks ", name, " as unpadded base64url"));
  return *bytes;
}

Result<SignatureKey> ReadKey(const JsonObject& jwk) {
  const std::string_view type = Text(jwk, "kty");
  const std::string_view curve = Text(jwk, "crv");
  if (type == "RSA") {
    ASSIGN_OR_RETURN(const std::string n, Parameter(jwk, "n"));
    ASSIGN_OR_RETURN(const std::string e, Parameter(jwk, "e"));
    return SignatureKey::FromRsa(n, e);
  }
  if (type == "EC" && curve == "P-256") {
    ASSIGN_OR_RETURN(const std::string x, Parameter(jwk, "x"));
    ASSIGN_OR_RETURN(const std::string y, Parameter(jwk, "y"));
    return SignatureKey::FromP256(x, y);
  }
  if (type == "OKP" && curve == "Ed25519") {
    ASSIGN_OR_RETURN(const std::string x, Parameter(jwk, "x"));
    return SignatureKey::FromEd25519(x);
  }
  return BadJwk("is none of RSA, EC with P-256 and OKP with Ed25519");
}

bool MayVerify(const JsonObject& jwk) {
  const Json* operations = jwk.if_contains("key_ops");
  if (operations == nullptr) return true;
  if (!operations->is_array()) return false;
  const JsonArray& list = operations->get_array();
  return std::any_of(list.begin(), list.end(), [](const Json& operation) {
    return operation.is_string() && operation.get_string() == "verify";
  });
}

class Fixed final : public KeySource {
 public:
  explicit Fixed(std::vector<VerificationKey> keys) : keys_(std::move(keys)) {}
  Result<std::vector<VerificationKey>> Candidates(std::string_view key_id) override {
    std::vector<VerificationKey> fitting;
    for (const VerificationKey& key : keys_) {
      if (key.key_id().empty() || key.key_id() == key_id) fitting.push_back(key);
    }
    return fitting;
  }

 private:
  const std::vector<VerificationKey> keys_;
};

}  // namespace

Result<VerificationKey> VerificationKey::FromSecret(std::string_view secret) {
  ASSIGN_OR_RETURN(SignatureKey key, SignatureKey::FromSecret(secret));
  return VerificationKey(std::move(key), {});
}

Result<VerificationKey> VerificationKey::FromPem(std::string_view pem) {
  ASSIGN_OR_RETURN(SignatureKey key, SignatureKey::FromPem(pem));
  return VerificationKey(std::move(key), {});
}

Result<VerificationKey> VerificationKey::FromJwk(const JsonObject& jwk) {
  if (jwk.contains("d") || jwk.contains("k"))
    return BadJwk("holds a secret: publish public keys only");
  if (jwk.contains("use") && Text(jwk, "use") != "sig") return BadJwk("is not for signatures");
  if (!MayVerify(jwk)) return BadJwk("is not for verifying");
  if (jwk.contains("kid") &&
      (Text(jwk, "kid").empty() || Text(jwk, "kid").size() > kMaxKeyIdBytes)) {
    return BadJwk("has a kid that is not a string of 1 to 256 bytes");
  }
  ASSIGN_OR_RETURN(SignatureKey key, ReadKey(jwk));
  if (jwk.contains("alg") && Text(jwk, "alg") != base::NameOf(key.algorithm())) {
    return BadJwk(StrCat("has another alg than ", base::NameOf(key.algorithm()),
                         ", the one its key is used with"));
  }
  return VerificationKey(std::move(key), std::string(Text(jwk, "kid")));
}

std::shared_ptr<KeySource> FixedKeys(std::vector<VerificationKey> keys) {
  return std::make_shared<Fixed>(std::move(keys));
}

}  // namespace toolpost::auth
