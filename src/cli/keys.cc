// toolpost keys: API keys from the command line, by the same tools clients call.
#include <iostream>
#include <string>
#include <vector>

#include "base/json_write.h"
#include "base/strings.h"
#include "cli/built_in_tools.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/settings.h"

namespace toolpost::cli {
namespace {

JsonArray ListOf(std::string_view text) {
  JsonArray list;
  for (const std::string_view part : base::Split(text, ','))
    if (!base::Trim(part).empty()) list.emplace_back(base::Trim(part));
  return list;
}

JsonObject CreateArguments(const Arguments& arguments) {
  JsonObject values{{"name", arguments.words[1]}, {"userId", arguments.Get("user")}};
  if (arguments.Has("type")) values["keyType"] = arguments.Get("type");
  if (arguments.Has("expires")) values["expirationDate"] = arguments.Get("expires");
  if (arguments.Has("read-only-key")) values["readOnly"] = true;
  for (const auto& [flag, member] :
       {std::pair("scopes", "scopes"), std::pair("allow-tools", "allowedTools"),
        std::pair("allow-toolsets", "allowedToolsets"),
        std::pair("allow-connections", "allowedConnectionNames"),
        std::pair("allow-roots", "allowedRoots")}) {
    if (arguments.Has(flag)) values[member] = ListOf(arguments.Get(flag));
  }
  return values;
}

std::string TextOf(const JsonObject& object, std::string_view member) {
  const Json* value = object.if_contains(member);
  return value == nullptr || !value->is_string() ? "" : std::string(value->get_string());
}

void PrintKeys(const Json& listing) {
  for (const Json& entry : listing.at("keys").as_array()) {
    const JsonObject& key = entry.as_object();
    const std::string expires = TextOf(key, "expirationDate");
    std::cout << TextOf(key, "id") << "  " << TextOf(key, "keyType") << "  "
              << (key.at("isActive").as_bool() ? "active" : "ended") << "  "
              << TextOf(key, "userId") << "  " << TextOf(key, "name")
              << (expires.empty() ? "" : "  until " + expires) << "\n";
  }
}

struct Action {
  std::string tool;
  JsonObject arguments;
};

Result<Action> ActionOf(const Arguments& arguments) {
  const std::string& verb = arguments.words[0];
  const bool named = arguments.words.size() == 2;
  if (verb == "create" && named && arguments.Has("user"))
    return Action{"keys/CreateApiKey", CreateArguments(arguments)};
  if (verb == "revoke" && named) return Action{"keys/RevokeApiKey", {{"id", arguments.words[1]}}};
  if (verb == "list" && !named) {
    if (!arguments.Has("user")) return Action{"keys/ListAllApiKeys", {}};
    return Action{"keys/ListUserApiKeys", {{"userId", arguments.Get("user")}}};
  }
  return Error::InvalidParams(
      "Use keys create NAME --user USER, keys list [--user USER] or keys revoke ID");
}

void Print(const std::string& verb, const Json& result) {
  if (verb == "list") return PrintKeys(result);
  if (verb == "revoke") {
    std::cout << TextOf(result.as_object(), "message") << "\n";
    return;
  }
  std::cerr << "Key " << TextOf(result.as_object(), "id")
            << " is made. It is shown only now; send it as `Authorization: Bearer KEY`:\n";
  std::cout << TextOf(result.as_object(), "key") << "\n";
}

}  // namespace

int RunKeys(const Arguments& arguments) {
  Result<Action> action = ActionOf(arguments);
  if (!action) return Complain(action.error(), kUsage);
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  ApplyLog(*config, /*quiet=*/true);
  Result<std::unique_ptr<Identity>> identity = Identity::Make(*config);
  if (!identity) return Complain(identity.error(), kConfiguration);
  Server server;
  if (Result<void> added = AddBuiltInTools(server, *config, **identity); !added)
    return ComplainOfStart(added.error());
  (*identity)->Observe(server);
  Result<Output> done = server.Call(action->tool, action->arguments);
  if (!done) return Complain(done.error(), kFailure);
  if (done->is_error) {
    return Complain(
        Error::Internal(std::string(done->content.at(0).as_object().at("text").as_string())),
        kToolError);
  }
  Print(arguments.words[0], done->structured);
  return kOk;
}

}  // namespace toolpost::cli
