// The vault: which key is the right one, and single secrets. Rotation and migration are in
// vault_rotate.cc.
#include "store/vault.h"

#include <algorithm>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/strings.h"
#include "store/sealed_record.h"
#include "store/vault_impl.h"

namespace toolpost::store {
namespace {

constexpr std::size_t kMaxName = 256;
constexpr std::size_t kMaxSecret = std::size_t{64} * 1024;
constexpr std::size_t kMaxDetails = std::size_t{64} * 1024;

Result<void> CheckName(std::string_view what, std::string_view text) {
  const bool controls = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (!text.empty() && text.size() <= kMaxName && !controls && base::IsValidUtf8(text)) return {};
  return Error::InvalidParams(base::StrCat("The ", what, " of a secret must have 1 to ", kMaxName,
                                           " bytes of UTF-8 without control characters"));
}

Result<void> CheckDetails(std::string_view details) {
  const auto parsed = base::ParseJson(details);
  if (parsed && parsed->is_object() && details.size() <= kMaxDetails) return {};
  return Error::InvalidParams(base::StrCat(
      "The details of a secret must be a JSON object of at most ", kMaxDetails, " bytes"));
}

Result<void> CheckSecret(std::string_view secret) {
  if (secret.size() <= kMaxSecret) return {};
  return Error{
      Code::kTooLarge,
      base::StrCat("The secret has ", secret.size(), " bytes; at most ", kMaxSecret, " are kept"),
      {}};
}

SecretInfo InfoOf(SecretRow row) {
  const base::Sha256Digest digest = base::Sha256(row.bytes);
  return {.kind = std::move(row.kind),
          .name = std::move(row.name),
          .form = std::string(NameOf(row.form)),
          .key_id = std::move(row.key_id),
          .details = std::move(row.details),
          .version = base::ToHex({reinterpret_cast<const char*>(digest.data()), digest.size()})};
}

Result<std::string> DetailsAfter(const Vault::Change& change, const std::optional<SecretRow>& row) {
  std::optional<SecretInfo> there;
  if (row) there = InfoOf(*row);
  ASSIGN_OR_RETURN(std::string details, change(there ? &*there : nullptr));
  RETURN_IF_ERROR(CheckDetails(details));
  return details;
}

}  // namespace

const MasterKey& KeyCandidate::Derive(std::string_view with_salt) {
  if (!key || salt != with_salt) {
    key = DeriveMasterKey(material, with_salt);
    salt = with_salt;
  }
  return *key;
}

Vault::Impl::~Impl() {
  for (KeyCandidate& candidate : candidates) base::Wipe(candidate.material.text);
}

std::shared_lock<std::shared_mutex> Vault::Impl::LockForUse() {
  const std::lock_guard turn(turn_mutex);
  return std::shared_lock(rotation_mutex);
}

std::unique_lock<std::shared_mutex> Vault::Impl::LockForRotation() {
  const std::lock_guard turn(turn_mutex);
  return std::unique_lock(rotation_mutex);
}

Result<MasterKey> Vault::Impl::KeyFor(const VaultState& state) {
  const std::lock_guard lock(derive_mutex);
  std::optional<Error> wrong;
  for (KeyCandidate& candidate : candidates) {
    RETURN_IF_ERROR(CheckNotWeak(candidate.material));
    const MasterKey& key = candidate.Derive(state.salt);
    if (key.id == state.key_id && base::EqualConstantTime(key.check, state.check)) return key;
    wrong = WrongKey(state.key_id, key.id, key.origin);
  }
  return wrong ? *wrong : NoKey(state.key_id);
}

Result<MasterKey> Vault::Impl::KeyForWriting(db::Sql& sql) {
  ASSIGN_OR_RETURN(auto state, ReadVaultState(sql));
  if (state) {
    auto key = KeyFor(*state);
    if (key) return key;
    ASSIGN_OR_RETURN(const bool in_use, HasSealedSecrets(sql));
    if (in_use || candidates.empty()) return key;
  }
  // Nothing is sealed yet: the key we have becomes the store's.
  if (candidates.empty()) {
    return Error{Code::kConflict,
                 "There is no key to seal secrets with: set MSSQL_MCP_KEY or vault.key_file to 32 "
                 "random bytes in base64 or to a passphrase, and start again",
                 {}};
  }
  RETURN_IF_ERROR(CheckNotWeak(candidates.back().material));
  const std::string salt = state ? state->salt : base::RandomBytes(kSaltBytes);
  const std::lock_guard lock(derive_mutex);
  const MasterKey& key = candidates.back().Derive(salt);
  RETURN_IF_ERROR(WriteVaultState(sql, {key.id, key.check, salt}));
  return key;
}

Result<std::string> Vault::Impl::Open(const SecretRow& row,
                                      const std::optional<VaultState>& state) {
  switch (row.form) {
    case SecretForm::kSealed: {
      if (!state) {
        return Error::Internal(
            "The store has sealed secrets but does not say with which key: restore it from a "
            "backup");
      }
      ASSIGN_OR_RETURN(const MasterKey key, KeyFor(*state));
      return OpenSecret(key, row.kind, row.name, row.bytes);
    }
    case SecretForm::kLegacy:
      if (candidates.empty()) return NoKey({});
      return OpenLegacyText(candidates.front().material, row.bytes);
    case SecretForm::kPlain:
      break;
  }
  if (IsPlainText(row.bytes)) return row.bytes;
  return Error::Internal(base::StrCat("The stored secret of ", row.kind, " ", row.name,
                                      " is damaged: it is no text. Store it again"));
}

Vault::Vault(std::shared_ptr<Store> store, KeyMaterial key)
    : impl_(std::make_unique<Impl>(std::move(store))) {
  if (key.text.find_first_not_of(" \t\r\n") == std::string::npos) return;
  if (key.origin.empty()) key.origin = "MSSQL_MCP_KEY";
  impl_->candidates.push_back({.material = std::move(key)});
}

Vault::~Vault() = default;

Result<void> Vault::CheckKey() {
  if (!impl_->store->Exists()) return {};
  const auto lock = impl_->LockForUse();
  return impl_->store->With([this](db::Sql& sql) -> Result<void> {
    ASSIGN_OR_RETURN(const auto secrets, ReadSecrets(sql, {}));
    ASSIGN_OR_RETURN(const auto state, ReadVaultState(sql));
    if (secrets.empty()) return {};
    if (impl_->candidates.empty()) return NoKey(state ? state->key_id : std::string());
    RETURN_IF_ERROR(CheckNotWeak(impl_->candidates.front().material));
    for (const SecretForm form : {SecretForm::kSealed, SecretForm::kLegacy}) {
      const auto row = std::find_if(secrets.begin(), secrets.end(),
                                    [form](const SecretRow& one) { return one.form == form; });
      if (row == secrets.end()) continue;
      if (form == SecretForm::kSealed && state) {
        RETURN_IF_ERROR(impl_->KeyFor(*state));  // one damaged secret is no reason not to start
      } else {
        RETURN_IF_ERROR(impl_->Open(*row, state));
      }
    }
    return {};
  });
}

Result<void> Vault::Put(std::string_view kind, std::string_view name, std::string_view secret,
                        std::string_view details) {
  return Put(kind, name, secret,
             [&](const SecretInfo*) { return Result<std::string>(std::string(details)); });
}

Result<void> Vault::Put(std::string_view kind, std::string_view name, std::string_view secret,
                        const Change& change) {
  RETURN_IF_ERROR(CheckName("kind", kind));
  RETURN_IF_ERROR(CheckName("name", name));
  RETURN_IF_ERROR(CheckSecret(secret));
  const auto lock = impl_->LockForUse();
  return impl_->store->With([&](db::Sql& sql) {
    return sql.InTransaction([&](db::Sql& locked) -> Result<void> {
      ASSIGN_OR_RETURN(const SecretAndState found, ReadSecret(locked, kind, name));
      ASSIGN_OR_RETURN(std::string details, DetailsAfter(change, found.row));
      ASSIGN_OR_RETURN(const MasterKey key, impl_->KeyForWriting(locked));
      return WriteSecret(locked, {.kind = std::string(kind),
                                  .name = std::string(name),
                                  .form = SecretForm::kSealed,
                                  .key_id = key.id,
                                  .bytes = SealSecret(key, kind, name, secret),
                                  .details = std::move(details)});
    });
  });
}

Result<void> Vault::SetDetails(std::string_view kind, std::string_view name, const Change& change) {
  if (!impl_->store->Exists()) return {};
  return impl_->store->With([&](db::Sql& sql) {
    return sql.InTransaction([&](db::Sql& locked) -> Result<void> {
      ASSIGN_OR_RETURN(const SecretAndState found, ReadSecret(locked, kind, name));
      if (!found.row) return {};
      ASSIGN_OR_RETURN(std::string details, DetailsAfter(change, found.row));
      RETURN_IF_ERROR(
          locked.Execute("UPDATE toolpost_secrets SET details = $1 WHERE kind = $2 AND name = $3",
                         {std::move(details), std::string(kind), std::string(name)}));
      return {};
    });
  });
}

Result<std::optional<std::string>> Vault::Get(std::string_view kind, std::string_view name) {
  if (!impl_->store->Exists()) return std::optional<std::string>();
  const auto lock = impl_->LockForUse();
  ASSIGN_OR_RETURN(const SecretAndState found,
                   Read<SecretAndState>(*impl_->store,
                                        [&](db::Sql& sql) { return ReadSecret(sql, kind, name); }));
  if (!found.row) return std::optional<std::string>();
  ASSIGN_OR_RETURN(std::string secret, impl_->Open(*found.row, found.state));
  return std::optional<std::string>(std::move(secret));
}

Result<bool> Vault::Remove(std::string_view kind, std::string_view name) {
  if (!impl_->store->Exists()) return false;
  return Read<bool>(*impl_->store, [&](db::Sql& sql) -> Result<bool> {
    ASSIGN_OR_RETURN(const std::int64_t removed,
                     sql.Execute("DELETE FROM toolpost_secrets WHERE kind = $1 AND name = $2",
                                 {std::string(kind), std::string(name)}));
    return removed == 1;
  });
}

Result<std::vector<SecretInfo>> Vault::List(std::string_view kind) {
  std::vector<SecretInfo> infos;
  if (!impl_->store->Exists()) return infos;
  ASSIGN_OR_RETURN(auto rows, Read<std::vector<SecretRow>>(*impl_->store, [&](db::Sql& sql) {
                     return ReadSecrets(sql, kind);
                   }));
  for (SecretRow& row : rows) infos.push_back(InfoOf(std::move(row)));
  return infos;
}

}  // namespace toolpost::store
