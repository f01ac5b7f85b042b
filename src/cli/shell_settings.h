// What the configuration says about commands.
#pragma once

#include <cstdint>
#include <functional>

#include "config/config.h"
#include "tools/file/file.h"
#include "tools/shell/shell.h"

namespace toolpost::cli {

// Commands work in the same folders as `files`, and are started by sandbox::Spawner::OfProcess().
// `listening_port` as for tools::web::MakeServices. Code::kInvalidArgument names the setting that
// cannot be read.
Result<tools::shell::ShellServices> ShellServicesOf(const config::Config& config,
                                                    const tools::file::FileServices& files,
                                                    std::function<std::uint16_t()> listening_port);

}  // namespace toolpost::cli
