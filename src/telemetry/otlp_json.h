// Spans and metrics as bodies of OTLP/HTTP requests, in its JSON form. Pure functions.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "telemetry/metric_family.h"
#include "telemetry/span.h"

namespace toolpost::telemetry {

// Attributes of the resource that everything comes from, `service.name` first.
struct Resource {
  std::vector<std::pair<std::string, std::string>> attributes;
};

// ExportTraceServiceRequest.
std::string OtlpTraces(const Resource& resource, std::span<const Span> spans);
// ExportMetricsServiceRequest; the counts are cumulative since `since`.
std::string OtlpMetrics(const Resource& resource, const MetricFamilies& families,
                        std::chrono::system_clock::time_point since,
                        std::chrono::system_clock::time_point now);

}  // namespace toolpost::telemetry
