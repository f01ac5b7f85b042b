// Fills a server with the tools of this binary.
#pragma once

#include "cli/declared_tools.h"
#include "cli/identity.h"
#include "config/config.h"
#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::cli {

// Adds every built-in tool and those the configuration declares. `server` must outlive its own
// calls, as it does; `identity` must outlive the server. `with_keys` false leaves the toolset
// `keys` out. With `declared` the declared tools can be changed later.
Result<void> AddBuiltInTools(Server& server, const config::Config& config, const Identity& identity,
                             bool with_keys = true, DeclaredTools* declared = nullptr);

}  // namespace toolpost::cli
