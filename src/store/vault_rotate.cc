// Changes of many secrets at once, each in one transaction.
#include "base/crypto.h"
#include "base/strings.h"
#include "store/sealed_record.h"
#include "store/vault.h"
#include "store/vault_impl.h"

namespace toolpost::store {
namespace {

// Seals `secret` into `row` and opens it again before it is written.
Result<void> Reseal(db::Sql& sql, const MasterKey& key, SecretRow& row, std::string secret) {
  row.bytes = SealSecret(key, row.kind, row.name, secret);
  auto opened = OpenSecret(key, row.kind, row.name, row.bytes);
  const bool same = opened && *opened == secret;
  if (opened) base::Wipe(*opened);
  base::Wipe(secret);
  if (!same) {
    return Error::Internal(base::StrCat("The secret of ", row.kind, " ", row.name,
                                        " did not come back from sealing: nothing was changed"));
  }
  row.form = SecretForm::kSealed;
  row.key_id = key.id;
  return WriteSecret(sql, row);
}

Error NothingChanged(const SecretRow& row, const Error& cause) {
  return {cause.code,
          base::StrCat("Nothing was changed: the secret of ", row.kind, " ", row.name,
                       " cannot be opened. ", cause.message),
          {}};
}

}  // namespace

Result<void> Vault::Impl::ResealAll(db::Sql& sql, const KeyMaterial& new_key, Rotation& rotation) {
  rotation = {};
  ASSIGN_OR_RETURN(const auto state, ReadVaultState(sql));
  ASSIGN_OR_RETURN(auto rows, ReadSecrets(sql, {}));
  if (state) {
    rotation.old_key_id = state->key_id;
    if (!rows.empty()) RETURN_IF_ERROR(KeyFor(*state));
  }
  const std::string salt = state ? state->salt : base::RandomBytes(kSaltBytes);
  const MasterKey key = DeriveMasterKey(new_key, salt);
  if (key.id == rotation.old_key_id) {
    return Error::InvalidParams(
        base::StrCat("The new key is the current one (", key.id, "): give another"));
  }
  rotation.new_key_id = key.id;
  for (SecretRow& row : rows) {
    auto secret = Open(row, state);
    if (!secret) return NothingChanged(row, secret.error());
    RETURN_IF_ERROR(Reseal(sql, key, row, *std::move(secret)));
    ++rotation.count;
  }
  return WriteVaultState(sql, {key.id, key.check, salt});
}

// A failed commit may have happened all the same: ask the store which key it names. When it cannot
// be asked both keys stay.
Result<Rotation> Vault::Impl::AfterFailure(const Error& failure, const KeyMaterial& new_key,
                                           const Rotation& rotation) {
  const auto state = Read<std::optional<VaultState>>(*store, ReadVaultState);
  if (!state) {
    if (!rotation.new_key_id.empty()) candidates.push_back({.material = new_key});
    return failure;
  }
  if (!*state || rotation.new_key_id.empty() || (*state)->key_id != rotation.new_key_id) {
    return failure;
  }
  Adopt(new_key);
  return rotation;
}

void Vault::Impl::Adopt(const KeyMaterial& key) {
  for (KeyCandidate& candidate : candidates) base::Wipe(candidate.material.text);
  candidates.clear();
  candidates.push_back({.material = key});
}

Result<Rotation> Vault::Rotate(const KeyMaterial& new_key) {
  RETURN_IF_ERROR(CheckNewKey(new_key));
  const auto lock = impl_->LockForRotation();
  Rotation rotation;
  bool had_open_text = false;
  const auto done = impl_->store->With([&](db::Sql& sql) -> Result<void> {
    ASSIGN_OR_RETURN(const auto rows, ReadSecrets(sql, {}));
    for (const SecretRow& row : rows) had_open_text |= row.form != SecretForm::kSealed;
    return sql.InTransaction(
        [&](db::Sql& locked) { return impl_->ResealAll(locked, new_key, rotation); });
  });
  if (!done) return impl_->AfterFailure(done.error(), new_key, rotation);
  impl_->Adopt(new_key);
  if (had_open_text) {
    (void)impl_->store->With([](db::Sql& sql) -> Result<void> {
      EraseReplacedRows(sql);
      return {};
    });
  }
  return rotation;
}

Result<void> Vault::Impl::SealRest(db::Sql& sql, Migration& migration) {
  migration = {};
  ASSIGN_OR_RETURN(auto rows, ReadSecrets(sql, {}));
  if (rows.empty()) return {};
  ASSIGN_OR_RETURN(const MasterKey key, KeyForWriting(sql));
  for (SecretRow& row : rows) {
    if (row.form == SecretForm::kSealed) {
      ++migration.already_encrypted;
      continue;
    }
    auto secret = Open(row, std::nullopt);
    if (!secret) {
      migration.failed.push_back({row.name, secret.error().message});
      continue;
    }
    RETURN_IF_ERROR(Reseal(sql, key, row, *std::move(secret)));
    ++migration.migrated;
  }
  return {};
}

Result<Migration> Vault::MigrateToEncrypted() {
  Migration migration;
  if (!impl_->store->Exists()) return migration;
  const auto lock = impl_->LockForUse();
  const auto done = impl_->store->With([&](db::Sql& sql) -> Result<void> {
    RETURN_IF_ERROR(
        sql.InTransaction([&](db::Sql& locked) { return impl_->SealRest(locked, migration); }));
    EraseReplacedRows(sql);
    return {};
  });
  if (!done) return done.error();
  return migration;
}

}  // namespace toolpost::store
