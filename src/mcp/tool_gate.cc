// Argument check, execution, result budget, metrics, event and log line of a call.
#include "mcp/tool_gate.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "base/error_table.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/call_failure.h"
#include "mcp/result_budget.h"

namespace toolpost::mcp {
namespace {

using Clock = std::chrono::steady_clock;

bool HasNull(const JsonObject& arguments) {
  return std::ranges::any_of(arguments,
                             [](const auto& argument) { return argument.value().is_null(); });
}

bool IsOptionalProperty(const JsonObject& schema, std::string_view name) {
  const Json* properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object() || !properties->get_object().contains(name))
    return false;
  const Json* required = schema.if_contains("required");
  return required == nullptr || !required->is_array() ||
         std::ranges::none_of(required->get_array(), [&](const Json& each) {
           return each.is_string() && each.get_string() == name;
         });
}

// Requirements D26: null for an optional argument means absent.
JsonObject WithoutNulls(const JsonObject& arguments, const JsonObject& schema) {
  JsonObject kept;
  for (const auto& argument : arguments) {
    if (argument.value().is_null() && IsOptionalProperty(schema, argument.key())) continue;
    kept.emplace(argument.key(), argument.value());
  }
  return kept;
}

Error InternalError(const RegisteredTool& tool, const CallContext& context, std::string_view event,
                    std::string_view detail) {
  base::Log(
      base::Severity::kError, event,
      {{"request_id", context.request_id()}, {"tool", tool.tool.info.name}, {"detail", detail}});
  return Error::Internal(base::StrCat("Internal error in ", tool.tool.info.name, " (request ",
                                      context.request_id(), "). The server log has the details."));
}

// The single catch-all of the server: runs `work`, whatever it throws becomes kInternal without
// detail.
template <typename Work>
CallOutcome Guarded(const RegisteredTool& tool, const CallContext& context, Work work) {
  const auto failed = [&](std::string_view what) {
    return FailedCall(tool, InternalError(tool, context, "handler threw", what), context);
  };
  try {
    return work();
  } catch (const std::exception& exception) {
    return failed(exception.what());
  } catch (...) {
    return failed("unknown exception");
  }
}

#ifndef NDEBUG
// Clients throw on results that break the tool's own schema, so tests must never see one.
std::optional<Error> CheckOutput(const RegisteredTool& tool, const CallContext& context,
                                 const Output& output) {
  if (!tool.output || output.is_error) return std::nullopt;
  const auto violations = tool.output->Validate(output.structured);
  if (violations.empty()) return std::nullopt;
  const Violation& first = violations.front();
  return InternalError(tool, context, "result breaks the output schema",
                       base::StrCat(first.path, " ", first.expected));
}
#endif

}  // namespace

// A call waiting for a worker. If it is dropped there (shutdown), its caller still hears of it.
struct ToolGate::Job {
  ToolGate gate;  // references only: the registry may be gone by then
  std::shared_ptr<const RegisteredTool> tool;
  std::size_t budget;
  std::shared_ptr<CallContext> context;
  const JsonObject* given;        // kept alive by `context`
  std::optional<JsonObject> own;  // replaces `given`
  std::function<void(CallOutcome)> done;

  ~Job() {
    if (done) done(Refusal(Error::Unavailable("The server is shutting down")));
  }
  void Run() { Answer(gate.Execute(*tool, budget, own ? *own : *given, *context)); }
  void Answer(CallOutcome outcome) { std::exchange(done, nullptr)(std::move(outcome)); }
};

void ToolGate::Call(const std::shared_ptr<const RegisteredTool>& tool, std::size_t budget,
                    CallRequest request, std::function<void(CallOutcome)> done) const {
  static const JsonObject kNone;
  const JsonObject* arguments = request.arguments != nullptr ? request.arguments : &kNone;
  std::optional<JsonObject> own;
  if (tool->tool.validate) {
    if (HasNull(*arguments)) {
      own = WithoutNulls(*arguments, tool->tool.input_schema.get_object());
      arguments = &*own;
    }
    if (const auto violations = tool->input.Validate(*arguments); !violations.empty()) {
      const auto started = Clock::now();
      CallOutcome outcome =
          Guarded(*tool, *request.context, [&] { return InvalidArguments(*tool, violations); });
      Finish(*tool, *request.context, outcome, started);
      return done(std::move(outcome));
    }
  }
  if (tool->tool.info.result_chars != 0) budget = tool->tool.info.result_chars;
  if (tool->tool.info.run == Run::kInline)
    return done(Execute(*tool, budget, *arguments, *request.context));

  const std::shared_ptr<Job> job(new Job{*this, tool, budget, std::move(request.context), arguments,
                                         std::move(own), std::move(done)});
  if (pool_.Post([job] { job->Run(); })) return;
  CallOutcome busy = Refusal(Error::Unavailable("The server is busy, retry in a moment"));
  Finish(*tool, *job->context, busy, Clock::now());
  job->Answer(std::move(busy));
}

CallOutcome ToolGate::Execute(const RegisteredTool& tool, std::size_t budget,
                              const JsonObject& arguments, CallContext& context) const {
  const auto started = Clock::now();
  CallOutcome outcome = Guarded(tool, context, [&]() -> CallOutcome {
    if (context.Cancelled()) return FailedCall(tool, Error::Cancelled(), context);
    Result<Output> result = tool.tool.handler(arguments, context);
    if (!result) return FailedCall(tool, std::move(result).error(), context);
    CallOutcome good;
    good.output = ApplyBudget(*std::move(result), budget, tool.tool.info, arguments,
                              context.principal(), results_);
#ifndef NDEBUG
    if (auto broken = CheckOutput(tool, context, good.output))
      return FailedCall(tool, *std::move(broken), context);
#endif
    return good;
  });
  Finish(tool, context, outcome, started);
  return outcome;
}

void ToolGate::Finish(const RegisteredTool& tool, const CallContext& context,
                      const CallOutcome& outcome, Clock::time_point started) const {
  const auto ended = Clock::now();
  const bool asks = outcome.error && outcome.error->code == Code::kInputRequired;
  const bool success = asks || (!outcome.error && !outcome.output.is_error);
  const double milliseconds = std::chrono::duration<double, std::milli>(ended - started).count();
  // A call that stopped to ask is repeated with the answers and counted then.
  if (!asks) {
    tool.counters->Record(success, ended - started, ended);
    if (events_.active()) {
      events_.Publish({"toolExecuted",
                       {{"tool", tool.tool.info.name},
                        {"success", success},
                        {"durationMs", milliseconds},
                        {"requestId", context.request_id()}}});
    }
  }
  if (!base::LogEnabled(base::Severity::kInfo)) return;
  const std::string_view code = outcome.error ? base::FormsOf(outcome.error->code).name
                                : success     ? "OK"
                                              : "TOOL_ERROR";
  base::Log(base::Severity::kInfo, "tool call",
            {{"request_id", context.request_id()},
             {"tool", tool.tool.info.name},
             {"duration_ms", milliseconds},
             {"ok", success},
             {"code", code}});
}

}  // namespace toolpost::mcp
