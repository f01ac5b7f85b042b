// One request from its arrival to its answer: counted, timed, and recorded as a span where its
// trace is sampled.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/ending.h"
#include "mcp/message.h"
#include "mcp/registry.h"
#include "telemetry/trace_context.h"

namespace toolpost::mcp {

struct Core;

// How a request reached us. The views live as long as the process.
struct Arrival {
  std::string_view transport;  // network.transport: "tcp", "pipe"; empty: within this process
  std::string_view protocol;   // network.protocol.name: "http", "websocket"; empty: none
  // Of the HTTP request, where somebody wants it.
  std::optional<telemetry::TraceContext> trace{};
  std::string tracestate{};

  // The header's values, if they are of any use.
  void ReadHeaders(std::string_view traceparent, std::string_view state);
};

// Used by one thread at a time. Costs two looks at the clock and, while nobody traces, no memory.
class Operation {
 public:
  // `message` may be null: a call outside MCP. One within this process is only counted.
  Operation(const Core& core, const Message* message, const Arrival& arrival);
  ~Operation();

  // Ids for log lines; null if the request belongs to no trace.
  const TraceLabels* labels() const;
  // The request calls this tool.
  void Calls(const ToolInfo& tool);

  // What a span says besides.
  struct About {
    std::string_view request_id;
    std::string_view revision;  // empty outside MCP
    std::string_view session;   // a label, not the id
    std::string_view address;   // of the client
  };
  // The request was answered. Once.
  void End(Core& core, Ending ending, const About& about);

  // True if somebody wants to know of traces: they are exported, or log lines name them.
  static bool Traced(const Core& core);

 private:
  struct Trace;

  void Export(Core& core, Ending ending, const About& about);

  const Message* message_;
  const std::chrono::steady_clock::time_point started_;
  bool calls_tool_ = false;
  std::unique_ptr<Trace> trace_;
};

}  // namespace toolpost::mcp
