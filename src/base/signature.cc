// EVP keys and verification.
#include "base/signature.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <string>
#include <utility>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::base {
namespace {

constexpr std::size_t kMinSecretBytes = 32;
constexpr std::size_t kMaxPemBytes = std::size_t{64} * 1024;
constexpr int kMinRsaBits = 2048;
constexpr int kMaxRsaBits = 8192;  // larger keys make every forged token expensive to refuse
constexpr std::size_t kMaxExponentBytes = 8;
constexpr std::size_t kScalarBytes = 32;
constexpr std::size_t kEd25519Bytes = 32;

template <auto Free>
struct Deleter {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
template <typename T, auto Free>
using Owned = std::unique_ptr<T, Deleter<Free>>;

using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using KeyContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using Bio = Owned<BIO, BIO_free_all>;
using Number = Owned<BIGNUM, BN_free>;
using Builder = Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using Parameters = Owned<OSSL_PARAM, OSSL_PARAM_free>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Error BadKey(std::string message) { return Error::InvalidParams(std::move(message)); }

// A verification that fails leaves its reasons in the thread's queue, where they would pile up.
struct ForgetErrors {
  ~ForgetErrors() { ERR_clear_error(); }
};

Number ToNumber(std::string_view bytes) {
  return Number(BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

Key FromParameters(const char* type, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  return Key(key);
}

bool IsSoundPublicKey(EVP_PKEY* key) {
  const KeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  return context && EVP_PKEY_public_check(context.get()) == 1;
}

bool IsOnP256(EVP_PKEY* key) {
  char name[32] = {};
  return EVP_PKEY_get_group_name(key, name, sizeof name, nullptr) == 1 &&
         std::string_view(name) == "prime256v1";
}

// Without it OpenSSL would ask for a pass phrase on the terminal.
int NoPassphrase(char*, int, int, void*) { return -1; }

Key ReadPem(std::string_view pem) {
  Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (!bio) return nullptr;
  if (pem.find("-----BEGIN CERTIFICATE-----") == std::string_view::npos) {
    return Key(PEM_read_bio_PUBKEY(bio.get(), nullptr, NoPassphrase, nullptr));
  }
  const Owned<X509, X509_free> certificate(
      PEM_read_bio_X509(bio.get(), nullptr, NoPassphrase, nullptr));
  return certificate ? Key(X509_get_pubkey(certificate.get())) : nullptr;
}

// JWS carries r and s side by side, OpenSSL wants them as an ASN.1 sequence.
std::string ToAsn1Signature(std::string_view signature) {
  const Owned<ECDSA_SIG, ECDSA_SIG_free> pair(ECDSA_SIG_new());
  Number r = ToNumber(signature.substr(0, kScalarBytes));
  Number s = ToNumber(signature.substr(kScalarBytes));
  if (!pair || !r || !s || ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return {};
  (void)r.release();
  (void)s.release();
  std::string encoded(80, '\0');
  auto* end = reinterpret_cast<unsigned char*>(encoded.data());
  const int size = i2d_ECDSA_SIG(pair.get(), &end);
  if (size <= 0) return {};
  encoded.resize(static_cast<std::size_t>(size));
  return encoded;
}

bool VerifyWith(EVP_PKEY* key, bool hashed, std::string_view data, std::string_view signature) {
  static EVP_MD* const kSha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  const Owned<EVP_MD_CTX, EVP_MD_CTX_free> context(EVP_MD_CTX_new());
  return context &&
         EVP_DigestVerifyInit(context.get(), nullptr, hashed ? kSha256 : nullptr, nullptr, key) ==
             1 &&
         EVP_DigestVerify(context.get(), Bytes(signature), signature.size(), Bytes(data),
                          data.size()) == 1;
}

}  // namespace

struct SignatureKey::Impl {
  Impl(SignatureAlgorithm its_algorithm, std::string its_secret, Key its_key)
      : algorithm(its_algorithm), secret(std::move(its_secret)), key(std::move(its_key)) {}
  ~Impl() { OPENSSL_cleanse(secret.data(), secret.size()); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const SignatureAlgorithm algorithm;
  std::string secret;  // kHs256 only
  const Key key;       // all others
};

std::string_view NameOf(SignatureAlgorithm algorithm) {
  switch (algorithm) {
    case SignatureAlgorithm::kHs256:
      return "HS256";
    case SignatureAlgorithm::kRs256:
      return "RS256";
    case SignatureAlgorithm::kEs256:
      return "ES256";
    case SignatureAlgorithm::kEdDsa:
      return "EdDSA";
  }
  return {};
}

Result<SignatureKey> SignatureKey::FromSecret(std::string_view secret) {
  if (secret.size() < kMinSecretBytes) {
    return BadKey(StrCat("The shared secret has ", secret.size(), " bytes; ", kMinSecretBytes,
                         " or more are needed, for example from `openssl rand -base64 48`."));
  }
  return SignatureKey(
      std::make_shared<Impl>(SignatureAlgorithm::kHs256, std::string(secret), nullptr));
}

Result<SignatureKey> SignatureKey::FromPem(std::string_view pem) {
  const ForgetErrors forget;
  constexpr std::string_view kBegin = "-----BEGIN ";
  if (pem.size() > kMaxPemBytes) return BadKey("The key file is larger than 64 KiB.");
  if (pem.find("PRIVATE KEY-----") != std::string_view::npos) {
    return BadKey(
        "This is a private key. Give only the public one: `openssl pkey -in FILE -pubout`.");
  }
  const std::size_t begin = pem.find(kBegin);
  if (begin == std::string_view::npos || pem.find(kBegin, begin + 1) != std::string_view::npos) {
    return BadKey("A key file holds exactly one PEM block: PUBLIC KEY or CERTIFICATE.");
  }
  Key key = ReadPem(pem);
  if (!key) return BadKey("The PEM block is not a readable public key or certificate.");
  return FromPublicKey(key.release());
}

Result<SignatureKey> SignatureKey::FromRsa(std::string_view modulus, std::string_view exponent) {
  const ForgetErrors forget;
  if (modulus.size() > kMaxRsaBits / 8 || exponent.empty() || exponent.size() > kMaxExponentBytes) {
    return BadKey("The RSA modulus or exponent has an impossible length.");
  }
  const Number n = ToNumber(modulus);
  const Number e = ToNumber(exponent);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!n || !e || !builder ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return BadKey("The RSA modulus or exponent is not a number.");
  }
  Key key = FromParameters("RSA", builder.get());
  if (!key) return BadKey("The RSA modulus and exponent are not a key.");
  return FromPublicKey(key.release());
}

Result<SignatureKey> SignatureKey::FromP256(std::string_view x, std::string_view y) {
  const ForgetErrors forget;
  if (x.size() != kScalarBytes || y.size() != kScalarBytes) {
    return BadKey("A P-256 coordinate has exactly 32 bytes.");
  }
  const std::string point = StrCat('\x04', x, y);
  const Builder builder(OSSL_PARAM_BLD_new());
  Key key;
  if (builder &&
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) ==
          1 &&
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) == 1) {
    key = FromParameters("EC", builder.get());
  }
  if (!key) return BadKey("The two coordinates are not a point on P-256.");
  return FromPublicKey(key.release());
}

Result<SignatureKey> SignatureKey::FromEd25519(std::string_view x) {
  const ForgetErrors forget;
  if (x.size() != kEd25519Bytes) return BadKey("An Ed25519 key has exactly 32 bytes.");
  Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, Bytes(x), x.size()));
  if (!key) return BadKey("The Ed25519 key is not readable.");
  return FromPublicKey(key.release());
}

