// Services of the shell tool.
#include "cli/shell_settings.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/strings.h"
#include "tools/file/place.h"
#include "tools/web/web.h"

namespace toolpost::cli {
namespace {

// The rules of the web tools, with a list of hosts of their own.
Result<net::FetchOptions> NetworkOf(const config::Config& config,
                                    std::function<std::uint16_t()> listening_port) {
  std::vector<std::string> hosts = config.shell.network_hosts;
  if (std::ranges::find(hosts, "*") != hosts.end()) hosts.clear();
  Result<net::FetchOptions> rules =
      tools::web::MakeOptions(config, hosts, std::move(listening_port));
  if (rules) return rules;
  return Error::InvalidParams(base::StrCat("shell.network_hosts: ", rules.error().message));
}

}  // namespace

Result<tools::shell::ShellServices> ShellServicesOf(const config::Config& config,
                                                    const tools::file::FileServices& files,
                                                    std::function<std::uint16_t()> listening_port) {
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
  if (!shell.network_hosts.empty()) {
    ASSIGN_OR_RETURN(services.network, NetworkOf(config, std::move(listening_port)));
  }
  services.variables = shell.allowed_env;
  if (shell.max_memory > 0) services.limits.memory = shell.max_memory;
  if (shell.max_total_memory > 0) services.limits.total_memory = shell.max_total_memory;
  if (shell.max_processes > 0) services.limits.processes = shell.max_processes;
  if (shell.max_timeout.count() > 0) services.max_timeout = shell.max_timeout;
  services.min_confinement = static_cast<int>(shell.min_confinement);
  return services;
}

}  // namespace toolpost::cli
