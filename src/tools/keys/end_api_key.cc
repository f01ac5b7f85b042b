// keys/RevokeApiKey and keys/DeleteApiKey.
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "tools/done.h"
#include "tools/keys/key_view.h"
#include "tools/keys/keys.h"

namespace toolpost::tools::keys {
namespace {

struct Args {
  std::string id;
  static constexpr auto Fields() {
    return std::tuple{Req("id", &Args::id, "Id of the key.").MinLength(1).MaxLength(100)};
  }
};

Result<Done> Revoke(const KeyServices& services, const std::string& id) {
  ASSIGN_OR_RETURN(const bool found, store::ApiKeys(*services.store).Revoke(id, base::Now()));
  if (!found) return NoSuchKey(id);
  RETURN_IF_ERROR(services.ring->Refresh());
  return Done{true, base::StrCat("API key ", id, " is revoked.")};
}

Result<Done> Delete(const KeyServices& services, const std::string& id) {
  ASSIGN_OR_RETURN(const bool found, store::ApiKeys(*services.store).Delete(id));
  if (!found) return NoSuchKey(id);
  RETURN_IF_ERROR(services.ring->Refresh());
  return Done{true, base::StrCat("API key ", id, " is deleted; its usage logs stay.")};
}

Tool EndTool(KeyServices services, ToolInfo info,
             Result<Done> (*end)(const KeyServices&, const std::string&)) {
  info.hints.destructive = true;
  Tool tool = MakeTool<Args, Done>(
      std::move(info), [services = std::move(services), end](const Args& args, CallContext&) {
        return end(services, args.id);
      });
  tool.unwrap_request = true;
  return tool;
}

}  // namespace

Tool RevokeApiKeyTool(KeyServices services) {
  return EndTool(std::move(services),
                 InfoOf("RevokeApiKey", "mssql_revoke_key", "Revoke API key",
                        "Ends the use of an API key at once; it stays listed.", true),
                 Revoke);
}

Tool DeleteApiKeyTool(KeyServices services) {
  return EndTool(std::move(services),
                 InfoOf("DeleteApiKey", "mssql_delete_key", "Delete API key",
                        "Removes an API key; its usage logs stay.", true),
                 Delete);
}

}  // namespace toolpost::tools::keys
