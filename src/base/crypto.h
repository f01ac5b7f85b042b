// Random ids, digests and encodings, on OpenSSL. The only file that names OpenSSL outside net/tls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toolpost::base {

using Sha256Digest = std::array<std::uint8_t, 32>;

// `bytes` bytes from the kernel's generator, as lower-case hex.
std::string RandomHex(std::size_t bytes);
std::string RandomBytes(std::size_t bytes);
// A random (version 4) UUID in the usual spelling.
std::string RandomUuid();
Sha256Digest Sha256(std::string_view data);
Sha256Digest HmacSha256(std::string_view key, std::string_view data);
// Compares without leaking where the difference is.
bool EqualConstantTime(std::string_view a, std::string_view b);
std::string ToHex(std::string_view bytes);
std::string ToBase64(std::string_view bytes);
// Strict: right alphabet, right padding, no white space, no stray bits; otherwise empty.
std::optional<std::string> FromBase64(std::string_view text);
// URL alphabet without padding.
std::string ToBase64Url(std::string_view bytes);
std::optional<std::string> FromBase64Url(std::string_view text);

}  // namespace toolpost::base
