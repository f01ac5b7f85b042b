// keys/ListUserApiKeys and keys/ListAllApiKeys.
#include <tuple>
#include <utility>

#include "tools/keys/key_view.h"
#include "tools/keys/keys.h"

namespace toolpost::tools::keys {
namespace {

struct UserArgs {
  std::string user_id;
  static constexpr auto Fields() {
    return std::tuple{Req("userId", &UserArgs::user_id, "Whose keys.").MinLength(1).MaxLength(200)};
  }
};

struct NoArgs {
  static constexpr auto Fields() { return std::tuple{}; }
};

}  // namespace

Tool ListUserApiKeysTool(KeyServices services) {
  ToolInfo info =
      InfoOf("ListUserApiKeys", "mssql_list_user_keys", "List a user's API keys",
             "Lists the API keys of one user, newest first, without their secrets.", false);
  info.aliases.emplace_back("ListApiKeys");
  Tool tool = MakeTool<UserArgs, KeyList>(
      std::move(info),
      [services = std::move(services)](const UserArgs& args, CallContext&) -> Result<KeyList> {
        ASSIGN_OR_RETURN(const auto keys, store::ApiKeys(*services.store).OfUser(args.user_id));
        return ListOf(keys);
      });
  tool.unwrap_request = true;
  return tool;
}

Tool ListAllApiKeysTool(KeyServices services) {
  Tool tool = MakeTool<NoArgs, KeyList>(
      InfoOf("ListAllApiKeys", "mssql_list_all_keys", "List all API keys",
             "Lists all API keys, newest first, without their secrets.", false),
      [services = std::move(services)](const NoArgs&, CallContext&) -> Result<KeyList> {
        ASSIGN_OR_RETURN(const auto keys, store::ApiKeys(*services.store).All());
        return ListOf(keys);
      });
  tool.unwrap_request = true;
  return tool;
}

}  // namespace toolpost::tools::keys
