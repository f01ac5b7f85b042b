// The protobuf messages of OTLP in their JSON mapping: ids as hex, 64-bit numbers as strings.
#include "telemetry/otlp_json.h"

#include <string_view>
#include <utility>

#include "base/json_write.h"
#include "base/strings.h"
#include "toolpost/version.h"

namespace toolpost::telemetry {
namespace {

constexpr int kServerKind = 2;
constexpr int kErrorStatus = 2;

using Time = std::chrono::system_clock::time_point;

std::string NanosecondsOf(Time time) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  return base::StrCat("\"", ns.count(), "\"");
}

void AppendAttribute(std::string& out, std::string_view name, std::string_view value) {
  if (out.back() != '[') out.push_back(',');
  out.append("{\"key\":");
  base::AppendJsonString(out, name);
  out.append(",\"value\":{\"stringValue\":");
  base::AppendJsonString(out, value);
  out.append("}}");
}

void AppendAttributes(std::string& out, const std::vector<Label>& labels) {
  out.append("\"attributes\":[");
  for (const Label& label : labels) AppendAttribute(out, label.name, label.value);
  out.push_back(']');
}

// Everything around the list of spans or metrics.
std::string Enclosed(const Resource& resource, std::string_view kind, const std::string& list) {
  std::string out = base::StrCat("{\"resource", kind, "\":[{\"resource\":{\"attributes\":[");
  for (const auto& [name, value] : resource.attributes) AppendAttribute(out, name, value);
  out.append("]},\"scope").append(kind);
  out.append("\":[{\"scope\":{\"name\":\"toolpost\",\"version\":\"" TOOLPOST_VERSION "\"},\"");
  out.append(kind == "Spans" ? "spans" : "metrics").append("\":[").append(list);
  return out.append("]}]}]}");
}

void AppendSpan(std::string& out, const Span& span) {
  out.append(base::StrCat("{\"traceId\":\"", ToHex(span.context.trace_id), "\",\"spanId\":\"",
                          ToHex(span.context.span_id), "\","));
  if (span.parent) out.append(base::StrCat("\"parentSpanId\":\"", ToHex(*span.parent), "\","));
  if (!span.tracestate.empty()) {
    out.append("\"traceState\":");
    base::AppendJsonString(out, span.tracestate);
    out.push_back(',');
  }
  out.append("\"name\":");
  base::AppendJsonString(out, span.name);
  out.append(base::StrCat(",\"kind\":", kServerKind,
                          ",\"startTimeUnixNano\":", NanosecondsOf(span.started),
                          ",\"endTimeUnixNano\":", NanosecondsOf(span.ended), ","));
  AppendAttributes(out, span.attributes);
  if (span.link) {
    out.append(base::StrCat(",\"links\":[{\"traceId\":\"", ToHex(span.link->trace_id),
                            "\",\"spanId\":\"", ToHex(span.link->span_id), "\"}]"));
  }
  if (span.error) {
    out.append(base::StrCat(",\"status\":{\"code\":", kErrorStatus, ",\"message\":"));
    base::AppendJsonString(out, span.problem);
    out.push_back('}');
  }
  out.push_back('}');
}

void AppendPoint(std::string& out, const MetricFamily& family, const Sample& sample,
                 std::string_view times) {
  out.push_back('{');
  AppendAttributes(out, sample.labels);
  out.append(times);
  if (family.kind != MetricKind::kHistogram) {
    out.append(",\"asDouble\":");
    base::AppendJsonDouble(out, sample.value);
    out.push_back('}');
    return;
  }
  std::uint64_t count = 0;
  std::string counts;
  for (const std::uint64_t each : sample.counts) {
    count += each;
    counts.append(base::StrCat(counts.empty() ? "\"" : ",\"", each, "\""));
  }
  out.append(base::StrCat(",\"count\":\"", count, "\",\"sum\":"));
  base::AppendJsonDouble(out, sample.value);
  out.append(base::StrCat(",\"bucketCounts\":[", counts, "],\"explicitBounds\":["));
  for (const double bound : family.bounds) {
    if (out.back() != '[') out.push_back(',');
    base::AppendJsonDouble(out, bound);
  }
  out.append("]}");
}

void AppendFamily(std::string& out, const MetricFamily& family, std::string_view times) {
  if (!out.empty()) out.push_back(',');
  out.append("{\"name\":");
  base::AppendJsonString(out, family.name);
  out.append(",\"unit\":");
  base::AppendJsonString(out, family.unit.empty() ? "1" : family.unit);
  out.append(",\"description\":");
  base::AppendJsonString(out, family.help);
  out.append(family.kind == MetricKind::kCounter     ? ",\"sum\":{"
             : family.kind == MetricKind::kHistogram ? ",\"histogram\":{"
                                                     : ",\"gauge\":{");
  if (family.kind != MetricKind::kGauge) out.append("\"aggregationTemporality\":2,");
  if (family.kind == MetricKind::kCounter) out.append("\"isMonotonic\":true,");
  out.append("\"dataPoints\":[");
  for (const Sample& sample : family.samples) {
    if (out.back() != '[') out.push_back(',');
    AppendPoint(out, family, sample, times);
  }
  out.append("]}}");
}

}  // namespace

std::string OtlpTraces(const Resource& resource, std::span<const Span> spans) {
  std::string list;
  for (const Span& span : spans) {
    if (!list.empty()) list.push_back(',');
    AppendSpan(list, span);
  }
  return Enclosed(resource, "Spans", list);
}

std::string OtlpMetrics(const Resource& resource, const MetricFamilies& families, Time since,
                        Time now) {
  const std::string times = base::StrCat(",\"startTimeUnixNano\":", NanosecondsOf(since),
                                         ",\"timeUnixNano\":", NanosecondsOf(now));
  std::string list;
  for (const MetricFamily& family : families) {
    if (!family.samples.empty()) AppendFamily(list, family, times);
  }
  return Enclosed(resource, "Metrics", list);
}

}  // namespace toolpost::telemetry
