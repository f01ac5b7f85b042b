// Gives the built-in tools their view of the server they run in.
#include "cli/built_in_tools.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "cli/file_settings.h"
#include "cli/mssql_settings.h"
#include "cli/shell_settings.h"
#include "cli/telemetry.h"
#include "config/bind.h"
#include "mcp/registry.h"
#include "tools/tools.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

// Whether other machines can call, from when the server listens.
std::function<bool()> OnNetwork(Server& server, const config::Config& config) {
  const bool open = !std::ranges::all_of(config.http.host, config::IsLoopback);
  return [&server, open] { return open && server.http_port() != 0; };
}

Result<void> AddDatabaseResources(Server& server,
                                  const tools::database::DatabaseServices& services) {
  return tools::database::AddResources(
      {[&server](ResourceInfo info, ResourceReader reader, Completer completer) {
         return server.AddResourceTemplate(std::move(info), std::move(reader),
                                           std::move(completer));
       },
       [&server](ResourceInfo info, mcp::LongReader reader) {
         return server.impl().core.catalog.AddLongTemplate(std::move(info), std::move(reader));
       }},
      services);
}

Result<void> AddTodoResources(Server& server, const tools::todo::TodoServices& services) {
  return tools::todo::AddResourceAndPrompts(
      {[&server](ResourceInfo info, ResourceReader reader) {
         return server.AddResource(std::move(info), std::move(reader));
       },
       [&server](PromptInfo info, PromptHandler handler) {
         return server.AddPrompt(std::move(info), std::move(handler));
       }},
      services);
}

}  // namespace

Result<void> AddBuiltInTools(Server& server, const config::Config& config, const Identity& identity,
                             Management management, LiveTools* live) {
  tools::Services services;
  if (management.keys) services.keys = identity.key_services();
  ASSIGN_OR_RETURN(services.file, tools::file::MakeServices(FileOptionsOf(config)));
  const auto listening_port = [&server] { return server.http_port(); };
  ASSIGN_OR_RETURN(services.web, tools::web::MakeServices(config, listening_port));
  ASSIGN_OR_RETURN(services.shell, ShellServicesOf(config, *services.file, listening_port));
  services.todo = identity.todo_services();
  ASSIGN_OR_RETURN(services.database,
                   tools::database::MakeServices(config, OnNetwork(server, config)));
  RETURN_IF_ERROR(CheckConnectionString(config));
  ASSIGN_OR_RETURN(services.mssql,
                   tools::mssql::MakeServices(config, identity.vault(), SqlServersOf(config),
                                              OnNetwork(server, config)));
  services.mssql->manages = management.connections;
  if (config.limits.result_chars > 0)
    services.todo->page_chars = config.limits.result_chars * 4 / 5;
  services.todo->changed = [&server](const std::string& user) {
    server.ResourceUpdated(tools::todo::kTasksUri, user);
  };
  tools::system::SystemProbes& probes = services.system;
  probes.report = [&server] { return mcp::ReportHealth(server.impl().core); };
  probes.reset = [&server] { server.ResetMetrics(); };
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
  probes.warnings = [connections = services.database->connections](const Principal& caller) {
    return connections->Warnings(caller);
  };
  AddDatabaseVitals(server.impl().core.vitals, services.database->connections);
  AddSqlServerVitals(server.impl().core.vitals, services.mssql->connections);
  probes.started = server.impl().core.started;
  probes.version = TOOLPOST_VERSION;
  RETURN_IF_ERROR(tools::RegisterAll(
      [&server](Tool&& tool) { return server.AddTool(std::move(tool)); }, services));
  RETURN_IF_ERROR(AddTodoResources(server, *services.todo));
  RETURN_IF_ERROR(AddFileResources(server, *services.file));
  RETURN_IF_ERROR(AddDatabaseResources(server, *services.database));
  LiveTools own;
  LiveTools& following = live != nullptr ? *live : own;
  following.connections = services.database->connections;
  following.declared.Use(*services.database);
  return following.declared.Apply(server, config);
}

void WarnOfUnknownNames(Server& server) {
  const Result<void> named = server.impl().core.registry.CheckNames();
  if (named) return;
  base::Log(base::Severity::kWarning, "the selection of tools names what is not there",
            {{"reason", std::string_view(named.error().message)}});
}

}  // namespace toolpost::cli
