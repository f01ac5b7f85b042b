// The stored form of a secret: `v1 | key id (8 bytes) | nonce (12 bytes) | AES-256-GCM ciphertext |
// tag (16 bytes)`.
//
// Version, key id, kind and name are bound as additional data, so a record opens only in its own
// place and under its own key. Pure functions; any bytes may come in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/vault_key.h"
#include "toolpost/result.h"

namespace toolpost::store {

struct SealedRecord {
  std::string key_id;  // 16 hex digits
  std::string nonce;
  std::string sealed;  // ciphertext and tag

  // Nothing if the bytes are no record of a known version.
  static std::optional<SealedRecord> Decode(std::string_view bytes);
  std::string Encode() const;
};

std::string SealSecret(const MasterKey& key, std::string_view kind, std::string_view name,
                       std::string_view secret);
// Code::kConflict for a record of another key, naming both; Code::kInternal for one that is damaged
// or does not belong here.
Result<std::string> OpenSecret(const MasterKey& key, std::string_view kind, std::string_view name,
                               std::string_view record);

}  // namespace toolpost::store
