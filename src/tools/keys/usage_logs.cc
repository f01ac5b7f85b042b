// keys/GetApiKeyUsageLogs and keys/GetUserUsageLogs.
#include <tuple>
#include <utility>

#include "tools/keys/key_view.h"
#include "tools/keys/keys.h"

namespace toolpost::tools::keys {
namespace {

constexpr std::int64_t kDefaultLimit = 100;
constexpr std::int64_t kMaxLimit = 1000;

struct KeyArgs {
  std::string id;
  std::int64_t limit = kDefaultLimit;
  static constexpr auto Fields() {
    return std::tuple{
        Req("apiKeyId", &KeyArgs::id, "Id of the key.").MinLength(1).MaxLength(100),
        Opt("limit", &KeyArgs::limit, "Most entries.").Range(1, kMaxLimit).Default(kDefaultLimit)};
  }
};

struct UserArgs {
  std::string user_id;
  std::int64_t limit = kDefaultLimit;
  static constexpr auto Fields() {
    return std::tuple{
        Req("userId", &UserArgs::user_id, "Whose use.").MinLength(1).MaxLength(200),
        Opt("limit", &UserArgs::limit, "Most entries.").Range(1, kMaxLimit).Default(kDefaultLimit)};
  }
};

// A deleted key is still known by its use.
Result<UsageList> OfKey(const KeyServices& services, const KeyArgs& args) {
  ASSIGN_OR_RETURN(const auto usages, services.usage->OfKey(args.id, args.limit));
  if (!usages.empty()) return ListOf(usages);
  ASSIGN_OR_RETURN(const auto key, store::ApiKeys(*services.store).Find(args.id));
  if (!key) return NoSuchKey(args.id);
  return UsageList{};
}

}  // namespace

Tool GetApiKeyUsageLogsTool(KeyServices services) {
  Tool tool = MakeTool<KeyArgs, UsageList>(
      InfoOf("GetApiKeyUsageLogs", "mssql_get_key_usage_logs", "Usage of an API key",
             "Lists when, from where and for what an API key was used, newest first.", false),
      [services = std::move(services)](const KeyArgs& args, CallContext&) {
        return OfKey(services, args);
      });
  tool.unwrap_request = true;
  return tool;
}

Tool GetUserUsageLogsTool(KeyServices services) {
  Tool tool = MakeTool<UserArgs, UsageList>(
      InfoOf("GetUserUsageLogs", "mssql_get_user_usage_logs", "Usage by a user",
             "Lists when, from where and for what a user's API keys were used, newest first.",
             false),
      [services = std::move(services)](const UserArgs& args, CallContext&) -> Result<UsageList> {
        ASSIGN_OR_RETURN(const auto usages, services.usage->OfUser(args.user_id, args.limit));
        return ListOf(usages);
      });
  tool.unwrap_request = true;
  return tool;
}

}  // namespace toolpost::tools::keys
