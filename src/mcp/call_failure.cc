// Errors of a call as outcomes.
#include "mcp/call_failure.h"

#include <utility>

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

bool IsRefusal(Code code) {
  return code == Code::kInputRequired || code == Code::kMissingCapability ||
         code == Code::kUrlElicitation || code == Code::kCancelled;
}

CallOutcome Rendered(Output output, Error error) {
  output.is_error = true;
  CallOutcome outcome;
  outcome.output = std::move(output);
  outcome.error = std::move(error);
  return outcome;
}

// Called where nothing else would catch what a renderer throws.
Output ShapeOf(const Tool& tool, const Error& error) {
  try {
    if (tool.render_failure) return tool.render_failure(error);
  } catch (...) {
    base::Log(base::Severity::kError, "failure renderer threw", {{"tool", tool.info.name}});
  }
  return Output::Text(error.message);
}

}  // namespace

Ending EndingOf(const CallOutcome& outcome) {
  if (outcome.error) return Ending::Failed(outcome.error->code, outcome.protocol_error);
  return outcome.output.is_error ? Ending::ToolError() : Ending();
}

CallOutcome Refusal(Error error) {
  CallOutcome outcome;
  outcome.error = std::move(error);
  outcome.protocol_error = true;
  return outcome;
}

CallOutcome FailedCall(const RegisteredTool& tool, Error error, const CallContext& context) {
  if (error.verbatim) {
    if (tool.tool.render_failure) {
      Output own = ShapeOf(tool.tool, error);
      return Rendered(std::move(own), std::move(error));
    }
    // Requirements D9: exact text, structure as thrown.
    Output output = Output::Text(error.message);
    output.structured =
        JsonObject{{"error", error.data.is_null() ? Json{{"message", error.message}} : error.data}};
    return Rendered(std::move(output), std::move(error));
  }
  if (error.code == Code::kCancelled || context.Cancelled()) {
    if (context.deadline() <= std::chrono::steady_clock::now()) {
      error = {
          Code::kTimeout,
          base::StrCat(tool.tool.info.name, " did not finish in time. Ask for less, or try again."),
          {}};
    } else {
      error = Error::Cancelled();
    }
  }
  if (IsRefusal(error.code)) return Refusal(std::move(error));
  Output output = ShapeOf(tool.tool, error);
  return Rendered(std::move(output), std::move(error));
}

Error ArgumentError(std::string_view subject, const std::vector<Violation>& violations) {
  std::string message = base::StrCat("Invalid arguments for ", subject, ":");
  JsonArray data;
  for (const Violation& violation : violations) {
    if (!data.empty()) message.push_back(';');
    message.append(" ").append(violation.path.empty() ? "the arguments" : violation.path);
    message.append(" ").append(violation.expected);
    data.push_back(JsonObject{
        {"path", violation.path}, {"rule", violation.rule}, {"expected", violation.expected}});
  }
  return Error::InvalidParams(std::move(message), std::move(data));
}

CallOutcome InvalidArguments(const RegisteredTool& tool, const std::vector<Violation>& violations) {
  Error error = ArgumentError(tool.tool.info.name, violations);
  Output output = tool.tool.render_argument_errors ? tool.tool.render_argument_errors(violations)
                                                   : Output::Text(error.message);
  return Rendered(std::move(output), std::move(error));
}

}  // namespace toolpost::mcp
