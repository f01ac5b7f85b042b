// The vault's two tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/sql.h"
#include "store/vault_key.h"
#include "toolpost/result.h"

namespace toolpost::store {

enum class SecretForm { kSealed, kLegacy, kPlain };
std::string_view NameOf(SecretForm form);

struct SecretRow {
  std::string kind;
  std::string name;
  SecretForm form = SecretForm::kSealed;
  std::string key_id;
  std::string bytes;  // record or text
  std::string details;
};

// Which key the store is sealed with.
struct VaultState {
  std::string key_id;
  std::string check;
  std::string
      salt;  // of passphrases; stays when the key changes, so that a passphrase keeps its id
};

Result<std::optional<VaultState>> ReadVaultState(db::Sql& sql);
Result<void> WriteVaultState(db::Sql& sql, const VaultState& state);
// By kind and name. `kind` empty: all.
Result<std::vector<SecretRow>> ReadSecrets(db::Sql& sql, std::string_view kind);
// Row and state as they were at one moment.
struct SecretAndState {
  std::optional<SecretRow> row;
  std::optional<VaultState> state;
};
Result<SecretAndState> ReadSecret(db::Sql& sql, std::string_view kind, std::string_view name);
// Inserts or replaces.
Result<void> WriteSecret(db::Sql& sql, const SecretRow& row);
Result<bool> HasSealedSecrets(db::Sql& sql);
// Overwrites what deleted and replaced rows left in the database's files. Best effort: other
// processes may be in the way.
void EraseReplacedRows(db::Sql& sql);

}  // namespace toolpost::store
