// The one report that system/health, /readyz and whoever else asks are answered from.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "mcp/vitals.h"
#include "telemetry/metric_family.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

struct Core;

// How far the server is.
enum class LifeState { kStarting, kServing, kDraining };

struct Percentiles {
  double p50_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
};

struct ErrorReport {
  std::string type;  // "TIMEOUT": the name of the error code
  std::uint64_t count = 0;
  base::WallTime last{};
  std::string last_request_id;
};

struct ToolReport {
  std::string name;  // canonical
  ToolMetrics metrics;
  Percentiles times;
  std::vector<ErrorReport> errors;
};

struct Readiness {
  // "starting", "healthy", "degraded" (a dependency has a problem), "draining".
  std::string_view state;
  std::vector<DependencyHealth> dependencies{};

  // A server with a problem still serves what does not depend on it.
  bool ready() const { return state == "healthy" || state == "degraded"; }
};

struct HealthReport : Readiness {
  base::WallTime started_at{};
  std::chrono::seconds uptime{};
  std::string version;
  std::size_t active_sessions = 0;
  std::uint64_t requests = 0;
  std::uint64_t successful_requests = 0;
  std::uint64_t failed_requests = 0;
  double success_rate = 1;
  Percentiles times;                // of all tool calls and other requests
  std::vector<ToolReport> tools{};  // that were called
  base::WallTime since{};           // last reset of the counts
  std::size_t running_calls = 0;    // on workers
  std::size_t queued_calls = 0;     // waiting for a worker
  std::vector<PoolHealth> pools{};
  std::vector<TransportHealth> transports{};
};

Readiness ReportReadiness(const Core& core);

// Quick: counters are read, nothing is asked of anybody.
HealthReport ReportHealth(const Core& core);
// The metrics of the server, for Prometheus and OTLP.
telemetry::MetricFamilies ReadMetrics(const Core& core);

}  // namespace toolpost::mcp
