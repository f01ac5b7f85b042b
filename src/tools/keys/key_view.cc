// Rows of the store as tool results.
#include "tools/keys/key_view.h"

#include "auth/api_key.h"
#include "base/strings.h"
#include "tools/keys/keys.h"

namespace toolpost::tools::keys {
namespace {

std::optional<std::string> TextOf(const std::optional<base::WallTime>& time) {
  if (!time) return std::nullopt;
  return base::ToIso8601(*time);
}

}  // namespace

KeyView ViewOf(const store::ApiKey& key) {
  KeyView view;
  view.id = key.id;
  view.name = key.name;
  view.user_id = key.user_id;
  view.key_type = key.key_type;
  view.description = key.description;
  view.created_at = base::ToIso8601(key.created_at);
  view.expiration_date = TextOf(key.expires_at);
  view.revoked_at = TextOf(key.revoked_at);
  view.last_used = TextOf(key.last_used);
  view.is_active = !key.revoked_at && (!key.expires_at || *key.expires_at > base::Now());
  view.scopes = auth::GrantsOf(key).scopes;
  view.read_only = key.read_only;
  view.allowed_tools = key.tools;
  view.allowed_toolsets = key.toolsets;
  view.allowed_connection_names = key.connections;
  view.allowed_roots = key.roots;
  return view;
}

KeyList ListOf(const std::vector<store::ApiKey>& keys) {
  KeyList list;
  for (const store::ApiKey& key : keys) list.keys.push_back(ViewOf(key));
  list.count = static_cast<std::int64_t>(keys.size());
  return list;
}

UsageList ListOf(const std::vector<store::Usage>& usages) {
  UsageList list;
  for (const store::Usage& usage : usages) {
    list.logs.push_back({usage.id, usage.key_id, usage.user_id, base::ToIso8601(usage.at),
                         usage.resource, usage.method, usage.address, usage.user_agent,
                         usage.count});
  }
  list.count = static_cast<std::int64_t>(usages.size());
  return list;
}

Error NoSuchKey(std::string_view id) {
  // Somebody may give the whole key: its secret is not repeated.
  const std::optional<std::string> of_key = auth::ApiKeyId(id);
  return Error::NotFound(base::StrCat("No API key has the id \"",
                                      of_key ? *of_key : id.substr(0, 12),
                                      "\". ListAllApiKeys shows the ids."));
}

ToolInfo InfoOf(std::string_view name, std::string_view alias, std::string_view title,
                std::string_view description, bool changes) {
  ToolInfo info;
  info.name = base::StrCat("keys/", name);
  info.wire = name;
  info.aliases.emplace_back(alias);
  info.title = title;
  info.description = description;
  info.permissions = {"admin"};
  info.hints = {
      .read_only = !changes, .destructive = false, .idempotent = !changes, .open_world = false};
  return info;
}

std::vector<Tool> Tools(const KeyServices& services) {
  std::vector<Tool> tools;
  for (auto* make : {CreateApiKeyTool, ListUserApiKeysTool, ListAllApiKeysTool, RevokeApiKeyTool,
                     DeleteApiKeyTool, GetApiKeyUsageLogsTool, GetUserUsageLogsTool,
                     GenerateSecureKeyTool, RotateKeyTool, MigrateConnectionsToEncryptedTool}) {
    tools.push_back(make(services));
  }
  return tools;
}

}  // namespace toolpost::tools::keys
