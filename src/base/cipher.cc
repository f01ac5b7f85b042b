// AES and key derivation through OpenSSL's EVP interface.
#include "base/cipher.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

namespace toolpost::base {
namespace {

constexpr std::size_t kIvBytes = 16;
constexpr std::uint64_t kScryptN = 1 << 15;
constexpr std::uint64_t kScryptR = 8;
constexpr std::uint64_t kScryptP = 1;
constexpr std::uint64_t kScryptMemory = 64 << 20;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

void Require(bool condition) {
  if (!condition) std::abort();
}

Context NewContext() {
  Context context(EVP_CIPHER_CTX_new());
  Require(context != nullptr);
  return context;
}

const std::uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}
std::uint8_t* Bytes(std::string& text) { return reinterpret_cast<std::uint8_t*>(text.data()); }

int Length(std::string_view text) {
  Require(text.size() <= INT_MAX);
  return static_cast<int>(text.size());
}

}  // namespace

void Wipe(std::string& secret) {
  OPENSSL_cleanse(secret.data(), secret.size());
  secret.clear();
}

std::optional<SecretKey> SecretKey::From(std::string_view bytes) {
  if (bytes.size() != kSize) return {};
  SecretKey key;
  std::copy(bytes.begin(), bytes.end(), key.bytes_.begin());
  return key;
}

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

std::string SealAes256Gcm(const SecretKey& key, std::string_view nonce, std::string_view text,
                          std::string_view bound) {
  Require(nonce.size() == kGcmNonceBytes);
  const Context context = NewContext();
  std::string sealed(text.size() + kGcmTagBytes, '\0');
  int length = 0;
  Require(EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), Bytes(nonce)) ==
          1);
  Require(EVP_EncryptUpdate(context.get(), nullptr, &length, Bytes(bound), Length(bound)) == 1);
  Require(EVP_EncryptUpdate(context.get(), Bytes(sealed), &length, Bytes(text), Length(text)) == 1);
  Require(EVP_EncryptFinal_ex(context.get(), Bytes(sealed) + length, &length) == 1);
  Require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kGcmTagBytes,
                              Bytes(sealed) + text.size()) == 1);
  return sealed;
}

std::optional<std::string> OpenAes256Gcm(const SecretKey& key, std::string_view nonce,
                                         std::string_view sealed, std::string_view bound) {
  if (nonce.size() != kGcmNonceBytes || sealed.size() < kGcmTagBytes) return {};
  const std::string_view ciphertext = sealed.substr(0, sealed.size() - kGcmTagBytes);
  std::string tag(sealed.substr(ciphertext.size()));
  std::string text(ciphertext.size(), '\0');
  const Context context = NewContext();
  int length = 0;
  Require(EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), Bytes(nonce)) ==
          1);
  Require(EVP_DecryptUpdate(context.get(), nullptr, &length, Bytes(bound), Length(bound)) == 1);
  Require(EVP_DecryptUpdate(context.get(), Bytes(text), &length, Bytes(ciphertext),
                            Length(ciphertext)) == 1);
  Require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kGcmTagBytes, tag.data()) == 1);
  if (EVP_DecryptFinal_ex(context.get(), Bytes(text) + length, &length) == 1) return text;
  Wipe(text);
  return {};
}

std::optional<std::string> OpenAes256Cbc(const SecretKey& key, std::string_view iv,
                                         std::string_view ciphertext) {
  if (iv.size() != kIvBytes || ciphertext.empty() || ciphertext.size() % kIvBytes != 0) return {};
  std::string text(ciphertext.size() + kIvBytes, '\0');
  const Context context = NewContext();
  int length = 0;
  int rest = 0;
  Require(EVP_DecryptInit_ex(context.get(), EVP_aes_256_cbc(), nullptr, key.data(), Bytes(iv)) ==
          1);
  Require(EVP_DecryptUpdate(context.get(), Bytes(text), &length, Bytes(ciphertext),
                            Length(ciphertext)) == 1);
  if (EVP_DecryptFinal_ex(context.get(), Bytes(text) + length, &rest) != 1) {
    Wipe(text);
    return {};
  }
  text.resize(static_cast<std::size_t>(length) + static_cast<std::size_t>(rest));
  return text;
}

SecretKey Scrypt(std::string_view passphrase, std::string_view salt) {
  SecretKey key;
  Require(EVP_PBE_scrypt(passphrase.data(), passphrase.size(), Bytes(salt), salt.size(), kScryptN,
                         kScryptR, kScryptP, kScryptMemory, key.data(), SecretKey::kSize) == 1);
  return key;
}

SecretKey Pbkdf2Sha256(std::string_view passphrase, std::string_view salt, int rounds) {
  SecretKey key;
  Require(PKCS5_PBKDF2_HMAC(passphrase.data(), Length(passphrase), Bytes(salt), Length(salt),
                            rounds, EVP_sha256(), SecretKey::kSize, key.data()) == 1);
  return key;
}

}  // namespace toolpost::base
