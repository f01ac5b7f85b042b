// system/health: is the server well, and what has it done.
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "auth/policy.h"
#include "base/clock.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

struct Args {
  static constexpr auto Fields() { return std::tuple{}; }
};

struct Requests {
  std::int64_t total = 0;
  std::int64_t successful = 0;
  std::int64_t failed = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("total", &Requests::total), Req("successful", &Requests::successful),
                      Req("failed", &Requests::failed)};
  }
};

struct Latency {
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("p50", &Latency::p50), Req("p95", &Latency::p95),
                      Req("p99", &Latency::p99)};
  }
};

struct ErrorUse {
  std::string type;
  std::int64_t count = 0;
  std::string last_at;
  std::string last_request;
  static constexpr auto Fields() {
    return std::tuple{Req("type", &ErrorUse::type), Req("count", &ErrorUse::count),
                      Req("lastAt", &ErrorUse::last_at),
                      Req("lastRequestId", &ErrorUse::last_request)};
  }
};

struct ToolUse {
  std::string name;
  std::int64_t total = 0;
  std::int64_t successful = 0;
  std::int64_t failed = 0;
  double average_ms = 0;
  Latency latency;
  std::optional<std::string> last_invoked;
  std::optional<std::vector<ErrorUse>> errors;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &ToolUse::name),
                      Req("totalInvocations", &ToolUse::total),
                      Req("successfulInvocations", &ToolUse::successful),
                      Req("failedInvocations", &ToolUse::failed),
                      Req("averageExecutionTime", &ToolUse::average_ms, "Milliseconds."),
                      Req("latencyMs", &ToolUse::latency),
                      Opt("lastInvoked", &ToolUse::last_invoked),
                      Opt("errors", &ToolUse::errors)};
  }
};

struct Queue {
  std::int64_t running = 0;
  std::int64_t waiting = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("running", &Queue::running), Req("waiting", &Queue::waiting)};
  }
};

struct PoolUse {
  std::string name;
  std::int64_t open = 0;
  std::int64_t in_use = 0;
  std::int64_t limit = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &PoolUse::name), Req("open", &PoolUse::open),
                      Req("inUse", &PoolUse::in_use), Req("limit", &PoolUse::limit)};
  }
};

struct TransportUse {
  std::string name;
  std::string state;
  std::int64_t connections = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &TransportUse::name), Req("state", &TransportUse::state),
                      Req("connections", &TransportUse::connections)};
  }
};

struct Check {
  std::string name;
  bool ok = true;
  std::optional<std::string> problem;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &Check::name), Req("ok", &Check::ok),
                      Opt("problem", &Check::problem, "For administrators.")};
  }
};

struct Health {
  std::string status;
  std::string version;
  std::string started_at;
  std::int64_t uptime_seconds = 0;
  std::int64_t sessions = 0;
  Requests requests;
  double success_rate = 1;
  Latency latency;
  std::vector<ToolUse> tools;
  std::string since;
  Queue queue;
  std::vector<PoolUse> pools;
  std::vector<TransportUse> transports;
  std::vector<Check> checks;
  std::optional<ConfinementView> confinement;
  std::optional<std::vector<std::string>> warnings;
  static constexpr auto Fields() {
    return std::tuple{Req("status", &Health::status, "starting, healthy, degraded or draining."),
                      Req("version", &Health::version),
                      Req("startedAt", &Health::started_at),
                      Req("uptimeSeconds", &Health::uptime_seconds),
                      Req("sessions", &Health::sessions),
                      Req("requests", &Health::requests),
                      Req("successRate", &Health::success_rate, "0 to 1."),
                      Req("latencyMs", &Health::latency),
                      Req("tools", &Health::tools, "Tools that were called."),
                      Req("since", &Health::since, "Start of the counts."),
                      Req("queue", &Health::queue, "Calls on worker threads."),
                      Req("pools", &Health::pools, "Database connections."),
                      Req("transports", &Health::transports),
                      Req("checks", &Health::checks, "What the server depends on."),
                      Opt("confinement", &Health::confinement, "Of commands."),
                      Opt("warnings", &Health::warnings, "What to look after.")};
  }
};

std::int64_t Whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

Latency LatencyOf(const mcp::Percentiles& times) {
  return {times.p50_ms, times.p95_ms, times.p99_ms};
}

ToolUse UseOf(const mcp::ToolReport& tool) {
  ToolUse use;
  use.name = tool.name;
  use.total = Whole(tool.metrics.total_invocations);
  use.successful = Whole(tool.metrics.successful_invocations);
  use.failed = Whole(tool.metrics.failed_invocations);
  use.average_ms = tool.metrics.average_execution_ms;
  use.latency = LatencyOf(tool.times);
  if (tool.metrics.last_invoked) use.last_invoked = base::ToIso8601(*tool.metrics.last_invoked);
  if (tool.errors.empty()) return use;
  use.errors.emplace();
  for (const mcp::ErrorReport& error : tool.errors) {
    use.errors->push_back(
        {error.type, Whole(error.count), base::ToIso8601(error.last), error.last_request_id});
  }
  return use;
}

// Which connections there are is for those who may use them.
bool MayKnowOf(const Principal& caller, const std::string& connection) {
  return connection.empty() || !auth::ConnectionRefusal(caller, connection);
}

void AddSurroundings(Health& health, const mcp::HealthReport& report, const Principal& caller) {
  const bool explain = auth::IsAdministrator(caller);
  health.queue = {Whole(report.running_calls), Whole(report.queued_calls)};
  for (const mcp::PoolHealth& pool : report.pools) {
    if (MayKnowOf(caller, pool.connection))
      health.pools.push_back({pool.name, pool.open, pool.in_use, pool.limit});
  }
  for (const mcp::TransportHealth& transport : report.transports)
    health.transports.push_back({transport.name, transport.state, transport.connections});
  for (const mcp::DependencyHealth& each : report.dependencies) {
    if (!MayKnowOf(caller, each.connection)) continue;
    Check check{each.name, each.problem.empty(), {}};
    if (explain && !check.ok) check.problem = each.problem;
    health.checks.push_back(std::move(check));
  }
}

Result<Health> Read(const SystemProbes& probes, const Principal& caller) {
  const mcp::HealthReport report = probes.report();
  Health health;
  health.status = report.state;
  health.version = report.version;
  health.started_at = base::ToIso8601(report.started_at);
  health.uptime_seconds = report.uptime.count();
  health.sessions = Whole(report.active_sessions);
  health.requests = {Whole(report.requests), Whole(report.successful_requests),
                     Whole(report.failed_requests)};
  health.success_rate = report.success_rate;
  health.latency = LatencyOf(report.times);
  for (const mcp::ToolReport& tool : report.tools) health.tools.push_back(UseOf(tool));
  health.since = base::ToIso8601(report.since);
  AddSurroundings(health, report, caller);
  health.confinement = ConfinementOf(probes);
  std::vector<std::string> warnings =
      probes.warnings ? probes.warnings(caller) : std::vector<std::string>();
  if (!warnings.empty()) health.warnings = std::move(warnings);
  return health;
}

}  // namespace

Tool HealthTool(SystemProbes probes) {
  return MakeTool<Args, Health>(
      {.name = "system/health",
       .title = "Server health",
       .description = "Health of this server: uptime, open sessions, request totals, latencies, "
                      "how often each tool was called and failed, and what it depends on.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false},
       .run = Run::kInline},
      [probes = std::move(probes)](const Args&, CallContext& context) {
        return Read(probes, context.principal());
      });
}

}  // namespace toolpost::tools::system
