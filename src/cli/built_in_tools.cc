// Gives the built-in tools their view of the server they run in.
#include "cli/built_in_tools.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "mcp/registry.h"
#include "tools/tools.h"
#include "transport/server_impl.h"

namespace toolpost::cli {

Result<void> AddBuiltInTools(Server& server, const config::Config& /*config*/,
                             const Identity& identity, bool with_keys) {
  tools::Services services;
  if (with_keys) services.keys = identity.key_services();
  tools::system::SystemProbes& probes = services.system;
  probes.metrics = [&server] { return server.GetMetrics(); };
  probes.tools = [&server](const Principal& caller) {
    std::vector<std::shared_ptr<const Tool>> tools;
    for (const auto& registered :
         server.impl().core.registry.All({.credential = caller.credential}))
      tools.emplace_back(registered, &registered->tool);
    return tools;
  };
  probes.started = base::Now();
  probes.version = TOOLPOST_VERSION;
  return tools::RegisterAll([&server](Tool tool) { return server.AddTool(std::move(tool)); },
                            services);
}

}  // namespace toolpost::cli
