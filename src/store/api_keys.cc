// The table toolpost_api_keys.
#include "store/api_keys.h"

#include "base/strings.h"
#include "store/columns.h"
#include "store/key_epoch.h"

namespace toolpost::store {
namespace {

using db::Row;
using db::Sql;

constexpr std::string_view kSelect =
    "SELECT id, digest, name, user_id, key_type, description, scopes, tools, toolsets, "
    "connections, "
    "roots, read_only, created_at, expires_at, revoked_at, last_used FROM toolpost_api_keys ";

Result<ApiKey> ToKey(const Row& row) {
  ApiKey key;
  key.id = db::TextOr(row[0], "");
  key.digest = db::BytesOr(row[1], "");
  key.name = db::TextOr(row[2], "");
  key.user_id = db::TextOr(row[3], "");
  key.key_type = db::TextOr(row[4], "");
  key.description = db::TextOr(row[5], "");
  ASSIGN_OR_RETURN(key.scopes, ToList(row[6]));
  ASSIGN_OR_RETURN(key.tools, ToOptionalList(row[7]));
  ASSIGN_OR_RETURN(key.toolsets, ToOptionalList(row[8]));
  ASSIGN_OR_RETURN(key.connections, ToOptionalList(row[9]));
  ASSIGN_OR_RETURN(key.roots, ToOptionalList(row[10]));
  key.read_only = db::IntegerOr(row[11], 1) != 0;
  key.created_at = ToTime(row[12]);
  key.expires_at = ToOptionalTime(row[13]);
  key.revoked_at = ToOptionalTime(row[14]);
  key.last_used = ToOptionalTime(row[15]);
  return key;
}

Result<std::vector<ApiKey>> Select(Store& store, std::string_view condition,
                                   const std::vector<db::Value>& parameters) {
  std::vector<ApiKey> keys;
  if (!store.Exists()) return keys;
  RETURN_IF_ERROR(store.With([&](Sql& sql) -> Result<void> {
    ASSIGN_OR_RETURN(const auto rows, sql.Query(base::StrCat(kSelect, condition), parameters));
    for (const Row& row : rows) {
      ASSIGN_OR_RETURN(ApiKey key, ToKey(row));
      keys.push_back(std::move(key));
    }
    return {};
  }));
  return keys;
}

// Runs the statement and raises the epoch if it changed something. False: it did not.
Result<bool> Change(Store& store, std::string_view statement,
                    const std::vector<db::Value>& parameters) {
  bool changed = false;
  RETURN_IF_ERROR(store.With([&](Sql& borrowed) {
    return borrowed.InTransaction([&](Sql& sql) -> Result<void> {
      ASSIGN_OR_RETURN(const std::int64_t rows, sql.Execute(statement, parameters));
      changed = rows != 0;
      if (!changed) return {};
      return RaiseKeyEpoch(sql);
    });
  }));
  return changed;
}

}  // namespace

Result<void> ApiKeys::Add(const ApiKey& key) {
  const std::vector<db::Value> row = {key.id,
                                      db::Blob{key.digest},
                                      key.name,
                                      key.user_id,
                                      key.key_type,
                                      key.description,
                                      FromList(key.scopes),
                                      FromList(key.tools),
                                      FromList(key.toolsets),
                                      FromList(key.connections),
                                      FromList(key.roots),
                                      std::int64_t{key.read_only},
                                      FromTime(key.created_at),
                                      FromTime(key.expires_at),
                                      FromTime(key.revoked_at),
                                      FromTime(key.last_used)};
  RETURN_IF_ERROR(Change(store_,
                         "INSERT INTO toolpost_api_keys (id, digest, name, user_id, key_type, "
                         "description, scopes, tools, toolsets, connections, roots, read_only, "
                         "created_at, expires_at, revoked_at, last_used) VALUES ($1, $2, $3, $4, "
                         "$5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
                         row));
  return {};
}

Result<std::optional<ApiKey>> ApiKeys::Find(std::string_view id) {
  ASSIGN_OR_RETURN(auto keys, Select(store_, "WHERE id = $1", {std::string(id)}));
  std::optional<ApiKey> found;
  if (!keys.empty()) found = std::move(keys.front());
  return found;
}

Result<std::vector<ApiKey>> ApiKeys::All() {
  return Select(store_, "ORDER BY created_at DESC, id DESC", {});
}

Result<std::vector<ApiKey>> ApiKeys::OfUser(std::string_view user_id) {
  return Select(store_, "WHERE user_id = $1 ORDER BY created_at DESC, id DESC",
                {std::string(user_id)});
}

Result<bool> ApiKeys::Revoke(std::string_view id, base::WallTime when) {
  if (!store_.Exists()) return false;
  return Change(store_,
                "UPDATE toolpost_api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1",
                {std::string(id), FromTime(when)});
}

Result<bool> ApiKeys::Delete(std::string_view id) {
  if (!store_.Exists()) return false;
  return Change(store_, "DELETE FROM toolpost_api_keys WHERE id = $1", {std::string(id)});
}

}  // namespace toolpost::store
