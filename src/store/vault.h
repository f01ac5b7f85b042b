// Secrets at rest: connection strings and whatever else must not lie about in plain text.
//
// Each secret is sealed with AES-256-GCM under the master key: `v1 | key id | 96-bit random nonce |
// ciphertext | tag`, with kind, name, key id and version as additional data, so that no record can
// be moved, swapped or taken for another. The key comes from outside (MSSQL_MCP_KEY or a key file);
// the store keeps only its id, a check value and the scrypt salt, which stays for the life of the
// store, so that a passphrase always has the same id. Keys that stand in examples (vault_key.h) are
// refused.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"
#include "store/vault_key.h"

namespace toolpost::store {

struct SecretInfo {
  std::string kind;  // "connection", …
  std::string name;
  std::string form;  // "sealed", "legacy" (ENC:), "plain"
  std::string key_id;
  std::string details;  // JSON object the owner keeps in clear: description, created, last used
  std::string version;  // another one with every change of the secret, but not of the details
};

struct Rotation {
  std::int64_t count = 0;
  std::string old_key_id;
  std::string new_key_id;  // what the next start needs
};

struct Migration {
  struct Failure {
    std::string name;
    std::string reason;
  };
  std::int64_t migrated = 0;
  std::int64_t already_encrypted = 0;
  std::vector<Failure> failed;
};

// Thread-safe; blocks.
class Vault {
 public:
  Vault(std::shared_ptr<Store> store, KeyMaterial key);
  ~Vault();

  // At the start of a server: without secrets anything goes; with secrets the key must be there and
  // be the right one, else Code::kConflict naming both key ids and what to set. Never invents a
  // key.
  Result<void> CheckKey();

  // Inserts or replaces. Kind and name: 1 to 256 bytes without control characters; secret and
  // details (a JSON object): up to 64 KiB each. The first secret makes the key of this process the
  // store's. After another process changed the key: Code::kConflict naming both ids, also from
  // Get().
  Result<void> Put(std::string_view kind, std::string_view name, std::string_view secret,
                   std::string_view details);
  // Says what the details become, from what is there in that moment (null: nothing), or why not.
  // Nobody else changes it in between, in this process or another. May be asked more than once.
  using Change = std::function<Result<std::string>(const SecretInfo* there)>;
  Result<void> Put(std::string_view kind, std::string_view name, std::string_view secret,
                   const Change& change);
  // Changes the clear part only, if there is such a secret.
  Result<void> SetDetails(std::string_view kind, std::string_view name, const Change& change);
  Result<std::optional<std::string>> Get(std::string_view kind, std::string_view name);
  Result<bool> Remove(std::string_view kind, std::string_view name);
  // By name; decrypts nothing. `kind` empty: all, by kind and name.
  Result<std::vector<SecretInfo>> List(std::string_view kind);

  // Re-seals everything under a new key in one transaction, verifies each record, and goes on with
  // the new key at once. After a crash at any point every secret opens with exactly one of the two
  // keys: the one whose id the store names. Plain and legacy rows are sealed too. One secret that
  // does not open stops it, with nothing changed. The new key must satisfy CheckNewKey() and differ
  // from the current one.
  Result<Rotation> Rotate(const KeyMaterial& new_key);
  // Seals plain and legacy `ENC:` rows (AES-256-CBC under PBKDF2 of the same key text, salt
  // `mssqlMCP.Salt`, 10,000 rounds), then erases the old text from the file. What does not open is
  // left as it is and reported.
  Result<Migration> MigrateToEncrypted();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::store
