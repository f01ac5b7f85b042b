// toolpost serve: HTTP until told to stop.
#include <signal.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "base/log.h"
#include "base/strings.h"
#include "cli/built_in_tools.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/reload.h"
#include "cli/settings.h"
#include "config/watch.h"
#include "toolpost/server.h"

namespace toolpost::cli {
namespace {

// Signals the main thread waits for. Blocked before any thread exists, so that no other one ever
// takes them.
sigset_t AwaitedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  return signals;
}

std::string UrlOf(const HttpOptions& options, std::uint16_t port) {
  const std::string& host = options.hosts.front();
  const bool ipv6 = host.find(':') != std::string::npos;
  return base::StrCat("http://", ipv6 ? "[" : "", host, ipv6 ? "]" : "", ":", port, "/mcp");
}

// A changed file is treated as SIGHUP is, on the same thread.
std::unique_ptr<config::FileWatch> WatchFile(const std::string& file) {
  if (file.empty()) return nullptr;
  auto watch = config::FileWatch::Start(file, [] { kill(getpid(), SIGHUP); });
  if (watch) return *std::move(watch);
  base::Log(base::Severity::kWarning,
            "changes of the configuration file go unnoticed; send SIGHUP after one",
            {{"reason", std::string_view(watch.error().message)}});
  return nullptr;
}

void WaitForEnd(Server& server, const Arguments& arguments, config::Config config,
                const sigset_t& signals) {
  const std::unique_ptr<config::FileWatch> watch = WatchFile(config.file);
  for (;;) {
    int number = 0;
    if (sigwait(&signals, &number) != 0) continue;
    if (number != SIGHUP) {
      base::Log(base::Severity::kInfo, "stopping",
                {{"signal", std::string_view(number == SIGINT ? "SIGINT" : "SIGTERM")}});
      return;
    }
    Reload(server, arguments, config);
  }
}

}  // namespace

int RunServe(const Arguments& arguments) {
  signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = AwaitedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  if (Result<void> bind = config::CheckBind(*config); !bind)
    return Complain(bind.error(), kConfiguration);
  ApplyLog(*config);
  Server server(config::ToServerOptions(*config));
  if (Result<void> added = AddBuiltInTools(server); !added)
    return Complain(added.error(), kFailure);
  const HttpOptions http = config::ToHttpOptions(*config);
  if (Result<void> started = server.StartHttp(http); !started)
    return Complain(started.error(), kConfiguration);
  std::cerr << "toolpost " TOOLPOST_VERSION " is listening on " << UrlOf(http, server.http_port())
            << std::endl;

  WaitForEnd(server, arguments, *std::move(config), signals);
  // From here on a second Ctrl-C ends the process at once.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  server.Stop();
  return kOk;
}

}  // namespace toolpost::cli
