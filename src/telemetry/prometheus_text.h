// Metrics in the text format of Prometheus (version 0.0.4).
#pragma once

#include <string>
#include <string_view>

#include "telemetry/metric_family.h"

namespace toolpost::telemetry {

inline constexpr std::string_view kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

// Families without samples are left out.
std::string PrometheusText(const MetricFamilies& families);
// `toolpost_tool_calls_total` for the counter `toolpost.tool.calls`.
std::string PrometheusName(const MetricFamily& family);

}  // namespace toolpost::telemetry
