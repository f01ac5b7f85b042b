// Policy, limits, argument check, execution, result budget, metrics, event, log line and record of
// a call.
#include "mcp/tool_gate.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "auth/policy.h"
#include "base/error_table.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/call_failure.h"
#include "mcp/event_data.h"
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

// The controller document's `{"request": {…}}`.
const JsonObject& Unwrapped(const JsonObject& arguments) {
  if (arguments.size() != 1) return arguments;
  const Json* request = arguments.if_contains("request");
  return request != nullptr && request->is_object() ? request->get_object() : arguments;
}

bool IsDenial(Code code) {
  return code == Code::kPermissionDenied || code == Code::kUnauthenticated ||
         code == Code::kRateLimited;
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

struct CallSummary {
  std::string_view code;
  bool ok;
  Clock::duration duration;
};

void LogCall(const RegisteredTool& tool, const TraceLabels* trace, const CallContext& context,
             const CallSummary& call) {
  const base::LogField id{"request_id", context.request_id()};
  const base::LogField name{"tool", tool.tool.info.name};
  const base::LogField duration{"duration_ms", call.duration};
  const base::LogField ok{"ok", call.ok};
  const base::LogField code{"code", call.code};
  if (trace == nullptr)
    return base::Log(base::Severity::kInfo, "tool call", {id, name, duration, ok, code});
  const base::LogField trace_id{"trace_id", trace->trace_id};
  if (trace->span_id.empty())
    return base::Log(base::Severity::kInfo, "tool call", {id, name, duration, ok, code, trace_id});
  base::Log(base::Severity::kInfo, "tool call",
            {id, name, duration, ok, code, trace_id, {"span_id", trace->span_id}});
}

#ifndef NDEBUG
// Clients throw on results that break the tool's own schema, so tests must never see one.
std::optional<Error> CheckOutput(const RegisteredTool& tool, const CallContext& context,
                                 const Output& output) {
  if (!tool.output || output.is_error) return std::nullopt;
  const auto violations = tool.output->Validate(output.StructuredValue());
  if (violations.empty()) return std::nullopt;
  const Violation& first = violations.front();
  return InternalError(tool, context, "result breaks the output schema",
                       base::StrCat(first.path, " ", first.expected));
}
#endif

}  // namespace

// The arguments a call runs with, and what they lead to.
struct ToolGate::Bound {
  const JsonObject* given = nullptr;  // kept alive by the call's context
  std::optional<JsonObject> own;      // replaces `given`
  std::vector<std::string> connections;
  const TraceLabels* trace = nullptr;
  Clock::time_point started = Clock::now();  // before the wait for a worker

  const JsonObject& arguments() const { return own ? *own : *given; }
};

// A call waiting for a worker. If it is dropped there (shutdown), its caller still hears of it.
struct ToolGate::Job {
  ToolGate gate;  // references only: the registry may be gone by then
  std::shared_ptr<const RegisteredTool> tool;
  std::size_t budget;
  std::shared_ptr<CallContext> context;
  Bound bound;
  std::function<void(CallOutcome)> done;

  ~Job() {
    if (done) Answer(Refusal(Error::Unavailable("The server is shutting down")));
  }
  void Run() { Answer(gate.Execute(*tool, budget, bound, *context)); }
  void Answer(CallOutcome outcome) {
    gate.limits_.Leave();
    std::exchange(done, nullptr)(std::move(outcome));
  }
};

void ToolGate::Call(const std::shared_ptr<const RegisteredTool>& tool, std::size_t budget,
                    CallRequest request, std::function<void(CallOutcome)> done) const {
  static const JsonObject kNone;
  if (request.arguments == nullptr) request.arguments = &kNone;
  const CallContext& context = *request.context;
  std::optional<Error> refused = auth::Refusal(context.principal(), tool->tool.info);
  if (!refused) refused = limits_.Enter(context.principal());
  if (!refused) return Admitted(tool, budget, std::move(request), std::move(done));
  done(Stopped(*tool, {.given = request.arguments, .trace = request.trace}, context,
               FailedCall(*tool, *std::move(refused), context)));
}

