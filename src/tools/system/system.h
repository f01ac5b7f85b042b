// The tools about the server itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "mcp/health_report.h"
#include "sandbox/confinement.h"
#include "toolpost/server.h"
#include "toolpost/tool.h"

namespace toolpost::tools::system {

// How these tools see the server they run in. The functions are called on the thread of the call
// and must be thread-safe and quick.
struct SystemProbes {
  std::function<mcp::HealthReport()> report;
  std::function<void()> reset;  // sets the counts of the report to zero
  // Those the caller may call, in listing order.
  std::function<std::vector<std::shared_ptr<const Tool>>(const Principal&)> tools;
  // How well commands are confined. The first call finds out, which takes some milliseconds; empty:
  // not reported.
  std::function<const sandbox::Confinement&()> confinement;
  // What the caller should look after; empty: nothing is reported.
  std::function<std::vector<std::string>(const Principal&)> warnings;
  std::chrono::system_clock::time_point started;
  std::string version;
};

// `confinement` of system/info and system/health.
struct ConfinementView {
  std::int64_t level = 0;
  std::string description;
  static constexpr auto Fields() {
    return std::tuple{Req("level", &ConfinementView::level, "0 (none) to 4."),
                      Req("description", &ConfinementView::description)};
  }
};
std::optional<ConfinementView> ConfinementOf(const SystemProbes& probes);

Tool InfoTool(SystemProbes probes);
Tool HealthTool(SystemProbes probes);
Tool ResetMetricsTool(SystemProbes probes);
Tool ToolsTool(SystemProbes probes);

}  // namespace toolpost::tools::system
