// Trace context, spans and request times.
#include "mcp/operation.h"

#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "telemetry/otlp_exporter.h"

namespace toolpost::mcp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestValue = 256;
constexpr std::string_view kExecution = "execute_tool";

std::string_view TextOf(const JsonObject* meta, std::string_view name) {
  const Json* const value = meta == nullptr ? nullptr : meta->if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

}  // namespace

struct Operation::Trace {
  TraceLabels labels;
  std::optional<telemetry::TraceContext> span;  // of our own; none: not sampled
  std::optional<telemetry::TraceContext> parent;
  std::optional<telemetry::TraceContext> link;
  std::string tracestate;
  std::string tool;
  std::string_view transport;
  std::string_view protocol;
};

void Arrival::ReadHeaders(std::string_view traceparent, std::string_view state) {
  trace = telemetry::ParseTraceparent(traceparent);
  if (trace) tracestate = telemetry::UsableTracestate(state);
}

bool Operation::Traced(const Core& core) {
  return core.exporter != nullptr || base::LogEnabled(base::Severity::kInfo);
}

Operation::Operation(const Core& core, const Message* message, const Arrival& arrival)
    : message_(message), started_(Clock::now()) {
  if (!Traced(core)) return;
  const bool within = message == nullptr && arrival.transport.empty();
  if (within) return;
  const JsonObject* const meta = message == nullptr ? nullptr : message->Meta();
  // The client's own span (in `_meta`) is the parent; that of the HTTP request below it is linked.
  auto parent = telemetry::ParseTraceparent(TextOf(meta, "traceparent"));
  const bool own = parent.has_value();
  if (!own) parent = arrival.trace;
  const auto span = core.exporter ? core.exporter->sampler().Begin(parent) : std::nullopt;
  if (!parent && !span) return;
  trace_ = std::make_unique<Trace>();
  trace_->labels.trace_id = telemetry::ToHex(parent ? parent->trace_id : span->trace_id);
  if (!span) return;
  trace_->labels.span_id = telemetry::ToHex(span->span_id);
  trace_->span = span;
  trace_->parent = parent;
  if (own && arrival.trace && arrival.trace != parent) trace_->link = arrival.trace;
  trace_->tracestate =
      own ? telemetry::UsableTracestate(TextOf(meta, "tracestate")) : arrival.tracestate;
  trace_->transport = arrival.transport;
  trace_->protocol = arrival.protocol;
}

Operation::~Operation() = default;

const TraceLabels* Operation::labels() const { return trace_ ? &trace_->labels : nullptr; }

void Operation::Calls(const ToolInfo& tool) {
  calls_tool_ = true;
  if (trace_ && trace_->span) trace_->tool = tool.name;
}

void Operation::End(Core& core, Ending ending, const About& about) {
  core.requests.Count(ending.ok());
  if (message_ != nullptr && !calls_tool_) {
    const auto ended = Clock::now();
    core.requests.Record(message_->method, ending, ended - started_, ended, about.request_id);
  }
  if (trace_ && trace_->span) Export(core, ending, about);
}

void Operation::Export(Core& core, Ending ending, const About& about) {
  const std::string_view method = message_ == nullptr ? kExecution
                                  : calls_tool_       ? "tools/call"
                                                : RequestCounters::KnownMethod(message_->method);
  telemetry::Span span;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty())
      span.attributes.push_back({name, std::string(value.substr(0, kLongestValue))});
  };
  span.context = *trace_->span;
  if (trace_->parent) span.parent = trace_->parent->span_id;
  span.link = trace_->link;
  span.tracestate = std::move(trace_->tracestate);
  span.ended = base::Now();
  span.started =
      span.ended - std::chrono::duration_cast<base::WallTime::duration>(Clock::now() - started_);
  std::string_view subject;
  if (message_ != nullptr) add("mcp.method.name", method);
  if (calls_tool_) {
    subject = trace_->tool;
    add("gen_ai.operation.name", kExecution);
    add("gen_ai.tool.name", subject);
  } else if (method == "prompts/get") {
    subject = TextOf(message_->params, "name").substr(0, kLongestValue);
    add("gen_ai.prompt.name", subject);
  } else if (method.starts_with("resources/")) {
    add("mcp.resource.uri", TextOf(message_->params, "uri"));
  }
  span.name = subject.empty() ? std::string(method) : base::StrCat(method, " ", subject);
  if (message_ != nullptr) add("jsonrpc.request.id", message_->id);
  add("mcp.protocol.version", about.revision);
  add("mcp.session.id", about.session);
  add("network.transport", trace_->transport);
  add("network.protocol.name", trace_->protocol);
  add("client.address", about.address);
  add("toolpost.request.id", about.request_id);
  add("error.type", ending.error_type());
  if (ending.json_rpc() != 0) add("rpc.response.status_code", std::to_string(ending.json_rpc()));
  span.error = ending.server_error();
  if (span.error) span.problem = ending.name();
  core.exporter->Add(std::move(span));
}

}  // namespace toolpost::mcp
