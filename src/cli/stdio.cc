// toolpost stdio: one client on standard input and output.
#include <signal.h>

#include <algorithm>
#include <cstdlib>

#include "cli/built_in_tools.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/parent.h"
#include "cli/settings.h"
#include "cli/telemetry.h"
#include "toolpost/server.h"

namespace toolpost::cli {

int RunStdio(const Arguments& arguments) {
  EndWithParent();
  signal(SIGPIPE, SIG_IGN);
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  ApplyLog(*config);
  Result<std::unique_ptr<Identity>> identity = Identity::Make(*config);
  if (!identity) return Complain(identity.error(), kConfiguration);
  Server server(config::ToServerOptions(*config));
  // Requirements D12: on stdio what manages keys and connections is offered only when it is named.
  const auto named = [&toolsets = config->tools.toolsets](std::string_view toolset) {
    return std::ranges::find(toolsets, toolset) != toolsets.end();
  };
  const Management management{.keys = named("keys"), .connections = named("connections")};
  if (Result<void> added = AddBuiltInTools(server, *config, **identity, management); !added)
    return Complain(added.error(), kFailure);
  // A warning only: what manages the server may be left out here.
  WarnOfUnknownNames(server);
  const char* token = std::getenv("TOOLPOST_TOKEN");
  if (Result<void> known = (*identity)->ForStdio(server, token == nullptr ? "" : token); !known)
    return Complain(known.error(), kConfiguration);
  if (Result<void> exporting = StartExport(server, *config); !exporting)
    return Complain(exporting.error(), kConfiguration);
  if (Result<void> served = server.ServeStdio(); !served) return Complain(served.error(), kFailure);
  return kOk;
}

}  // namespace toolpost::cli
