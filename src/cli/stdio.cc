// toolpost stdio: one client on standard input and output.
#include <signal.h>

#include "cli/built_in_tools.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/parent.h"
#include "cli/settings.h"
#include "toolpost/server.h"

namespace toolpost::cli {

int RunStdio(const Arguments& arguments) {
  EndWithParent();
  signal(SIGPIPE, SIG_IGN);
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  ApplyLog(*config);
  Server server(config::ToServerOptions(*config));
  if (Result<void> added = AddBuiltInTools(server); !added)
    return Complain(added.error(), kFailure);
  if (Result<void> served = server.ServeStdio(); !served) return Complain(served.error(), kFailure);
  return kOk;
}

}  // namespace toolpost::cli
