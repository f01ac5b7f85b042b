// The configuration as the file and shell tools see it.
#pragma once

#include "config/config.h"
#include "toolpost/server.h"
#include "tools/file/file.h"

namespace toolpost::cli {

// Roots, limits, and what of our own lies where tools must not reach: the state directory, the
// configuration (also one that would be found at the next start) and the key files it names.
tools::file::FileOptions FileOptionsOf(const config::Config& config);

// Offers files as resources, unless file/read is not among the tools of the server.
Result<void> AddFileResources(Server& server, const tools::file::FileServices& services);

}  // namespace toolpost::cli
