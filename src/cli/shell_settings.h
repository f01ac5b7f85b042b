// What the configuration says about commands.
#pragma once

#include "config/config.h"
#include "tools/file/file.h"
#include "tools/shell/shell.h"

namespace toolpost::cli {

// Commands work in the same folders as `files`, and are started by sandbox::Spawner::OfProcess().
tools::shell::ShellServices ShellServicesOf(const config::Config& config,
                                            const tools::file::FileServices& files);

}  // namespace toolpost::cli
