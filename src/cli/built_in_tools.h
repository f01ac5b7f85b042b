// Fills a server with the tools of this binary.
#pragma once

#include "cli/identity.h"
#include "config/config.h"
#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::cli {

// Adds every built-in tool. `server` must outlive its own calls, as it does; `identity` must
// outlive the server. `with_keys` false leaves the toolset `keys` out.
Result<void> AddBuiltInTools(Server& server, const config::Config& config, const Identity& identity,
                             bool with_keys = true);

}  // namespace toolpost::cli
