// The table of API keys. Secrets are not here: only the SHA-256 of each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "store/store.h"

namespace toolpost::store {

// One key as stored. Lists: absent means "not restricted", empty means "nothing".
struct ApiKey {
  std::string id;      // public id: part of the key's text, its name in every tool and log
  std::string digest;  // SHA-256 of the whole key text, 32 bytes
  std::string name;
  std::string user_id;
  std::string key_type;  // user, application, service, admin
  std::string description;
  std::vector<std::string> scopes;  // read, write, shell
  std::optional<std::vector<std::string>> tools;
  std::optional<std::vector<std::string>> toolsets;
  std::optional<std::vector<std::string>> connections;
  std::optional<std::vector<std::string>> roots;
  bool read_only = false;
  base::WallTime created_at{};
  std::optional<base::WallTime> expires_at;
  std::optional<base::WallTime> revoked_at;
  std::optional<base::WallTime> last_used;

  bool operator==(const ApiKey&) const = default;
};

// Every change raises Store::KeyEpoch() in the same transaction.
class ApiKeys {
 public:
  explicit ApiKeys(Store& store) : store_(store) {}

  Result<void> Add(const ApiKey& key);  // Code::kConflict when the id is taken
  Result<std::optional<ApiKey>> Find(std::string_view id);
  Result<std::vector<ApiKey>> All();                             // newest first
  Result<std::vector<ApiKey>> OfUser(std::string_view user_id);  // newest first
  // False: no such key. Revoking a revoked key keeps the first time and is true.
  Result<bool> Revoke(std::string_view id, base::WallTime when);
  // Usage logs stay.
  Result<bool> Delete(std::string_view id);

 private:
  Store& store_;
};

}  // namespace toolpost::store
