// SQL of the vault.
#include "store/vault_rows.h"

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::store {
namespace {

using db::Blob;
using db::Row;
using db::Sql;
using db::Value;

std::string BytesOr(const Value& value) {
  if (const Blob* blob = std::get_if<Blob>(&value)) return blob->bytes;
  return db::TextOr(value, "");
}

// What is not marked as sealed is recognised by its own form.
SecretForm FormOf(const Row& row) {
  if (db::TextOr(row[2], "") == NameOf(SecretForm::kSealed)) return SecretForm::kSealed;
  return IsLegacyText(BytesOr(row[4])) ? SecretForm::kLegacy : SecretForm::kPlain;
}

SecretRow SecretFrom(const Row& row) {
  return {.kind = db::TextOr(row[0], ""),
          .name = db::TextOr(row[1], ""),
          .form = FormOf(row),
          .key_id = db::TextOr(row[3], ""),
          .bytes = BytesOr(row[4]),
          .details = db::TextOr(row[5], "")};
}

}  // namespace

std::string_view NameOf(SecretForm form) {
  switch (form) {
    case SecretForm::kSealed:
      return "sealed";
    case SecretForm::kLegacy:
      return "legacy";
    case SecretForm::kPlain:
      break;
  }
  return "plain";
}

Result<std::optional<VaultState>> ReadVaultState(Sql& sql) {
  ASSIGN_OR_RETURN(const auto rows,
                   sql.Query("SELECT key_id, check_value, salt FROM toolpost_vault_state"));
  if (rows.empty()) return std::optional<VaultState>();
  const Row& row = rows.front();
  return std::optional(VaultState{db::TextOr(row[0], ""), BytesOr(row[1]), BytesOr(row[2])});
}

Result<void> WriteVaultState(Sql& sql, const VaultState& state) {
  RETURN_IF_ERROR(sql.Execute(
      "INSERT INTO toolpost_vault_state (singleton, key_id, check_value, salt) "
      "VALUES (1, $1, $2, $3) ON CONFLICT (singleton) DO UPDATE SET "
      "key_id = excluded.key_id, check_value = excluded.check_value, salt = excluded.salt",
      {state.key_id, Blob{state.check}, Blob{state.salt}}));
  return {};
}

Result<std::vector<SecretRow>> ReadSecrets(Sql& sql, std::string_view kind) {
  constexpr std::string_view kColumns =
      "SELECT kind, name, form, key_id, sealed, details FROM toolpost_secrets";
  const auto rows = kind.empty()
                        ? sql.Query(base::StrCat(kColumns, " ORDER BY kind, name"))
                        : sql.Query(base::StrCat(kColumns, " WHERE kind = $1 ORDER BY name"),
                                    {std::string(kind)});
  if (!rows) return rows.error();
  std::vector<SecretRow> secrets;
  secrets.reserve(rows->size());
  for (const Row& row : *rows) secrets.push_back(SecretFrom(row));
  return secrets;
}

Result<SecretAndState> ReadSecret(Sql& sql, std::string_view kind, std::string_view name) {
  ASSIGN_OR_RETURN(const auto rows,
                   sql.Query("SELECT s.kind, s.name, s.form, s.key_id, s.sealed, s.details, "
                             "v.key_id, v.check_value, v.salt FROM toolpost_secrets s "
                             "LEFT JOIN toolpost_vault_state v ON v.singleton = 1 "
                             "WHERE s.kind = $1 AND s.name = $2",
                             {std::string(kind), std::string(name)}));
  SecretAndState found;
  if (rows.empty()) return found;
  const Row& row = rows.front();
  found.row = SecretFrom(row);
  if (!db::IsNull(row[6])) {
    found.state = VaultState{db::TextOr(row[6], ""), BytesOr(row[7]), BytesOr(row[8])};
  }
  return found;
}

Result<void> WriteSecret(Sql& sql, const SecretRow& row) {
  RETURN_IF_ERROR(
      sql.Execute("INSERT INTO toolpost_secrets (kind, name, form, key_id, sealed, details) "
                  "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (kind, name) DO UPDATE SET "
                  "form = excluded.form, key_id = excluded.key_id, sealed = excluded.sealed, "
                  "details = excluded.details",
                  {row.kind, row.name, std::string(NameOf(row.form)), row.key_id, Blob{row.bytes},
                   row.details}));
  return {};
}

Result<bool> HasSealedSecrets(Sql& sql) {
  ASSIGN_OR_RETURN(const auto rows,
                   sql.Query("SELECT 1 FROM toolpost_secrets WHERE form = 'sealed' LIMIT 1"));
  return !rows.empty();
}

void EraseReplacedRows(Sql& sql) {
  const std::vector<std::string_view> statements =
      sql.dialect() == db::Dialect::kSqlite
          ? std::vector<std::string_view>{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"}
          : std::vector<std::string_view>{"VACUUM FULL toolpost_secrets"};
  for (const std::string_view statement : statements) {
    const auto rows = sql.Query(statement);
    // A checkpoint answers with a row whose first column says that somebody was in the way.
    const bool busy = rows && !rows->empty() && db::IntegerOr(rows->front()[0], 0) != 0;
    if (rows && !busy) continue;
    base::Log(base::Severity::kWarning,
              "old text of secrets may still be in the files of the store: run the migration again "
              "when no other process uses it");
    return;
  }
}

}  // namespace toolpost::store
