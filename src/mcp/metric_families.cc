// The counters of the core as metric families.
#include <span>
#include <string>
#include <utility>

#include "mcp/core.h"
#include "mcp/health_report.h"
#include "telemetry/build_commit.h"
#include "telemetry/otlp_exporter.h"
#include "telemetry/process_metrics.h"

namespace toolpost::mcp {
namespace {

using telemetry::Label;
using telemetry::MetricFamilies;
using telemetry::MetricFamily;
using telemetry::MetricKind;
using telemetry::Sample;

// The two finest buckets are for percentiles of our own; every monitor gets the rest.
constexpr std::size_t kFinest = 2;
constexpr std::span<const double> kBounds = std::span(kHistogramBounds).subspan(kFinest);

Sample HistogramSample(std::vector<Label> labels, const Times& times) {
  Sample sample{.labels = std::move(labels), .value = static_cast<double>(times.total_ns) / 1e9};
  sample.counts.assign(times.buckets.begin() + kFinest, times.buckets.end());
  for (std::size_t i = 0; i < kFinest; ++i) sample.counts.front() += times.buckets[i];
  return sample;
}

MetricFamily Histogram(std::string_view name, std::string_view help) {
  return {name, MetricKind::kHistogram, "s", help, {}, kBounds};
}

double Seconds(base::WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

void AppendOne(MetricFamilies& families, MetricFamily family, double value) {
  family.samples.push_back({.labels = {}, .value = value});
  families.push_back(std::move(family));
}

// One sample per way to end that has its own `error.type`.
void AppendDurations(MetricFamily& family, std::string_view method, const std::string& tool,
                     const OperationCounters::Reading& reading) {
  const auto labels = [&](std::string error) {
    return std::vector<Label>{{"mcp.method.name", std::string(method)},
                              {"gen_ai.tool.name", tool},
                              {"error.type", std::move(error)}};
  };
  if (reading.successes.count() != 0)
    family.samples.push_back(HistogramSample(labels({}), reading.successes));
  std::map<std::string, Times> errors;
  for (const OperationCounters::Failure& failure : reading.failures)
    errors[failure.ending.error_type()].Add(failure.times);
  for (const auto& [type, times] : errors)
    family.samples.push_back(HistogramSample(labels(type), times));
}

void AppendCalls(MetricFamily& family, const std::string& tool,
                 const OperationCounters::Reading& reading) {
  std::map<std::string_view, std::uint64_t> outcomes;
  outcomes["OK"] = reading.successes.count();
  for (const OperationCounters::Failure& failure : reading.failures)
    outcomes[failure.ending.name()] += failure.times.count();
  for (const auto& [outcome, count] : outcomes) {
    family.samples.push_back({.labels = {{"tool", tool}, {"outcome", std::string(outcome)}},
                              .value = static_cast<double>(count)});
  }
}

void AppendOperations(MetricFamilies& families, const Core& core) {
  MetricFamily durations =
      Histogram("mcp.server.operation.duration", "Time taken by MCP requests.");
  MetricFamily calls{"toolpost.tool.calls", MetricKind::kCounter, "",
                     "Calls of a tool, by how they ended."};
  MetricFamily last{"toolpost.tool.last_call.timestamp", MetricKind::kGauge, "s",
                    "End of the last call of a tool, in seconds since 1970."};
  for (const auto& [tool, reading] : core.registry.ReadCounters()) {
    AppendDurations(durations, "tools/call", tool, reading);
    AppendCalls(calls, tool, reading);
    if (reading.last) {
      last.samples.push_back({.labels = {{"tool", tool}}, .value = Seconds(*reading.last)});
    }
  }
  for (const RequestCounters::Method& method : core.requests.Methods()) {
    // Calls of tools nobody knows.
    const bool tool = method.name == "tools/call";
    AppendDurations(durations, method.name, std::string(tool ? RequestCounters::kOther : ""),
                    method.reading);
  }
  families.push_back(std::move(durations));
  families.push_back(std::move(calls));
  families.push_back(std::move(last));
  MetricFamily sessions = Histogram("mcp.server.session.duration", "Time sessions lasted.");
  if (const auto ended = core.requests.sessions().Read(); ended.total() != 0)
    sessions.samples.push_back(HistogramSample({}, ended.all()));
  families.push_back(std::move(sessions));
}

void AppendRequests(MetricFamilies& families, const Core& core) {
  const auto failed = static_cast<double>(core.requests.failed());
  const auto succeeded = static_cast<double>(core.requests.total()) - failed;
  families.push_back({"toolpost.requests",
                      MetricKind::kCounter,
                      "",
                      "Requests answered, by whether they failed.",
                      {{.labels = {{"outcome", "ok"}}, .value = succeeded},
                       {.labels = {{"outcome", "failed"}}, .value = failed}}});
  MetricFamily limited{"toolpost.rate_limited", MetricKind::kCounter, "",
                       "Calls refused by a limit, by the id of the key."};
  for (const auto& [key, count] : core.limits.refused())
    limited.samples.push_back({.labels = {{"key", key}}, .value = static_cast<double>(count)});
  families.push_back(std::move(limited));
}

void AppendState(MetricFamilies& families, const Core& core) {
  AppendOne(families, {"toolpost.sessions.active", MetricKind::kGauge, "", "Open sessions."},
            static_cast<double>(core.sessions.size()));
  AppendOne(families,
            {"toolpost.worker.queue.depth", MetricKind::kGauge, "", "Calls waiting for a worker."},
            static_cast<double>(core.pool.queued()));
  AppendOne(families, {"toolpost.worker.busy", MetricKind::kGauge, "", "Workers that run a call."},
            static_cast<double>(core.pool.running()));
  AppendOne(families,
            {"toolpost.worker.limit", MetricKind::kGauge, "", "Most workers there can be."},
            static_cast<double>(core.options()->worker_threads));
  MetricFamily pools{"toolpost.db.pool.in_use", MetricKind::kGauge, "",
                     "Database connections in use."};
  MetricFamily limits{"toolpost.db.pool.limit", MetricKind::kGauge, "",
                      "Most database connections there can be."};
  for (const PoolHealth& pool : core.vitals.pools()) {
    pools.samples.push_back(
        {.labels = {{"pool", pool.name}}, .value = static_cast<double>(pool.in_use)});
    limits.samples.push_back(
        {.labels = {{"pool", pool.name}}, .value = static_cast<double>(pool.limit)});
  }
  families.push_back(std::move(pools));
  families.push_back(std::move(limits));
  MetricFamily well{"toolpost.dependency.up", MetricKind::kGauge, "",
                    "1 while a dependency is well, else 0."};
  for (const DependencyHealth& each : core.vitals.dependencies()) {
    well.samples.push_back(
        {.labels = {{"dependency", each.name}}, .value = each.problem.empty() ? 1.0 : 0.0});
  }
  families.push_back(std::move(well));
  families.push_back({"toolpost.build_info",
                      MetricKind::kGauge,
                      "",
                      "What runs; always 1.",
                      {{.labels = {{"version", core.options()->version},
                                   {"commit", std::string(telemetry::BuildCommit())}},
                        .value = 1}}});
}

void AppendExport(MetricFamilies& families, const Core& core) {
  if (!core.exporter) return;
  const auto counts = core.exporter->counts();
  AppendOne(
      families,
      {"toolpost.telemetry.spans.exported", MetricKind::kCounter, "", "Spans the collector took."},
      static_cast<double>(counts.exported));
  AppendOne(families,
            {"toolpost.telemetry.spans.dropped", MetricKind::kCounter, "",
             "Spans lost because the queue was full or the collector refused them."},
            static_cast<double>(counts.dropped));
  AppendOne(families,
            {"toolpost.telemetry.export.failures", MetricKind::kCounter, "",
             "Requests to the collector that failed."},
            static_cast<double>(counts.failures));
  AppendOne(families,
            {"toolpost.telemetry.spans.waiting", MetricKind::kGauge, "",
             "Spans waiting for the collector."},
            static_cast<double>(counts.waiting));
}

}  // namespace

telemetry::MetricFamilies ReadMetrics(const Core& core) {
  MetricFamilies families;
  AppendOperations(families, core);
  AppendRequests(families, core);
  AppendState(families, core);
  AppendExport(families, core);
  core.vitals.AppendMetrics(families);
  telemetry::AppendProcessMetrics(families);
  return families;
}

}  // namespace toolpost::mcp
