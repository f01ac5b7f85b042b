// Fills a server with the tools of this binary.
#pragma once

#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::cli {

// Adds every built-in tool. `server` must outlive its own calls, as it does.
Result<void> AddBuiltInTools(Server& server);

}  // namespace toolpost::cli
