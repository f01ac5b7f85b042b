// Fills a server with the tools of this binary.
#pragma once

#include <memory>

#include "cli/declared_tools.h"
#include "cli/identity.h"
#include "config/config.h"
#include "toolpost/result.h"
#include "toolpost/server.h"
#include "tools/database/connections.h"

namespace toolpost::cli {

// Toolsets that manage this server itself.
struct Management {
  bool keys = true;
  bool connections = true;
};

// What follows the configuration while it changes.
struct LiveTools {
  DeclaredTools declared;
  std::shared_ptr<tools::database::Connections> connections;
};

// Adds every built-in tool and those the configuration declares. `server` must outlive its own
// calls, as it does; `identity` must outlive the server. With `live` some can be changed later.
Result<void> AddBuiltInTools(Server& server, const config::Config& config, const Identity& identity,
                             Management management = {}, LiveTools* live = nullptr);

// Logs a warning if the configuration selects or excludes a tool or toolset that is not there.
void WarnOfUnknownNames(Server& server);

}  // namespace toolpost::cli
