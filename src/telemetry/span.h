// One finished piece of work of a trace.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/metric_family.h"
#include "telemetry/trace_context.h"

namespace toolpost::telemetry {

struct Span {
  TraceContext context;
  std::optional<SpanId> parent;
  std::optional<TraceContext> link;  // another span that caused it
  std::string tracestate;
  std::string name;
  std::chrono::system_clock::time_point started;
  std::chrono::system_clock::time_point ended;
  std::vector<Label> attributes;
  bool error = false;
  std::string problem;  // with `error`: what happened, in a word
};

}  // namespace toolpost::telemetry
