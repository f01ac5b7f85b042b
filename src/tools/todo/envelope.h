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

// The failures of the document's error table; the category and its number go into `_meta`.
Output ValidationFailure(std::string_view message);
Output NoTask(std::int64_t id);
Output NoUser();
// A database that is away, or anything unexpected; `what` is "add task" or "get user info".
Output StoreFailure(const Error& error, std::string_view what);
// A call that the gate refused or ended.
Output RenderFailure(const Error& error);

// The document's sentence for the first row of its validation table that is broken; parameters that
// are missing come first.
Output RenderViolations(const std::vector<Violation>& violations);
// The same for arguments that passed the schema and fit no 64-bit integer.
Output RenderMisfits(const JsonObject& arguments);
// "title must be …" for text that no database stores; empty when there is nothing wrong.
std::string TextProblem(std::string_view name, std::string_view text);

// What a tool's function gives: an envelope, or the output of a failure.
template <typename Data>
class Reply {
 public:
  Reply(std::string message, Data data)
      : output_(Output::Structured(
            Encode(Envelope<Data>{.message = std::move(message), .data = std::move(data)}))) {}
  Reply(Output failure) : output_(std::move(failure)) {}
  Output Take() && { return std::move(output_); }

 private:
  Output output_;
};

// A tool whose function gets its arguments and the user; it is not called without one.
template <typename In, typename Data>
Tool MakeTodoTool(const TodoInfo& todo,
                  std::function<Reply<Data>(const In&, const std::string& user)> function) {
  Tool tool{.info = InfoOf(todo),
            .input_schema = LateJson(&InputSchemaOf<In>),
            .output_schema = LateJson(&OutputSchemaOf<Envelope<Data>>)};
  tool.render_argument_errors = RenderViolations;
  tool.render_failure = RenderFailure;
  tool.handler = [function = std::move(function)](const JsonObject& arguments,
                                                  CallContext& context) -> Result<Output> {
    const Result<In> decoded = Decode<In>(arguments);
    if (!decoded) return RenderMisfits(arguments);
    const In& in = *decoded;
    const std::string& user = context.principal().user;
    if constexpr (requires { in.Problem(); }) {
      if (const std::string problem = in.Problem(); !problem.empty())
        return ValidationFailure(problem);
    }
    if (user.empty()) return NoUser();
    return function(in, user).Take();
  };
  return tool;
}

}  // namespace toolpost::tools::todo
