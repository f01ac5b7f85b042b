// toolpost tools: the tool list for people, for a token budget, for docs/tools.md and for tRPC.
#include <iostream>

#include "api/trpc_types.h"
#include "cli/built_in_tools.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/settings.h"
#include "cli/tool_tables.h"
#include "toolpost/server.h"
#include "transport/server_impl.h"

namespace toolpost::cli {

int RunTools(const Arguments& arguments) {
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  ApplyLog(*config, /*quiet=*/true);
  ServerOptions options = config::ToServerOptions(*config);
  if (arguments.Has("toolset")) options.toolsets = {std::string(arguments.Get("toolset"))};
  Result<std::unique_ptr<Identity>> identity = Identity::Make(*config);
  if (!identity) return Complain(identity.error(), kConfiguration);
  Server server(options);
  if (Result<void> added = AddBuiltInTools(server, *config, **identity); !added)
    return ComplainOfStart(added.error());

  const std::vector<ListedTool> tools = ListedTools(server);
  if (tools.empty())
    return Complain(Error::NotFound("No tool matches. Run `toolpost tools` for all of them."),
                    kUsage);
  if (arguments.Has("types")) {
    std::cout << api::TrpcTypes(server.impl().core.registry, {});
  } else if (arguments.Has("tokens")) {
    std::cout << TokenTable(tools);
  } else if (arguments.Has("markdown")) {
    std::cout << ToolsMarkdown(tools);
  } else {
    std::cout << ToolList(tools);
  }
  return kOk;
}

}  // namespace toolpost::cli
