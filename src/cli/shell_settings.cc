// Services of the shell tool.
#include "cli/shell_settings.h"

#include <algorithm>
#include <memory>

#include "tools/file/place.h"

namespace toolpost::cli {

tools::shell::ShellServices ShellServicesOf(const config::Config& config,
                                            const tools::file::FileServices& files) {
  const config::Config::Shell& shell = config.shell;
  tools::shell::ShellServices services;
  services.roots = [files](CallContext& context) { return tools::file::RootsOf(files, context); };
  services.spawner = sandbox::Spawner::OfProcess();
  services.confinement = std::make_shared<sandbox::ConfinementProbe>(services.spawner);
  services.slots = std::make_shared<tools::shell::RunSlots>(tools::shell::RunSlots::Limits{
      .running = std::max<std::size_t>(1, shell.concurrent),
      .per_user = std::max<std::size_t>(1, shell.concurrent_per_user),
      .waiting = shell.queue});
  services.policy.allowed = shell.allowed_commands;
  services.variables = shell.allowed_env;
  if (shell.max_memory > 0) services.limits.memory = shell.max_memory;
  if (shell.max_processes > 0) services.limits.processes = shell.max_processes;
  if (shell.max_timeout.count() > 0) services.max_timeout = shell.max_timeout;
  services.min_confinement = static_cast<int>(shell.min_confinement);
  return services;
}

}  // namespace toolpost::cli
