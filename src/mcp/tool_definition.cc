// Checks of a tool definition.
#include "mcp/tool_definition.h"

#include <tuple>
#include <utility>

#include "auth/policy.h"
#include "base/strings.h"
#include "mcp/names.h"

namespace toolpost::mcp {
namespace {

// What C++ declares is the same in every run: tests of debug builds find its mistakes.
#ifdef NDEBUG
constexpr bool kChecksLateSchemas = false;
#else
constexpr bool kChecksLateSchemas = true;
#endif

Result<void> CheckNames(const ToolInfo& info) {
  RETURN_IF_ERROR(CheckWireName(info.wire));
  for (const std::string& alias : info.aliases) RETURN_IF_ERROR(CheckAlias(alias));
  return {};
}

Result<void> CheckShape(const Tool& tool) {
  for (const std::string& scope : tool.info.permissions) {
    if (auth::IsScope(scope)) continue;
    return Error::InvalidParams(base::StrCat("the permission \"", scope, "\" is none of ",
                                             base::Join(auth::AllScopes(), ", ")));
  }
  if (!tool.handler) return Error::InvalidParams("it has no handler");
  return {};
}

Result<void> CheckInputSchema(const Tool& tool) {
  const JsonObject* schema = tool.input_schema->if_object();
  const Json* type = schema != nullptr ? schema->if_contains("type") : nullptr;
  if (type == nullptr || *type != "object") {
    return Error::InvalidParams(
        "the input schema must be an object schema: {\"type\":\"object\", ...}");
  }
  if (!tool.info.page_argument.empty()) {
    const Json* properties = schema->if_contains("properties");
    if (properties == nullptr || !properties->is_object() ||
        !properties->get_object().contains(tool.info.page_argument)) {
      return Error::InvalidParams("page_argument names no property of the input schema");
    }
  }
  return {};
}

// Takes nothing of a tool it refuses.
Result<std::shared_ptr<const RegisteredTool>> Prepare(Tool& tool) {
  RETURN_IF_ERROR(CheckNames(tool.info));
  RETURN_IF_ERROR(CheckShape(tool));
  LateInputRules input;
  if (kChecksLateSchemas || !tool.input_schema.late()) {
    RETURN_IF_ERROR(CheckInputSchema(tool));
    ASSIGN_OR_RETURN(InputRules rules, InputRules::Compile(*tool.input_schema));
    input = LateInputRules(std::move(rules));
  }
  std::optional<schema::JsonSchema> output;
  if ((kChecksLateSchemas || !tool.output_schema.late()) && !tool.output_schema->is_null()) {
    ASSIGN_OR_RETURN(output, schema::JsonSchema::Compile(*tool.output_schema));
  }
  auto prepared = std::make_shared<RegisteredTool>();
  prepared->tool = std::move(tool);
  prepared->input = std::move(input);
  prepared->output = std::move(output);
  prepared->counters = std::make_shared<OperationCounters>();
  return std::shared_ptr<const RegisteredTool>(std::move(prepared));
}

auto Essence(const ToolInfo& info) {
  return std::tie(info.name, info.wire, info.title, info.description, info.aliases, info.toolset,
                  info.version, info.tags, info.permissions, info.hints.read_only,
                  info.hints.destructive, info.hints.idempotent, info.hints.open_world, info.run,
                  info.task, info.page_argument, info.result_chars, info.icons, info.meta);
}

}  // namespace

Result<std::shared_ptr<const RegisteredTool>> PrepareTool(Tool&& tool) {
  RETURN_IF_ERROR(CheckCanonicalId(tool.info.name));
  if (tool.info.wire.empty()) tool.info.wire = DefaultWireName(tool.info.name);
  if (tool.info.toolset.empty()) tool.info.toolset = CategoryOf(tool.info.name);
  tool.info.permissions = auth::ScopesOf(tool.info);
  auto prepared = Prepare(tool);
  if (prepared) return prepared;
  Error error = std::move(prepared).error();
  error.message = base::StrCat("Tool \"", tool.info.name, "\": ", error.message);
  return error;
}

bool SameDefinition(const Tool& a, const Tool& b) {
  return Essence(a.info) == Essence(b.info) && *a.input_schema == *b.input_schema &&
         *a.output_schema == *b.output_schema && a.validate == b.validate;
}

}  // namespace toolpost::mcp
