// From settings to exporter and listener.
#include "cli/telemetry.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "config/telemetry_settings.h"
#include "mcp/health_report.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

Result<telemetry::Resource> ResourceOf(const config::Config& config) {
  const auto& given = config.telemetry.resource_attributes;
  ASSIGN_OR_RETURN(auto pairs, config::ParsePairs({given.begin(), given.end()}));
  telemetry::Resource resource;
  resource.attributes = {{"service.name", config.telemetry.service_name},
                         {"service.version", TOOLPOST_VERSION}};
  for (auto& pair : pairs) {
    if (pair.first != "service.name") resource.attributes.push_back(std::move(pair));
  }
  return resource;
}

std::string WithoutSlash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

void AddDatabaseVitals(mcp::Vitals& vitals,
                       const std::shared_ptr<const tools::database::Connections>& connections) {
  vitals.AddPools([connections] {
    std::vector<mcp::PoolHealth> pools;
    const auto all = connections->all();
    for (const auto& each : *all) {
      if (!each->database) continue;
      const db::DatabaseStatus status = each->database->Status();
      pools.push_back({each->name, status.open, status.busy, status.limit, each->name});
    }
    return pools;
  });
  vitals.AddDependencies([connections] {
    std::vector<mcp::DependencyHealth> found;
    const auto all = connections->all();
    for (const auto& each : *all) {
      found.push_back({base::StrCat("database ", each->name),
                       each->database ? each->database->Status().problem : each->problem.message,
                       each->name});
    }
    return found;
  });
}

void AddSqlServerVitals(mcp::Vitals& vitals,
                        const std::shared_ptr<const tools::mssql::Connections>& connections) {
  vitals.AddPools([connections] {
    std::vector<mcp::PoolHealth> pools;
    for (const auto& [name, status] : connections->Pools())
      pools.push_back({base::StrCat("mssql ", name), status.open, status.busy, status.limit, name});
    return pools;
  });
}

Result<void> StartExport(Server& server, const config::Config& config) {
  if (config.telemetry.endpoint.empty()) return {};
  telemetry::OtlpOptions options;
  options.endpoint = WithoutSlash(config.telemetry.endpoint);
  ASSIGN_OR_RETURN(options.headers, config::ParsePairs(base::Split(config.telemetry.headers, ',')));
  ASSIGN_OR_RETURN(options.resource, ResourceOf(config));
  ASSIGN_OR_RETURN(options.sampling, config::ParseShare(config.telemetry.sampling));
  options.queue = config.telemetry.queue;
  options.interval = config.telemetry.interval;
  mcp::Core& core = server.impl().core;
  core.exporter = std::make_shared<telemetry::OtlpExporter>(std::move(options));
  core.vitals.AddDependencies([exporter = core.exporter] {
    return std::vector<mcp::DependencyHealth>{{"collector", exporter->counts().problem}};
  });
  if (config.metrics.enabled)
    core.exporter->Start(
        [&core] { return std::pair(mcp::ReadMetrics(core), core.registry.counting_since()); });
  return {};
}

Result<void> StartMetricsListener(Server& server, const config::Config& config) {
  if (config.metrics.listen.empty()) return {};
  ASSIGN_OR_RETURN(const auto address, config::ParseListen(config.metrics.listen));
  Server::Impl& impl = server.impl();
  auto listener = std::make_unique<transport::MetricsListener>(impl.core, address.host,
                                                               address.port, impl.http_identity);
  RETURN_IF_ERROR(listener->Start());
  impl.metrics = std::move(listener);
  return {};
}

}  // namespace toolpost::cli
