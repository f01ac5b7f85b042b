// Shared arguments.
#include "tools/database/arguments.h"

#include <string>
#include <utility>

namespace toolpost::tools::database {

void UseConnectionArgument(Tool& tool, std::shared_ptr<const Connections> connections) {
  tool.connections = [connections = std::move(connections)](const JsonObject& arguments) {
    const Json* given = arguments.if_contains("connection");
    const bool named = given != nullptr && given->is_string();
    const std::string name =
        connections->Resolve(named ? std::string_view(given->get_string()) : std::string_view());
    return name.empty() ? std::vector<std::string>() : std::vector<std::string>{name};
  };
}

std::string_view SchemaOf(const db::Database& database, std::string_view given) {
  const bool sqlite = database.dialect() == db::Dialect::kSqlite;
  if (given.empty() || (sqlite && given == "public")) return sqlite ? "main" : "public";
  return given;
}

}  // namespace toolpost::tools::database
