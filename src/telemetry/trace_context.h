// W3C trace context: which trace a request belongs to. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toolpost::telemetry {

using TraceId = std::array<std::uint8_t, 16>;
using SpanId = std::array<std::uint8_t, 8>;

struct TraceContext {
  TraceId trace_id{};
  SpanId span_id{};
  bool sampled = false;

  bool operator==(const TraceContext&) const = default;
};

// The value of a `traceparent`; none if it breaks the recommendation (unknown later versions are
// read as far as the first one goes).
std::optional<TraceContext> ParseTraceparent(std::string_view text);
// The value of a `tracestate` that can be passed on: printable, at most 512 bytes; else empty.
std::string_view UsableTracestate(std::string_view text);

std::string ToHex(const TraceId& id);
std::string ToHex(const SpanId& id);

}  // namespace toolpost::telemetry
