// What every todo tool answers: `{status, message, data}`, also when it fails (requirements D11).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "tools/todo/todo.h"

namespace toolpost::tools::todo {

template <typename Data>
struct Envelope {
  std::string status = "success";
  std::string message;
  std::optional<Data> data;
  static constexpr auto Fields() {
    return std::tuple{Req("status", &Envelope::status).OneOf({"success", "error"}),
                      Req("message", &Envelope::message), Req("data", &Envelope::data)};
  }
};

// One tool's words and work.
struct TodoInfo {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  bool read_only = false;
  bool destructive = false;
  bool idempotent = false;
};
ToolInfo InfoOf(const TodoInfo& todo);

// The failures of the document's error table. They are errors like those of all tools, so that
// every door has its own code for them; RenderFailure puts them into the envelope.
//
// An argument that no schema refuses and no database takes: "due_date must be …". `rule` and
// `expected` as in Violation.
Error InvalidArgument(std::string_view name, std::string_view rule, std::string_view expected);
// For arguments that passed the schema and fit no 64-bit integer.
Error Misfit(const JsonObject& arguments);
Error NoTask(std::int64_t id);
Error NoUser();
// A database that is away, or anything unexpected; `what` is "add task" or "get user info". The
// reason goes to the log.
Error StoreFailure(const CallContext& context, const Error& reason, std::string_view what);

// `{status, message, data}` of a failure; the category and its number go into `_meta`.
Output RenderFailure(const Error& error);
// The same with the document's sentence for the first row of its validation table that is broken;
// parameters that are missing come first.
Output RenderViolations(const std::vector<Violation>& violations);

// What is wrong with text that no database stores.
std::optional<Error> TextProblem(std::string_view name, std::string_view text);

// A tool whose function is only called for somebody who has a user.
template <typename In, typename Data>
Tool MakeTodoTool(const TodoInfo& todo,
                  std::function<Result<Envelope<Data>>(const In&, const CallContext&)> function) {
  Tool tool{.info = InfoOf(todo),
            .input_schema = LateJson(&InputSchemaOf<In>),
            .output_schema = LateJson(&OutputSchemaOf<Envelope<Data>>)};
  tool.render_argument_errors = RenderViolations;
  tool.render_failure = RenderFailure;
  tool.handler = [function = std::move(function)](const JsonObject& arguments,
                                                  CallContext& context) -> Result<Output> {
    const Result<In> in = Decode<In>(arguments);
    if (!in) return Misfit(arguments);
    if constexpr (requires { in->Problem(); }) {
      if (std::optional<Error> problem = in->Problem()) return *std::move(problem);
    }
    if (context.principal().user.empty()) return NoUser();
    ASSIGN_OR_RETURN(const Envelope<Data> envelope, function(*in, context));
    return Output::Structured(Encode(envelope));
  };
  return tool;
}

}  // namespace toolpost::tools::todo
