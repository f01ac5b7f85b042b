// Randomness from the kernel, digests from OpenSSL, encodings by hand.
#include "base/crypto.h"

#define OPENSSL_SUPPRESS_DEPRECATED  // of SHA256_*, see Sha256State
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace toolpost::base {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

using DecodeTable = std::array<std::int8_t, 256>;

constexpr DecodeTable MakeDecodeTable(std::string_view alphabet) {
  DecodeTable table{};
  table.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  }
  return table;
}

constexpr DecodeTable kFromBase64 = MakeDecodeTable(kBase64);
constexpr DecodeTable kFromBase64Url = MakeDecodeTable(kBase64Url);

std::string Encode(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) text.push_back(alphabet[(bits >> (count - 6)) & 63]);
  }
  if (count > 0) text.push_back(alphabet[(bits << (6 - count)) & 63]);
  return text;
}

// `text` without padding.
std::optional<std::string> Decode(std::string_view text, const DecodeTable& table) {
  if (text.size() % 4 == 1) return {};
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::int8_t value = table[static_cast<unsigned char>(c)];
    if (value < 0) return {};
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>((bits >> count) & 0xFF));
    }
  }
  if ((bits & ((1U << count) - 1)) != 0) return {};
  return bytes;
}

// The block functions below EVP: they are the same code without its allocations and locks, which
// cost several times the digest of a short text, and they wake nothing else of OpenSSL.
class Sha256State {
 public:
  Sha256State() { Check(SHA256_Init(&context_)); }
  Sha256State& Add(std::string_view data) {
    Check(SHA256_Update(&context_, data.data(), data.size()));
    return *this;
  }
  Sha256Digest Finish() {
    Sha256Digest digest{};
    Check(SHA256_Final(digest.data(), &context_));
    return digest;
  }

 private:
  static void Check(int done) {
    if (done != 1) std::abort();
  }
  SHA256_CTX context_;
};

std::string_view View(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

std::string RandomBytes(std::size_t bytes) {
  std::string random(bytes, '\0');
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = getrandom(random.data() + done, bytes - done, 0);
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      std::abort();  // ids that can be guessed are worse than no process
    }
  }
  return random;
}

std::string RandomHex(std::size_t bytes) { return ToHex(RandomBytes(bytes)); }

std::string RandomUuid() {
  std::string bytes = RandomBytes(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
  std::string uuid = ToHex(bytes);
  for (const std::size_t dash : {8, 13, 18, 23}) uuid.insert(dash, 1, '-');
  return uuid;
}

Sha256Digest Sha256(std::string_view data) { return Sha256State().Add(data).Finish(); }

// RFC 2104.
Sha256Digest HmacSha256(std::string_view key, std::string_view data) {
  std::array<char, SHA256_CBLOCK> inner{};
  const Sha256Digest short_key = key.size() > inner.size() ? Sha256(key) : Sha256Digest{};
  if (key.size() > inner.size()) key = View(short_key);
  std::ranges::copy(key, inner.begin());
  std::array<char, SHA256_CBLOCK> outer = inner;
  for (char& byte : inner) byte ^= 0x36;
  for (char& byte : outer) byte ^= 0x5C;
  const Sha256Digest first = Sha256State().Add({inner.data(), inner.size()}).Add(data).Finish();
  const Sha256Digest digest =
      Sha256State().Add({outer.data(), outer.size()}).Add(View(first)).Finish();
  OPENSSL_cleanse(inner.data(), inner.size());
  OPENSSL_cleanse(outer.data(), outer.size());
  return digest;
}

bool EqualConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string ToHex(std::string_view bytes) {
  std::string text(bytes.size() * 2, '0');
  char* at = text.data();
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *at++ = kHex[byte >> 4];
    *at++ = kHex[byte & 15];
  }
  return text;
}

std::string ToBase64(std::string_view bytes) {
  std::string text = Encode(bytes, kBase64);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return Decode(text, kFromBase64);
}

std::string ToBase64Url(std::string_view bytes) { return Encode(bytes, kBase64Url); }

std::optional<std::string> FromBase64Url(std::string_view text) {
  return Decode(text, kFromBase64Url);
}

}  // namespace toolpost::base
