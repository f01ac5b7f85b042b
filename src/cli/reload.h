// Takes over a changed configuration while serving.
#pragma once

#include "cli/built_in_tools.h"
#include "cli/command_line.h"
#include "config/config.h"
#include "toolpost/server.h"

namespace toolpost::cli {

// Loads the configuration again, checks it, and only then applies it: what can change at run time
// changes at once, the rest is logged as waiting for a restart. Every changed key is logged with
// both values. A configuration with a mistake changes nothing and is logged with the reason.
// `current` becomes what was taken over. Declared tools and connections come and go with it.
void Reload(Server& server, const Arguments& arguments, config::Config& current, LiveTools& live);

}  // namespace toolpost::cli
