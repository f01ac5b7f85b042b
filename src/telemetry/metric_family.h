// Metrics as they are read, before they are written in some format.
//
// Names are those of OpenTelemetry: `toolpost.tool.calls`, unit `s` or `By`. Prometheus gets them
// with underscores and its own endings (`toolpost_tool_calls_total`, `…_seconds`, `…_bytes`).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::telemetry {

struct Label {
  std::string_view name;  // lives as long as the process: "mcp.method.name"
  std::string value;
};

struct Sample {
  std::vector<Label> labels;
  double value = 0;                     // of a counter or gauge; of a histogram the sum
  std::vector<std::uint64_t> counts{};  // of a histogram: per bound, and one more for the rest
};

enum class MetricKind { kCounter, kGauge, kHistogram };

// The views live as long as the process.
struct MetricFamily {
  std::string_view name;
  MetricKind kind = MetricKind::kGauge;
  std::string_view unit;  // "s", "By" or empty
  std::string_view help;  // one line
  std::vector<Sample> samples{};
  std::span<const double> bounds{};  // of a histogram
};
using MetricFamilies = std::vector<MetricFamily>;

}  // namespace toolpost::telemetry
