// Validate, swap, log what changed.
#include "cli/reload.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "cli/built_in_tools.h"
#include "cli/settings.h"

namespace toolpost::cli {
namespace {

void LogRefusal(const Error& error) {
  base::Log(base::Severity::kError, "configuration not reloaded, the old one stays",
            {{"reason", std::string_view(error.message)}});
}

}  // namespace

void Reload(Server& server, const Arguments& arguments, config::Config& current, LiveTools& live) {
  Result<config::Config> next = LoadConfig(arguments);
  if (!next) return LogRefusal(next.error());
  if (server.http_port() != 0) {
    if (Result<void> bind = config::CheckBind(*next); !bind) return LogRefusal(bind.error());
  }
  const std::vector<config::Change> changes = config::Diff(current, *next);
  auto connections = live.connections->Follow(*next);
  if (!connections) return LogRefusal(connections.error());
  if (Result<void> applied = live.declared.Apply(server, *next); !applied)
    return LogRefusal(applied.error());
  if (Result<void> applied = server.Reconfigure(config::ToServerOptions(*next)); !applied)
    return LogRefusal(applied.error());
  live.connections->Replace(*std::move(connections));
  live.connections->CheckAccounts();
  server.SetAddressLimit(config::ToHttpOptions(*next).address_requests_per_second);
  ApplyLog(*next);
  WarnOfUnknownNames(server);
  for (const config::Change& change : changes) {
    base::Log(base::Severity::kInfo,
              change.live ? "setting changed" : "setting changed, takes effect after a restart",
              {{"setting", std::string_view(change.key)},
               {"before", std::string_view(change.before)},
               {"after", std::string_view(change.after)}});
  }
  base::Log(base::Severity::kInfo, "configuration reloaded",
            {{"changes", static_cast<std::int64_t>(changes.size())}});
  current = *std::move(next);
}

}  // namespace toolpost::cli
