// Tools of the configuration: a statement with typed parameters.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "db/select_guard_postgres_text.h"
#include "db/sqlite_parameters.h"
#include "tools/database/database.h"
#include "tools/database/run_query.h"

namespace toolpost::tools::database {
namespace {

using Declared = config::Config::DeclaredTool;

constexpr std::string_view kCursor = "cursor";

JsonObject SchemaOf(const config::Config::ToolParameter& parameter) {
  JsonObject schema{{"type", parameter.type}};
  if (!parameter.choices.empty())
    schema["enum"] = JsonArray(parameter.choices.begin(), parameter.choices.end());
  if (!parameter.minimum.is_null()) schema["minimum"] = parameter.minimum;
  if (!parameter.maximum.is_null()) schema["maximum"] = parameter.maximum;
  if (!parameter.default_value.is_null()) schema["default"] = parameter.default_value;
  schema["description"] = parameter.description.empty() ? parameter.name : parameter.description;
  return schema;
}

// Unless a parameter has the name.
bool TakesCursor(const Declared& declared) {
  return std::none_of(declared.parameters.begin(), declared.parameters.end(),
                      [](const auto& parameter) { return parameter.name == kCursor; });
}

JsonObject InputSchemaOfTool(const Declared& declared) {
  JsonObject properties;
  JsonArray required;
  for (const auto& parameter : declared.parameters) {
    properties[parameter.name] = SchemaOf(parameter);
    if (parameter.required && parameter.default_value.is_null())
      required.emplace_back(parameter.name);
  }
  if (TakesCursor(declared)) {
    properties[kCursor] =
        JsonObject{{"type", "string"}, {"description", "nextCursor of the last page."}};
  }
  JsonObject schema{{"type", "object"}};
  schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

// Without any connection there is the sample.
bool IsForSqlite(const config::Config& config, const Declared& declared) {
  const auto& all = config.connections;
  if (all.empty()) return true;
  auto found = all.find(declared.connection.empty() ? "default" : declared.connection);
  if (found == all.end()) found = all.begin();
  return found->second.url.starts_with("sqlite:");
}

Result<void> CheckSqliteParameters(const Declared& declared) {
  const std::vector<std::string> used = db::SqliteParametersIn(declared.statement);
  const auto uses = [&](std::string_view name) {
    return std::any_of(used.begin(), used.end(), [&](std::string_view each) {
      return each.substr(1) == name && !each.starts_with('?');
    });
  };
  for (const auto& parameter : declared.parameters) {
    if (!uses(parameter.name))
      return Error::InvalidParams(base::StrCat("the parameter ", parameter.name,
                                               " is not used: write :", parameter.name,
                                               " in the statement, or leave it out"));
  }
  for (const std::string_view each : used) {
    const auto declares = [&](const auto& parameter) { return parameter.name == each.substr(1); };
    if (std::none_of(declared.parameters.begin(), declared.parameters.end(), declares))
      return Error::InvalidParams(
          base::StrCat("the statement uses ", each, ", which is no parameter of the tool"));
  }
  return {};
}

}  // namespace

Result<void> CheckDeclaredTool(const config::Config& config, const Declared& declared) {
  if (IsForSqlite(config, declared)) return CheckSqliteParameters(declared);
  JsonObject values;
  for (const auto& parameter : declared.parameters) values[parameter.name] = nullptr;
  RETURN_IF_ERROR(db::NumberParameters(declared.statement, values));
  return {};
}

std::string DeclaredToolName(const std::string& name) {
  return name.find('/') == std::string::npos ? base::StrCat("custom/", name) : name;
}

Tool DeclaredTool(DatabaseServices services, const std::string& name, const Declared& declared) {
  Tool tool;
  tool.info.name = DeclaredToolName(name);
  tool.info.title = declared.title.empty() ? name : declared.title;
  tool.info.description = declared.description;
  tool.info.hints = {.read_only = true,
                     .destructive = false,
                     .idempotent = declared.idempotent,
                     .open_world = declared.open_world};
  tool.input_schema = InputSchemaOfTool(declared);
  tool.output_schema = LateJson(&OutputSchemaOf<QueryView>);
  tool.connections = [connections = services.connections,
                      wanted = declared.connection](const JsonObject&) {
    const std::string resolved = connections->Resolve(wanted);
    return resolved.empty() ? std::vector<std::string>() : std::vector<std::string>{resolved};
  };
  tool.handler = [services = std::move(services), declared](
                     const JsonObject& arguments, CallContext& context) -> Result<Output> {
    JsonObject values;
    for (const auto& parameter : declared.parameters) {
      const Json* given = arguments.if_contains(parameter.name);
      values[parameter.name] = given != nullptr ? *given : parameter.default_value;
    }
    const Json parameters(std::move(values));
    const bool takes_cursor = TakesCursor(declared);
    const Json* cursor = takes_cursor ? arguments.if_contains(kCursor) : nullptr;
    return RunQuery(services,
                    {.connection = declared.connection,
                     .statement = declared.statement,
                     .parameters = declared.parameters.empty() ? nullptr : &parameters,
                     .limit = static_cast<std::size_t>(declared.limit),
                     .cursor = cursor != nullptr ? std::string_view(cursor->as_string()) : "",
                     .format = RowFormat::kJson,
                     .takes_cursor = takes_cursor},
                    context);
  };
  return tool;
}

}  // namespace toolpost::tools::database