Result<SignatureKey> SignatureKey::FromPublicKey(void* evp_pkey) {
  Key key(static_cast<EVP_PKEY*>(evp_pkey));
  SignatureAlgorithm algorithm{};
  switch (EVP_PKEY_get_base_id(key.get())) {
    case EVP_PKEY_RSA: {
      algorithm = SignatureAlgorithm::kRs256;
      const int bits = EVP_PKEY_get_bits(key.get());
      if (bits < kMinRsaBits || bits > kMaxRsaBits) {
        return BadKey(StrCat("The RSA key has ", bits, " bits; ", kMinRsaBits, " to ", kMaxRsaBits,
                             " are accepted."));
      }
      break;
    }
    case EVP_PKEY_EC:
      algorithm = SignatureAlgorithm::kEs256;
      if (!IsOnP256(key.get()))
        return BadKey("Of elliptic curves, P-256 and Ed25519 are accepted.");
      break;
    case EVP_PKEY_ED25519:
      algorithm = SignatureAlgorithm::kEdDsa;
      break;
    default:
      return BadKey("The key is none of RSA, P-256 and Ed25519.");
  }
  if (!IsSoundPublicKey(key.get())) return BadKey("The key is not a sound public key.");
  return SignatureKey(std::make_shared<Impl>(algorithm, std::string(), std::move(key)));
}

SignatureAlgorithm SignatureKey::algorithm() const { return impl_->algorithm; }

bool SignatureKey::Verify(std::string_view data, std::string_view signature) const {
  const ForgetErrors forget;
  switch (impl_->algorithm) {
    case SignatureAlgorithm::kHs256: {
      const Sha256Digest digest = HmacSha256(impl_->secret, data);
      return EqualConstantTime({reinterpret_cast<const char*>(digest.data()), digest.size()},
                               signature);
    }
    case SignatureAlgorithm::kRs256:
      return VerifyWith(impl_->key.get(), true, data, signature);
    case SignatureAlgorithm::kEs256:
      return signature.size() == 2 * kScalarBytes &&
             VerifyWith(impl_->key.get(), true, data, ToAsn1Signature(signature));
    case SignatureAlgorithm::kEdDsa:
      return VerifyWith(impl_->key.get(), false, data, signature);
  }
  return false;
}

}  // namespace toolpost::base
