// system/health: is the server well, and what has it done.
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

struct ToolUse {
  std::string name;
  std::int64_t total = 0;
  std::int64_t successful = 0;
  std::int64_t failed = 0;
  double average_ms = 0;
  std::optional<std::string> last_invoked;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &ToolUse::name),
                      Req("totalInvocations", &ToolUse::total),
                      Req("successfulInvocations", &ToolUse::successful),
                      Req("failedInvocations", &ToolUse::failed),
                      Req("averageExecutionTime", &ToolUse::average_ms, "Milliseconds."),
                      Opt("lastInvoked", &ToolUse::last_invoked)};
  }
};

struct Health {
  std::string status = "healthy";
  std::int64_t uptime_seconds = 0;
  std::int64_t sessions = 0;
  Requests requests;
  double success_rate = 1;
  std::vector<ToolUse> tools;
  std::string since;
  std::optional<ConfinementView> confinement;
  std::optional<std::vector<std::string>> warnings;
  static constexpr auto Fields() {
    return std::tuple{Req("status", &Health::status),
                      Req("uptimeSeconds", &Health::uptime_seconds),
                      Req("sessions", &Health::sessions),
                      Req("requests", &Health::requests),
                      Req("successRate", &Health::success_rate, "0 to 1."),
                      Req("tools", &Health::tools, "Tools that were called."),
                      Req("since", &Health::since, "Start of the counts."),
                      Opt("confinement", &Health::confinement, "Of commands."),
                      Opt("warnings", &Health::warnings, "What to look after.")};
  }
};

ToolUse UseOf(const std::string& name, const ToolMetrics& metrics) {
  ToolUse use;
  use.name = name;
  use.total = static_cast<std::int64_t>(metrics.total_invocations);
  use.successful = static_cast<std::int64_t>(metrics.successful_invocations);
  use.failed = static_cast<std::int64_t>(metrics.failed_invocations);
  use.average_ms = metrics.average_execution_ms;
  if (metrics.last_invoked) use.last_invoked = base::ToIso8601(*metrics.last_invoked);
  return use;
}

Result<Health> Read(const SystemProbes& probes) {
  const Metrics metrics = probes.metrics();
  Health health;
  health.uptime_seconds =
      std::chrono::duration_cast<std::chrono::seconds>(base::Now() - probes.started).count();
  health.sessions = static_cast<std::int64_t>(metrics.active_sessions);
  health.requests = {static_cast<std::int64_t>(metrics.requests),
                     static_cast<std::int64_t>(metrics.successful_requests),
                     static_cast<std::int64_t>(metrics.failed_requests)};
  if (metrics.requests != 0) {
    health.success_rate =
        static_cast<double>(metrics.successful_requests) / static_cast<double>(metrics.requests);
  }
  for (const auto& [name, tool] : metrics.tools) {
    if (tool.total_invocations != 0) health.tools.push_back(UseOf(name, tool));
  }
  health.since = base::ToIso8601(metrics.since);
  health.confinement = ConfinementOf(probes);
  std::vector<std::string> warnings =
      probes.warnings ? probes.warnings() : std::vector<std::string>();
  if (!warnings.empty()) health.warnings = std::move(warnings);
  return health;
}

}  // namespace

Tool HealthTool(SystemProbes probes) {
  return MakeTool<Args, Health>(
      {.name = "system/health",
       .title = "Server health",
       .description = "Health of this server: uptime, open sessions, request totals and how often "
                      "each tool was called.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false},
       .run = Run::kInline},
      [probes = std::move(probes)](const Args&, CallContext&) { return Read(probes); });
}

}  // namespace toolpost::tools::system
