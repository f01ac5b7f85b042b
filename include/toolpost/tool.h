// A tool as a value: what the model sees of it and the function behind it.
//
// Two levels. Typed: `MakeTool(info, Fn)` with `Result<Out> Fn(const In&, CallContext&)`, where the
// structs' Fields() give both schemas, the argument check and the result (see schema.h). Raw: fill
// `Tool` yourself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "toolpost/context.h"
#include "toolpost/json.h"
#include "toolpost/late_json.h"
#include "toolpost/result.h"
#include "toolpost/schema.h"

namespace toolpost {

// MCP tool annotations. Absent means "not said"; our own tools say all four.
struct Hints {
  std::optional<bool> read_only{};
  std::optional<bool> destructive{};
  std::optional<bool> idempotent{};
  std::optional<bool> open_world{};
};

// Where the handler runs.
enum class Run {
  kInline,  // on the I/O thread: microseconds, no I/O, never Ask()
  kPool,    // on the bounded worker pool: may block
  kBrief,   // there, too, but as a rule it computes for less than a millisecond: a few threads do
            // the calls one after the other
};

// Whether a call may or must run as a task (MCP Tasks).
enum class TaskSupport { kForbidden, kOptional, kRequired };

struct ToolInfo {
  std::string name{};         // canonical id `category/name`
  std::string wire{};         // name MCP clients see; default: the id with '_' for '/'
  std::string title{};        // for people
  std::string description{};  // for the model, at most 200 characters
  std::vector<std::string> aliases{};
  std::string toolset{};  // default: the category
  std::string version = "1";
  std::vector<std::string> tags{};
  // Scopes a principal needs: read, write, shell, connections, admin. Default: `read` for tools
  // whose read_only hint is true, else `write`.
  std::vector<std::string> permissions{};
  Hints hints{};
  Run run = Run::kPool;
  TaskSupport task = TaskSupport::kForbidden;
  std::string page_argument{};   // argument that fetches the next page when a result is cut, for
                                 // example "offset"
  std::size_t result_chars = 0;  // own result budget; 0 = the configured one
  JsonArray icons{};
  JsonObject meta{};  // extra `_meta` of the listing
};

// What a call gives back.
struct Output {
  JsonArray content;  // MCP content blocks; empty: made from `structured`
  Json structured;    // structuredContent; null: none
  // The same as compact JSON, from a tool that writes it itself, which costs less than building the
  // value of many rows. `structured` is then null, except in what Server::Call() returns.
  std::string structured_text{};
  bool is_error = false;
  JsonObject meta;  // `_meta` of the result

  static Output Text(std::string_view text);
  static Output Structured(Json value);

  bool has_structured() const { return !structured.is_null() || !structured_text.empty(); }
  // The structured value, whichever way it is held.
  Json StructuredValue() const;
  void AppendStructured(std::string& out) const;
};

using ToolHandler =
    std::function<Result<Output>(const JsonObject& arguments, CallContext& context)>;
// Turns argument errors into a result of the tool's own shape (see schema.h for Violation).
using ArgumentErrorRenderer = std::function<Output(const std::vector<Violation>& violations)>;
// Turns a failure of a call, a refusal included, into a result of the tool's own shape.
using FailureRenderer = std::function<Output(const Error& error)>;
// Names the connections a call with these (valid) arguments would use, defaults applied, so that
// the gate can ask whether the caller may.
using ConnectionResolver = std::function<std::vector<std::string>(const JsonObject& arguments)>;

struct Tool {
  ToolInfo info;
  // A late schema is checked when the tool is added by debug builds only.
  LateJson input_schema;   // object schema, listed as it is
  LateJson output_schema;  // null: none
  ToolHandler handler;
  bool validate =
      true;  // false: arguments reach the handler as sent (only mssql-query, requirements D8)
  ArgumentErrorRenderer render_argument_errors;  // empty: the standard message
  FailureRenderer render_failure{};              // empty: the error's message as text
  ConnectionResolver connections;                // empty: uses none
  // Takes `{"request": {…}}` for `{…}`: the form the controller document gives some tools.
  bool unwrap_request = false;
};

// A typed tool. `Out` may be Output itself, or a struct with Fields().
template <typename In, typename Out>
Tool MakeTool(ToolInfo info, Result<Out> (*function)(const In&, CallContext&)) {
  return MakeTool<In, Out>(std::move(info),
                           std::function<Result<Out>(const In&, CallContext&)>(function));
}

template <typename In, typename Out>
Tool MakeTool(ToolInfo info, std::function<Result<Out>(const In&, CallContext&)> function) {
  Tool tool;
  tool.info = std::move(info);
  tool.input_schema = LateJson(&InputSchemaOf<In>);
  if constexpr (!std::is_same_v<Out, Output>) tool.output_schema = LateJson(&OutputSchemaOf<Out>);
  tool.handler = [function = std::move(function)](const JsonObject& arguments,
                                                  CallContext& context) -> Result<Output> {
    ASSIGN_OR_RETURN(In in, Decode<In>(arguments));
    ASSIGN_OR_RETURN(Out out, function(in, context));
    if constexpr (std::is_same_v<Out, Output>) {
      return out;
    } else {
      return Output::Structured(Encode(out));
    }
  };
  return tool;
}

}  // namespace toolpost
