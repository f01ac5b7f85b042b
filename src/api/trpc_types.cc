// Declarations of inputs and outputs, then the router that ties them together.
#include "api/trpc_types.h"

#include <map>
#include <optional>
#include <tuple>

#include "api/trpc_endpoint.h"
#include "api/trpc_procedures.h"
#include "api/trpc_subscription.h"
#include "api/typescript.h"
#include "base/strings.h"
#include "mcp/event_data.h"

namespace toolpost::api {
namespace {

constexpr std::string_view kHead =
    R"(// Types of toolpost's tRPC API. Generated from the schemas of its tools; do not edit.
import type {
  TRPCBuiltRouter,
  TRPCDefaultErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';

/** A rule that an input broke: `error.data.issues` of a BAD_REQUEST. */
export interface InputIssue {
  /** JSON pointer of the value, empty for the whole input. */
  path: string;
  /** Such as required, type or maximum. */
  rule: string;
  /** Such as "must be an integer". */
  expected: string;
}

export interface ErrorShape extends Omit<TRPCDefaultErrorShape, 'data'> {
  data: TRPCDefaultErrorShape['data'] & { issues?: InputIssue[] };
}
)";

struct ExecutionResult {
  bool success = true;
  Json result;
  double execution_time = 0;
  static constexpr auto Fields() {
    return std::tuple{
        Req("success", &ExecutionResult::success, "Always true: failures are errors."),
        Req("result", &ExecutionResult::result, "What the tool gives, as its outputSchema says."),
        Req("executionTime", &ExecutionResult::execution_time, "Milliseconds.")};
  }
};

struct Shape {
  Json input;  // null: none
  Json output;
};

JsonObject EventSchema(std::string_view type, const JsonObject& data) {
  JsonObject properties{{"type", {{"const", type}}}, {"time", {{"type", "string"}}}};
  JsonArray required{"type", "time"};
  if (const Json* own = data.if_contains("properties")) {
    for (const auto& property : own->get_object())
      properties.emplace(property.key(), property.value());
  }
  if (const Json* own = data.if_contains("required")) {
    for (const Json& name : own->get_array()) required.push_back(name);
  }
  return {{"type", "object"}, {"properties", properties}, {"required", required}};
}

template <typename Data>
JsonObject EventSchema(EventKind kind) {
  return EventSchema(NameOf(kind), OutputSchemaOf<Data>().get_object());
}

Json EventsSchema() {
  using enum EventKind;
  return JsonObject{{"anyOf", JsonArray{EventSchema<mcp::ToolChangedData>(kToolRegistered),
                                        EventSchema<mcp::ToolChangedData>(kToolUnregistered),
                                        EventSchema<mcp::ToolExecutedData>(kToolExecuted),
                                        EventSchema<mcp::SessionOpenedData>(kSessionOpened),
                                        EventSchema<mcp::SessionClosedData>(kSessionClosed),
                                        EventSchema("eventsLost", {})}}};
}

// The input without the argument that is always set.
Json Without(const Json& schema, std::string_view name) {
  Json out = schema;
  if (!name.empty()) out.at("properties").get_object().erase(name);
  return out;
}

std::optional<Shape> ShapeOf(const TrpcProcedure& procedure, const mcp::Registry& registry,
                             const mcp::ToolView& view) {
  if (procedure.kind == TrpcKind::kSubscription)
    return Shape{InputSchemaOf<TrpcEventsInput>(), EventsSchema()};
  if (procedure.tool.empty())
    return Shape{InputSchemaOf<TrpcExecuteInput>(), OutputSchemaOf<ExecutionResult>()};
  const auto found = registry.Find(procedure.tool, view);
  if (!found) return std::nullopt;
  return Shape{procedure.takes_input ? Without(*found->tool.input_schema, procedure.fixed) : Json(),
               *found->tool.output_schema};
}

// "mcp.file.read" → "FileReadInput".
std::string InputName(std::string_view path) {
  std::string name;
  for (const std::string_view part : base::Split(path.substr(path.find('.') + 1), '.')) {
    name.push_back(static_cast<char>(part.front() - 'a' + 'A'));
    name.append(part.substr(1));
  }
  return name + "Input";
}

bool AllOptional(const Json& input) {
  const Json* required = input.get_object().if_contains("required");
  return required == nullptr || required->get_array().empty();
}

std::string ProcedureType(const TrpcProcedure& procedure, const Json& input) {
  const std::string name =
      input.is_null() ? "void"
                      : InputName(procedure.path) + (AllOptional(input) ? " | undefined" : "");
  const bool stream = procedure.kind == TrpcKind::kSubscription;
  const std::string output =
      stream ? base::StrCat("AsyncIterable<{ id: string; data: ", procedure.output, " }>")
             : std::string(procedure.output);
  const std::string_view kind = stream                                  ? "Subscription"
                                : procedure.kind == TrpcKind::kMutation ? "Mutation"
                                                                        : "Query";
  return base::StrCat("TRPC", kind, "Procedure<{ input: ", name, "; output: ", output,
                      "; meta: unknown }>");
}

// The members of the router, by the parts of their paths.
struct Branch {
  std::map<std::string, Branch, std::less<>> members;
  std::string procedure;  // of a leaf
};

void AppendBranch(std::string& out, const Branch& branch, std::size_t indent) {
  if (!branch.procedure.empty()) {
    out.append(branch.procedure);
    return;
  }
  out.append("{\n");
  for (const auto& [name, member] : branch.members) {
    out.append(std::string(indent + 2, ' ')).append(name).append(": ");
    AppendBranch(out, member, indent + 2);
    out.append(";\n");
  }
  out.append(std::string(indent, ' ')).append("}");
}

}  // namespace

std::string TrpcTypes(const mcp::Registry& registry, const mcp::ToolView& view) {
  std::string out(kHead);
  Branch root;
  for (const TrpcProcedure& procedure : TrpcProcedures()) {
    const std::optional<Shape> shape = ShapeOf(procedure, registry, view);
    if (!shape) continue;
    if (!shape->input.is_null()) {
      out.append("\n").append(TypeScriptDeclaration(InputName(procedure.path), shape->input,
                                                    base::StrCat("Of ", procedure.path, ".")));
    }
    out.append("\n").append(TypeScriptDeclaration(procedure.output, shape->output,
                                                  base::StrCat("From ", procedure.path, ".")));
    Branch* branch = &root;
    for (const std::string_view part : base::Split(procedure.path, '.'))
      branch = &branch->members[std::string(part)];
    branch->procedure = ProcedureType(procedure, shape->input);
  }
  out.append(
      "\ninterface Root {\n  ctx: object;\n  meta: object;\n  errorShape: ErrorShape;\n"
      "  transformer: false;\n}\n\nexport type AppRouter = TRPCBuiltRouter<\n  Root,\n  ");
  AppendBranch(out, root, 2);
  return out.append("\n>;\n");
}

}  // namespace toolpost::api
