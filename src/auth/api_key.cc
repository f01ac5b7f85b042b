// Fixed offsets: "mcp_" 12 "_" 43 "_" 6.
#include "auth/api_key.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

constexpr std::string_view kPrefix = "mcp_";
constexpr std::string_view kBase62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kIdLength = 12;
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kSecretLength = 43;
constexpr std::size_t kCheckLength = 6;
constexpr std::size_t kSecretAt = kPrefix.size() + kIdLength + 1;
constexpr std::size_t kCheckAt = kSecretAt + kSecretLength + 1;
constexpr std::size_t kLength = kCheckAt + kCheckLength;

constexpr std::array<bool, 256> Members(std::string_view letters) {
  std::array<bool, 256> members{};
  for (const char c : letters) members[static_cast<unsigned char>(c)] = true;
  return members;
}
constexpr std::array<bool, 256> kIdLetters = Members(kBase62);
constexpr std::array<bool, 256> kSecretLetters =
    Members("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

bool Only(std::string_view text, const std::array<bool, 256>& letters) {
  return std::ranges::all_of(text, [&](char c) { return letters[static_cast<unsigned char>(c)]; });
}

// CRC-32 as in zip and Ethernet.
constexpr std::array<std::uint32_t, 256> MakeCrcTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0);
    table[byte] = value;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = MakeCrcTable();

std::string CheckOf(std::string_view text) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : text) {
    crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  }
  crc ^= 0xFFFFFFFFU;
  std::string check(kCheckLength, '0');
  for (std::size_t i = kCheckLength; i > 0; crc /= 62) check[--i] = kBase62[crc % 62];
  return check;
}

std::string RandomId() {
  std::string id;
  while (id.size() < kIdLength) {
    for (const char c : base::RandomBytes(16)) {
      // 248 is the largest multiple of 62 below 256: above it the choice would be uneven.
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 248 && id.size() < kIdLength) id.push_back(kBase62[byte % 62]);
    }
  }
  return id;
}

}  // namespace

NewApiKey MakeApiKey() {
  NewApiKey key;
  key.id = RandomId();
  key.text = base::StrCat(kPrefix, key.id, '_', base::ToBase64Url(base::RandomBytes(kSecretBytes)));
  key.text += base::StrCat('_', CheckOf(key.text));
  key.digest = ApiKeyDigest(key.text);
  return key;
}

std::string_view ApiKeyIdPart(std::string_view text) {
  if (text.size() != kLength || !text.starts_with(kPrefix)) return {};
  return text.substr(kPrefix.size(), kIdLength);
}

std::optional<std::string> ApiKeyId(std::string_view text) {
  const std::string_view id = ApiKeyIdPart(text);
  if (id.empty() || !Only(id, kIdLetters) || text[kSecretAt - 1] != '_' ||
      text[kCheckAt - 1] != '_' || !Only(text.substr(kSecretAt, kSecretLength), kSecretLetters) ||
      text.substr(kCheckAt) != CheckOf(text.substr(0, kCheckAt - 1))) {
    return {};
  }
  return std::string(id);
}

std::string ApiKeyDigest(std::string_view text) {
  const base::Sha256Digest digest = base::Sha256(text);
  return {digest.begin(), digest.end()};
}

}  // namespace toolpost::auth
