// keys/CreateApiKey: makes a key and shows it once.
#include <algorithm>
#include <tuple>
#include <utility>

#include "auth/api_key.h"
#include "auth/policy.h"
#include "base/strings.h"
#include "tools/keys/key_view.h"
#include "tools/keys/keys.h"

namespace toolpost::tools::keys {
namespace {

using Names = std::optional<std::vector<std::string>>;

struct Args {
  std::string name;
  std::string user_id;
  std::string key_type;
  std::optional<std::string> description;
  std::optional<std::string> expiration_date;
  std::optional<std::vector<std::string>> scopes;
  Names allowed_tools;
  Names allowed_toolsets;
  Names allowed_connection_names;
  Names allowed_roots;
  bool read_only = false;

  static constexpr auto Fields() {
    return std::tuple{
        Req("name", &Args::name, "What the key is for.").MinLength(1).MaxLength(100),
        Req("userId", &Args::user_id, "Its user.").MinLength(1).MaxLength(200),
        Opt("keyType", &Args::key_type, "Kind.")
            .OneOf({"user", "application", "service", "admin"})
            .Default("user"),
        Opt("description", &Args::description, "Note.").MaxLength(500),
        Opt("expirationDate", &Args::expiration_date, "ISO 8601; none: never.").MaxLength(40),
        Opt("scopes", &Args::scopes, "Default read.").OneOf({"read", "write", "shell"}).MaxItems(3),
        Opt("allowedTools", &Args::allowed_tools, "Ids.").MaxItems(200).MaxLength(128),
        Opt("allowedToolsets", &Args::allowed_toolsets, "Names.").MaxItems(50).MaxLength(128),
        Opt("allowedConnectionNames", &Args::allowed_connection_names, "None: all.")
            .MaxItems(200)
            .MaxLength(100),
        Opt("allowedRoots", &Args::allowed_roots, "Folders.").MaxItems(50).MaxLength(4096),
        Opt("readOnly", &Args::read_only, "Reads only.").Default(false)};
  }
};

Result<std::optional<base::WallTime>> Expiry(const Args& args) {
  if (!args.expiration_date) return std::optional<base::WallTime>();
  const std::optional<base::WallTime> time = base::FromIso8601(*args.expiration_date);
  if (!time) {
    return Error::InvalidParams(
        "expirationDate must be a time such as 2030-01-31T00:00:00Z (ISO 8601)");
  }
  if (*time <= base::Now()) return Error::InvalidParams("expirationDate must lie in the future");
  return time;
}

Result<KeyView> Create(const KeyServices& services, const Args& args) {
  if (base::Trim(args.name).empty() || base::Trim(args.user_id).empty())
    return Error::InvalidParams("name and userId must not be blank");
  ASSIGN_OR_RETURN(const auto expires, Expiry(args));
  const auth::NewApiKey made = auth::MakeApiKey();
  store::ApiKey key;
  key.id = made.id;
  key.digest = made.digest;
  key.name = args.name;
  key.user_id = args.user_id;
  key.key_type = args.key_type;
  key.description = args.description.value_or("");
  key.scopes = args.scopes.value_or(std::vector<std::string>{"read"});
  key.tools = args.allowed_tools;
  key.toolsets = args.allowed_toolsets;
  key.connections = args.allowed_connection_names;
  key.roots = args.allowed_roots;
  key.read_only = args.read_only;
  key.created_at = base::Now();
  key.expires_at = expires;
  RETURN_IF_ERROR(store::ApiKeys(*services.store).Add(key));
  RETURN_IF_ERROR(services.ring->Refresh());
  KeyView view = ViewOf(key);
  view.key = made.text;
  return view;
}

}  // namespace

Tool CreateApiKeyTool(KeyServices services) {
  Tool tool = MakeTool<Args, KeyView>(
      InfoOf("CreateApiKey", "mssql_create_key", "Create API key",
             "Creates an API key and returns it; it is shown only once.", true),
      [services = std::move(services)](const Args& args, CallContext&) {
        return Create(services, args);
      });
  tool.unwrap_request = true;
  return tool;
}

}  // namespace toolpost::tools::keys
