// Watch first, then load.
#include "cli/watched_config.h"

#include <utility>

#include "base/strings.h"

namespace toolpost::cli {

Result<WatchedConfig> LoadWatched(const std::string& file,
                                  const std::function<Result<config::Config>()>& load,
                                  std::function<void()> changed) {
  WatchedConfig loaded;
  std::string warning;
  if (!file.empty()) {
    auto watch = config::FileWatch::Start(file, std::move(changed));
    if (watch) {
      loaded.watch = *std::move(watch);
    } else {
      warning = base::StrCat(
          "changes of the configuration file go unnoticed; restart after one, or send "
          "SIGHUP to toolpost serve: ",
          watch.error().message);
    }
  }
  ASSIGN_OR_RETURN(loaded.config, load());
  if (!warning.empty()) loaded.config.warnings.push_back(std::move(warning));
  return loaded;
}

}  // namespace toolpost::cli
