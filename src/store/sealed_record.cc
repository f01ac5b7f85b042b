// Encodes, decodes, seals and opens records.
#include "store/sealed_record.h"

#include <cstdint>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::store {
namespace {

constexpr std::string_view kVersion = "v1";
constexpr std::size_t kIdBytes = 8;
constexpr std::size_t kHeaderBytes = kVersion.size() + kIdBytes + base::kGcmNonceBytes;

std::string FromHex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  }
  return bytes;
}

// Each part with its length, so that no two places have the same text.
std::string Bound(std::string_view key_id, std::string_view kind, std::string_view name) {
  std::string bound = "toolpost secret";
  for (const std::string_view part : {kVersion, key_id, kind, name}) {
    const std::uint64_t size = part.size();
    for (int shift = 56; shift >= 0; shift -= 8) bound.push_back(static_cast<char>(size >> shift));
    bound.append(part);
  }
  return bound;
}

}  // namespace

std::optional<SealedRecord> SealedRecord::Decode(std::string_view bytes) {
  if (!bytes.starts_with(kVersion) || bytes.size() < kHeaderBytes + base::kGcmTagBytes) return {};
  return SealedRecord{
      .key_id = base::ToHex(bytes.substr(kVersion.size(), kIdBytes)),
      .nonce = std::string(bytes.substr(kVersion.size() + kIdBytes, base::kGcmNonceBytes)),
      .sealed = std::string(bytes.substr(kHeaderBytes))};
}

std::string SealedRecord::Encode() const {
  return base::StrCat(kVersion, FromHex(key_id), nonce, sealed);
}

std::string SealSecret(const MasterKey& key, std::string_view kind, std::string_view name,
                       std::string_view secret) {
  SealedRecord record{.key_id = key.id, .nonce = base::RandomBytes(base::kGcmNonceBytes)};
  record.sealed = base::SealAes256Gcm(key.key, record.nonce, secret, Bound(key.id, kind, name));
  return record.Encode();
}

Result<std::string> OpenSecret(const MasterKey& key, std::string_view kind, std::string_view name,
                               std::string_view bytes) {
  const auto record = SealedRecord::Decode(bytes);
  if (!record) {
    return Error::Internal(base::StrCat("The stored secret of ", kind, " ", name,
                                        " is damaged: it is no sealed record. Store it again"));
  }
  if (record->key_id != key.id) return WrongKey(record->key_id, key.id, key.origin);
  auto secret =
      base::OpenAes256Gcm(key.key, record->nonce, record->sealed, Bound(key.id, kind, name));
  if (secret) return *std::move(secret);
  return Error::Internal(base::StrCat("The stored secret of ", kind, " ", name,
                                      " was changed or moved from another place. Store it again"));
}

}  // namespace toolpost::store
