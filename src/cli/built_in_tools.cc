// Gives the built-in tools their view of the server they run in.
#include "cli/built_in_tools.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/file_settings.h"
#include "cli/shell_settings.h"
#include "mcp/registry.h"
#include "tools/tools.h"
#include "transport/server_impl.h"

namespace toolpost::cli {

Result<void> AddBuiltInTools(Server& server, const config::Config& config, const Identity& identity,
                             bool with_keys) {
  tools::Services services;
  if (with_keys) services.keys = identity.key_services();
  ASSIGN_OR_RETURN(services.file, tools::file::MakeServices(FileOptionsOf(config)));
  services.shell = ShellServicesOf(config, *services.file);
  ASSIGN_OR_RETURN(services.web,
                   tools::web::MakeServices(config, [&server] { return server.http_port(); }));
  services.todo = identity.todo_services();
  RETURN_IF_ERROR(tools::todo::AddResourceAndPrompts(
      {[&server](ResourceInfo info, ResourceReader reader) {
         return server.AddResource(std::move(info), std::move(reader));
       },
       [&server](PromptInfo info, PromptHandler handler) {
         return server.AddPrompt(std::move(info), std::move(handler));
       }},
      *services.todo));
  tools::system::SystemProbes& probes = services.system;
  probes.metrics = [&server] { return server.GetMetrics(); };
  probes.tools = [&server](const Principal& caller) {
    std::vector<std::shared_ptr<const Tool>> tools;
    for (const auto& registered :
         server.impl().core.registry.All({.credential = caller.credential}))
      tools.emplace_back(registered, &registered->tool);
    return tools;
  };
  probes.confinement = [probe = services.shell->confinement]() -> const sandbox::Confinement& {
    return probe->Get();
  };
  probes.started = base::Now();
  probes.version = TOOLPOST_VERSION;
  RETURN_IF_ERROR(tools::RegisterAll(
      [&server](Tool tool) { return server.AddTool(std::move(tool)); }, services));
  return AddFileResources(server, *services.file);
}

}  // namespace toolpost::cli
