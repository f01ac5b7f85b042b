// The state of the core in one value.
#include "mcp/health_report.h"

#include <algorithm>

#include "mcp/core.h"

namespace toolpost::mcp {
namespace {

Percentiles PercentilesOf(const Times& times) {
  constexpr double kMilliseconds = 1e3;
  return {times.Quantile(0.50) * kMilliseconds, times.Quantile(0.95) * kMilliseconds,
          times.Quantile(0.99) * kMilliseconds};
}

std::vector<ErrorReport> ErrorsOf(const OperationCounters::Reading& reading) {
  std::vector<ErrorReport> errors;
  for (const OperationCounters::Failure& failure : reading.failures) {
    const std::string_view type = failure.ending.name();
    const base::WallTime last = failure.last.value_or(base::WallTime());
    // The same code as a result and as an answer of the protocol stand side by side.
    if (errors.empty() || errors.back().type != type)
      errors.push_back({.type = std::string(type), .last_request_id = {}});
    ErrorReport& error = errors.back();
    error.count += failure.times.count();
    if (last >= error.last) {
      error.last = last;
      error.last_request_id = failure.last_request_id;
    }
  }
  return errors;
}

std::string_view StateOf(LifeState life, const std::vector<DependencyHealth>& dependencies) {
  if (life == LifeState::kStarting) return "starting";
  if (life == LifeState::kDraining) return "draining";
  const bool well = std::ranges::all_of(
      dependencies, [](const DependencyHealth& each) { return each.problem.empty(); });
  return well ? "healthy" : "degraded";
}

}  // namespace

Readiness ReportReadiness(const Core& core) {
  Readiness readiness;
  readiness.dependencies = core.vitals.dependencies();
  readiness.state = StateOf(core.life.load(), readiness.dependencies);
  return readiness;
}

HealthReport ReportHealth(const Core& core) {
  HealthReport report;
  static_cast<Readiness&>(report) = ReportReadiness(core);
  report.started_at = core.started;
  report.uptime = std::chrono::duration_cast<std::chrono::seconds>(base::Now() - core.started);
  report.version = core.options()->version;
  report.active_sessions = core.sessions.size();
  report.requests = core.requests.total();
  report.failed_requests = std::min(core.requests.failed(), report.requests);
  report.successful_requests = report.requests - report.failed_requests;
  if (report.requests != 0) {
    report.success_rate =
        static_cast<double>(report.successful_requests) / static_cast<double>(report.requests);
  }
  Times all;
  for (auto& [name, reading] : core.registry.ReadCounters()) {
    const Times times = reading.all();
    report.tools.push_back(
        {std::move(name), ToMetrics(reading), PercentilesOf(times), ErrorsOf(reading)});
    all.Add(times);
  }
  for (const RequestCounters::Method& method : core.requests.Methods())
    all.Add(method.reading.all());
  report.times = PercentilesOf(all);
  report.since = core.registry.counting_since();
  report.running_calls = core.pool.running();
  report.queued_calls = core.pool.queued();
  report.pools = core.vitals.pools();
  report.transports = core.vitals.transports();
  return report;
}

}  // namespace toolpost::mcp
