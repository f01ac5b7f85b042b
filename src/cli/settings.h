// The configuration as the command line sees it: every option of config/options.h as a flag, and
// loading from what was given.
#pragma once

#include <span>

#include "base/log.h"
#include "cli/command_line.h"
#include "config/config.h"
#include "toolpost/result.h"

namespace toolpost::cli {

// `--config FILE` and one flag per option. Lives as long as the process.
std::span<const Flag> SettingFlags();
// The same with defaults and choices in their texts, for the help.
std::span<const Flag> DocumentedSettingFlags();

// What the command line and the environment of this process say.
config::Sources SourcesOf(const Arguments& arguments);

// Defaults < file < environment of this process < flags.
Result<config::Config> LoadConfig(const Arguments& arguments);

// Sets level and format of the process log. `quiet` is for commands whose output is the point: only
// warnings unless a level was asked for. Logs the configuration's own warnings.
void ApplyLog(const config::Config& config, bool quiet = false);

}  // namespace toolpost::cli