void ToolGate::Admitted(const std::shared_ptr<const RegisteredTool>& tool, std::size_t budget,
                        CallRequest request, std::function<void(CallOutcome)> done) const {
  CallContext& context = *request.context;
  Bound bound{.given = request.arguments, .trace = request.trace};
  const auto stop = [&](CallOutcome outcome) {
    limits_.Leave();
    done(Stopped(*tool, bound, context, std::move(outcome)));
  };
  if (tool->tool.unwrap_request) bound.given = &Unwrapped(*bound.given);
  if (tool->tool.validate) {
    if (HasNull(*bound.given))
      bound.own = WithoutNulls(*bound.given, tool->tool.input_schema->get_object());
    const auto rules = tool->input.Get(*tool->tool.input_schema);
    if (!rules) return stop(FailedCall(*tool, rules.error(), context));
    if (const auto violations = (*rules)->schema.Validate(bound.arguments()); !violations.empty()) {
      return stop(Guarded(*tool, context, [&] { return InvalidArguments(*tool, violations); }));
    }
  }
  if (tool->tool.connections) {
    bound.connections = tool->tool.connections(bound.arguments());
    for (const std::string& connection : bound.connections) {
      if (auto refused = auth::ConnectionRefusal(context.principal(), connection))
        return stop(FailedCall(*tool, *std::move(refused), context));
    }
  }
  if (request.whole) {
    budget = std::numeric_limits<std::size_t>::max();
  } else if (tool->tool.info.result_chars != 0) {
    budget = tool->tool.info.result_chars;
  }
  if (tool->tool.info.run == Run::kInline) {
    CallOutcome outcome = Execute(*tool, budget, bound, context);
    limits_.Leave();
    return done(std::move(outcome));
  }

  const std::shared_ptr<Job> job(
      new Job{*this, tool, budget, std::move(request.context), std::move(bound), std::move(done)});
  const bool brief = tool->tool.info.run == Run::kBrief;
  if (pool_.Post([job] { job->Run(); }, brief ? base::WorkKind::kBrief : base::WorkKind::kMayWait))
    return;
  job->Answer(Stopped(*tool, job->bound, *job->context,
                      Refusal(Error::Unavailable("The server is busy, retry in a moment"))));
}

CallOutcome ToolGate::Stopped(const RegisteredTool& tool, const Bound& bound,
                              const CallContext& context, CallOutcome outcome) const {
  Finish(tool, bound, context, outcome);
  return outcome;
}

CallOutcome ToolGate::Execute(const RegisteredTool& tool, std::size_t budget, const Bound& bound,
                              CallContext& context) const {
  const JsonObject& arguments = bound.arguments();
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
  Finish(tool, bound, context, outcome);
  return outcome;
}

void ToolGate::Finish(const RegisteredTool& tool, const Bound& bound, const CallContext& context,
                      const CallOutcome& outcome) const {
  const auto ended = Clock::now();
  const auto taken = ended - bound.started;
  // A call that stopped to ask is repeated with the answers and counted then.
  const bool asks = outcome.error && outcome.error->code == Code::kInputRequired;
  const Ending ending = asks ? Ending() : EndingOf(outcome);
  if (!asks) {
    if (metrics_->load(std::memory_order_relaxed))
      tool.counters->Record(ending, taken, ended, context.request_id());
    if (events_.active(EventKind::kToolExecuted)) {
      const std::chrono::duration<double, std::milli> milliseconds = taken;
      events_.Publish(
          MakeEvent(EventKind::kToolExecuted,
                    ToolExecutedData{tool.tool.info.name, ending.ok(), std::string(ending.name()),
                                     milliseconds.count(), std::string(context.request_id())},
                    context.principal().id));
    }
  }
  const std::string_view code = asks ? base::FormsOf(Code::kInputRequired).name : ending.name();
  if (observer_ && !asks) {
    (*observer_)({tool.tool.info, context, bound.arguments(), bound.connections, code,
                  outcome.error && IsDenial(outcome.error->code), taken, outcome.output});
  }
  if (!base::LogEnabled(base::Severity::kInfo)) return;
  LogCall(tool, bound.trace, context, {code, ending.ok(), taken});
}

}  // namespace toolpost::mcp
