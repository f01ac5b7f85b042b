// toolpost stdio: one client on standard input and output.
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <utility>

#include "cli/built_in_tools.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/parent.h"
#include "cli/reload.h"
#include "cli/settings.h"
#include "cli/telemetry.h"
#include "cli/watched_config.h"
#include "config/file.h"
#include "toolpost/server.h"

namespace toolpost::cli {
namespace {

// Reloads for changes of the file, also those before Begin(), from then until End().
class Reloads {
 public:
  void Ask() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    if (reload_) reload_();
  }
  void Begin(std::function<void()> reload) {
    const std::lock_guard lock(mutex_);
    reload_ = std::move(reload);
    if (asked_) reload_();
  }
  void End() {
    const std::lock_guard lock(mutex_);
    reload_ = nullptr;
  }

 private:
  std::mutex mutex_;
  std::function<void()> reload_;
  bool asked_ = false;
};

}  // namespace

int RunStdio(const Arguments& arguments) {
  EndWithParent();
  signal(SIGPIPE, SIG_IGN);
  Reloads reloads;
  const config::Sources sources = SourcesOf(arguments);
  Result<WatchedConfig> loaded = LoadWatched(
      config::FindFile(sources), [&] { return config::Load(sources); }, [&] { reloads.Ask(); });
  if (!loaded) return Complain(loaded.error(), kConfiguration);
  config::Config& config = loaded->config;
  ApplyLog(config);
  Result<std::unique_ptr<Identity>> identity = Identity::Make(config);
  if (!identity) return Complain(identity.error(), kConfiguration);
  Server server(config::ToServerOptions(config));
  // Requirements D12: on stdio what manages keys and connections is offered only when it is named.
  const auto named = [&toolsets = config.tools.toolsets](std::string_view toolset) {
    return std::ranges::find(toolsets, toolset) != toolsets.end();
  };
  const Management management{.keys = named("keys"), .connections = named("connections")};
  LiveTools live;
  if (Result<void> added = AddBuiltInTools(server, config, **identity, management, &live); !added)
    return ComplainOfStart(added.error());
  // A warning only: what manages the server may be left out here.
  WarnOfUnknownNames(server);
  const char* token = std::getenv("TOOLPOST_TOKEN");
  if (Result<void> known = (*identity)->ForStdio(server, token == nullptr ? "" : token); !known)
    return Complain(known.error(), kConfiguration);
  if (Result<void> exporting = StartExport(server, config); !exporting)
    return Complain(exporting.error(), kConfiguration);
  reloads.Begin([&] { Reload(server, arguments, config, live); });
  const Result<void> served = server.ServeStdio();
  reloads.End();
  return served ? kOk : Complain(served.error(), kFailure);
}

}  // namespace toolpost::cli
