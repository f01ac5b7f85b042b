// A key as the tools show it: everything but the secret.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "store/api_keys.h"
#include "store/usage_log.h"
#include "toolpost/tool.h"

namespace toolpost::tools::keys {

struct KeyView {
  std::string id;
  std::string name;
  std::string user_id;
  std::string key_type;
  std::string description;
  std::string created_at;
  std::optional<std::string> expiration_date;
  std::optional<std::string> revoked_at;
  std::optional<std::string> last_used;
  bool is_active = false;
  std::vector<std::string> scopes;
  bool read_only = false;
  std::optional<std::vector<std::string>> allowed_tools;
  std::optional<std::vector<std::string>> allowed_toolsets;
  std::optional<std::vector<std::string>> allowed_connection_names;
  std::optional<std::vector<std::string>> allowed_roots;
  std::optional<std::string> key;  // in the reply of CreateApiKey only

  static constexpr auto Fields() {
    return std::tuple{Req("id", &KeyView::id),
                      Req("name", &KeyView::name),
                      Req("userId", &KeyView::user_id),
                      Req("keyType", &KeyView::key_type),
                      Req("description", &KeyView::description),
                      Req("createdAt", &KeyView::created_at),
                      Opt("expirationDate", &KeyView::expiration_date),
                      Opt("revokedAt", &KeyView::revoked_at),
                      Opt("lastUsed", &KeyView::last_used),
                      Req("isActive", &KeyView::is_active),
                      Req("scopes", &KeyView::scopes),
                      Req("readOnly", &KeyView::read_only),
                      Opt("allowedTools", &KeyView::allowed_tools),
                      Opt("allowedToolsets", &KeyView::allowed_toolsets),
                      Opt("allowedConnectionNames", &KeyView::allowed_connection_names),
                      Opt("allowedRoots", &KeyView::allowed_roots),
                      Opt("key", &KeyView::key, "Shown this once.")};
  }
};

struct KeyList {
  std::vector<KeyView> keys;
  std::int64_t count = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("keys", &KeyList::keys), Req("count", &KeyList::count)};
  }
};

struct UsageView {
  std::int64_t id = 0;
  std::string api_key_id;
  std::string user_id;
  std::string timestamp;
  std::string resource;
  std::string method;
  std::string ip_address;
  std::string user_agent;
  std::int64_t count = 1;
  static constexpr auto Fields() {
    return std::tuple{Req("id", &UsageView::id),
                      Req("apiKeyId", &UsageView::api_key_id),
                      Req("userId", &UsageView::user_id),
                      Req("timestamp", &UsageView::timestamp),
                      Req("resource", &UsageView::resource),
                      Req("method", &UsageView::method),
                      Req("ipAddress", &UsageView::ip_address),
                      Req("userAgent", &UsageView::user_agent),
                      Req("count", &UsageView::count)};
  }
};

struct UsageList {
  std::vector<UsageView> logs;
  std::int64_t count = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("logs", &UsageList::logs), Req("count", &UsageList::count)};
  }
};

KeyView ViewOf(const store::ApiKey& key);
KeyList ListOf(const std::vector<store::ApiKey>& keys);
UsageList ListOf(const std::vector<store::Usage>& usages);

Error NoSuchKey(std::string_view id);

// Definition members all tools here share: wire name and alias of the document, toolset, scope.
ToolInfo InfoOf(std::string_view name, std::string_view alias, std::string_view title,
                std::string_view description, bool changes);

}  // namespace toolpost::tools::keys
