// What the parts of the vault share.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "store/vault.h"
#include "store/vault_rows.h"

namespace toolpost::store {

inline constexpr std::size_t kSaltBytes = 16;

// A key text and, once it was needed, the key made from it: scrypt is slow by design.
struct KeyCandidate {
  KeyMaterial material;
  std::optional<MasterKey> key;
  std::string salt;  // `key` was made with

  const MasterKey& Derive(std::string_view with_salt);
};

struct Vault::Impl {
  explicit Impl(std::shared_ptr<Store> with) : store(std::move(with)) {}
  ~Impl();

  // A rotation waits for those who use the vault, and those who come later wait for it: readers
  // cannot keep it out.
  std::shared_lock<std::shared_mutex> LockForUse();
  std::unique_lock<std::shared_mutex> LockForRotation();

  // The key the store is sealed with, if we have it: Code::kConflict naming both ids otherwise.
  Result<MasterKey> KeyFor(const VaultState& state);
  // The same inside a transaction that will write; a store without sealed secrets takes the key we
  // have.
  Result<MasterKey> KeyForWriting(db::Sql& sql);
  Result<std::string> Open(const SecretRow& row, const std::optional<VaultState>& state);
  // The work of a rotation inside its transaction.
  Result<void> ResealAll(db::Sql& sql, const KeyMaterial& new_key, Rotation& rotation);
  // The work of a migration inside its transaction.
  Result<void> SealRest(db::Sql& sql, Migration& migration);
  Result<Rotation> AfterFailure(const Error& failure, const KeyMaterial& new_key,
                                const Rotation& rotation);
  void Adopt(const KeyMaterial& key);

  const std::shared_ptr<Store> store;
  // Held exclusively while the key changes, so that nobody in this process meets the new rows with
  // the old key.
  std::shared_mutex rotation_mutex;
  std::mutex turn_mutex;  // of those who wait for it
  // None without a key. Two only after a rotation of which we do not know whether it took place:
  // the old one first.
  std::vector<KeyCandidate> candidates;
  std::mutex derive_mutex;  // of the keys in `candidates`; the vector itself changes under
                            // rotation_mutex only
};

}  // namespace toolpost::store
