// Keys that verify signatures, on OpenSSL EVP. The algorithm is a property of the key: a key made
// for one can never be used for another, so a caller cannot be talked into treating a public key as
// a shared secret.
//
// Nothing here signs, except that an HMAC is its own signature: HmacSha256 in base/crypto.h.
#pragma once

#include <memory>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::base {

// HMAC with SHA-256; RSASSA-PKCS1-v1_5 with SHA-256; ECDSA on P-256 with SHA-256; Ed25519.
enum class SignatureAlgorithm { kHs256, kRs256, kEs256, kEdDsa };

// The name in a JOSE header: "HS256", "RS256", "ES256", "EdDSA".
std::string_view NameOf(SignatureAlgorithm algorithm);

// Immutable, thread-safe, cheap to copy. A shared secret is wiped from memory with the last copy.
// Every factory fails with Code::kInvalidArgument and a message that never contains key material.
class SignatureKey {
 public:
  // HS256. 32 bytes or more.
  static Result<SignatureKey> FromSecret(std::string_view secret);
  // One PEM block, at most 64 KiB: a public key or a certificate (whose dates and issuer are not
  // looked at). RSA of 2048 to 8192 bits, P-256 or Ed25519. Private keys are refused: the server
  // has no use for one.
  static Result<SignatureKey> FromPem(std::string_view pem);
  // Big-endian numbers, as a JWK carries them once decoded.
  static Result<SignatureKey> FromRsa(std::string_view modulus, std::string_view exponent);
  // Two coordinates of exactly 32 bytes, of a point on the curve.
  static Result<SignatureKey> FromP256(std::string_view x, std::string_view y);
  // Exactly 32 bytes.
  static Result<SignatureKey> FromEd25519(std::string_view x);

  SignatureAlgorithm algorithm() const;
  // `signature` as in JWS: HS256 32 bytes (compared in constant time), RS256 as long as the
  // modulus, ES256 r and s of 32 bytes each, EdDSA 64 bytes. Anything else is false, never an
  // error.
  bool Verify(std::string_view data, std::string_view signature) const;

 private:
  struct Impl;
  explicit SignatureKey(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  static Result<SignatureKey> FromPublicKey(void* evp_pkey);

  std::shared_ptr<const Impl> impl_;
};

}  // namespace toolpost::base
