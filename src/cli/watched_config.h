// The first load of a configuration that is to follow its file.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "config/config.h"
#include "config/watch.h"
#include "toolpost/result.h"

namespace toolpost::cli {

struct WatchedConfig {
  config::Config config;
  std::unique_ptr<config::FileWatch> watch;  // null: no file, or it cannot be watched
};

// Watches `file` (empty: nothing), then calls `load`: an edit made while it reads or later reaches
// `changed`, on the thread of the watch, possibly before this returns. A file that cannot be
// watched is one more warning of the configuration. Fails as `load` does.
Result<WatchedConfig> LoadWatched(const std::string& file,
                                  const std::function<Result<config::Config>()>& load,
                                  std::function<void()> changed);

}  // namespace toolpost::cli
