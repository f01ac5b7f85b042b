// What the database tools have in common.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "toolpost/tool.h"
#include "tools/database/database.h"
#include "tools/reading_tool.h"

namespace toolpost::tools::database {

inline constexpr std::string_view kConnectionHelp = "Which database; database_tables lists them.";

// The gate asks whether the caller may use what the argument `connection` leads to.
void UseConnectionArgument(Tool& tool, std::shared_ptr<const Connections> connections);
// A tool that reads the database its argument `connection` leads to.
template <typename In, typename Out>
Tool ReadingTool(ToolInfo info, DatabaseServices services,
                 Result<Out> (*run)(const DatabaseServices&, const In&, CallContext&)) {
  const auto connections = services.connections;
  Tool tool = tools::ReadingTool(std::move(info), std::move(services), run);
  UseConnectionArgument(tool, connections);
  return tool;
}
// The input schema of a tool whose argument `params` is an array or an object.
template <typename In>
Json InputSchemaWithParams() {
  Json schema = InputSchemaOf<In>();
  schema.at("properties").at("params").as_object()["type"] = JsonArray{"array", "object"};
  return schema;
}
// The schema a database means: `public` is what the PRD calls the default one, and SQLite's is
// called main.
std::string_view SchemaOf(const db::Database& database, std::string_view given);

}  // namespace toolpost::tools::database
