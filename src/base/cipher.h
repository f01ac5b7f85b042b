// Encryption of short texts and keys from passphrases, on OpenSSL. Pure functions; failure of the
// library itself (no memory) ends the process, because there is no safe way on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toolpost::base {

// Overwrites what the string holds, in a way no compiler removes, and empties it.
void Wipe(std::string& secret);

// 32 bytes that are overwritten when they are no longer needed.
class SecretKey {
 public:
  static constexpr std::size_t kSize = 32;

  SecretKey() = default;                                         // all zero
  static std::optional<SecretKey> From(std::string_view bytes);  // exactly kSize bytes
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey();

  std::string_view view() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  std::uint8_t* data() { return bytes_.data(); }
  const std::uint8_t* data() const { return bytes_.data(); }

 private:
  std::array<std::uint8_t, kSize> bytes_{};
};

inline constexpr std::size_t kGcmNonceBytes = 12;
inline constexpr std::size_t kGcmTagBytes = 16;

// AES-256-GCM: ciphertext and tag. `nonce` has kGcmNonceBytes and is never used twice with one key
// (random ones are fine up to 2^32 texts). `bound` is authenticated, not stored.
std::string SealAes256Gcm(const SecretKey& key, std::string_view nonce, std::string_view text,
                          std::string_view bound);
// Nothing unless key, nonce, ciphertext, tag and `bound` are exactly those of the sealing.
std::optional<std::string> OpenAes256Gcm(const SecretKey& key, std::string_view nonce,
                                         std::string_view sealed, std::string_view bound);

// AES-256-CBC with PKCS #7 padding. Not authenticated: a wrong key shows only by chance. For
// reading what others wrote.
std::optional<std::string> OpenAes256Cbc(const SecretKey& key, std::string_view iv,
                                         std::string_view ciphertext);

// A key from a passphrase: N = 2^15, r = 8, p = 1; 32 MiB and about 0.1 s.
SecretKey Scrypt(std::string_view passphrase, std::string_view salt);
SecretKey Pbkdf2Sha256(std::string_view passphrase, std::string_view salt, int rounds);

}  // namespace toolpost::base
