// The tools about the server itself.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "toolpost/server.h"
#include "toolpost/tool.h"

namespace toolpost::tools::system {

// How these tools see the server they run in. The functions are called on the thread of the call
// and must be thread-safe and quick.
struct SystemProbes {
  std::function<Metrics()> metrics;
  // Those the caller may call, in listing order.
  std::function<std::vector<std::shared_ptr<const Tool>>(const Principal&)> tools;
  std::chrono::system_clock::time_point started;
  std::string version;
};

Tool InfoTool(SystemProbes probes);
Tool HealthTool(SystemProbes probes);
Tool ToolsTool(SystemProbes probes);

}  // namespace toolpost::tools::system
