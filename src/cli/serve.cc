// toolpost serve: HTTP until told to stop.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include "base/log.h"
#include "base/quiet_thread.h"
#include "base/strings.h"
#include "cli/built_in_tools.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/reload.h"
#include "cli/settings.h"
#include "cli/telemetry.h"
#include "cli/watched_config.h"
#include "config/file.h"
#include "toolpost/server.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

constexpr std::chrono::seconds kToEnd{5};  // besides http.drain_timeout

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
  const std::string_view scheme = options.tls_cert.empty() ? "http://" : "https://";
  return base::StrCat(scheme, ipv6 ? "[" : "", host, ipv6 ? "]" : "", ":", port, "/mcp");
}

// In one piece: standard error is not buffered.
void Announce(Server& server, const HttpOptions& http, std::string_view local_token_file) {
  std::string text = base::StrCat("toolpost " TOOLPOST_VERSION " is listening on ",
                                  UrlOf(http, server.http_port()), "\n");
  if (const auto& metrics = server.impl().metrics)
    text += base::StrCat("Metrics are at port ", metrics->port(), ", path /metrics\n");
  if (!local_token_file.empty()) {
    text += base::StrCat(
        "Nothing is asked of local clients. Where a credential is needed all the same, send the "
        "token in ",
        local_token_file, " as Authorization: Bearer TOKEN.\n");
  }
  std::cerr << text;
}

void WaitForEnd(Server& server, const Arguments& arguments, config::Config config,
                const sigset_t& signals, LiveTools& live) {
  for (;;) {
    int number = 0;
    if (sigwait(&signals, &number) != 0) continue;
    if (number != SIGHUP) {
      base::Log(base::Severity::kInfo, "stopping",
                {{"signal", std::string_view(number == SIGINT ? "SIGINT" : "SIGTERM")}});
      return;
    }
    Reload(server, arguments, config, live);
  }
}

// Some calls of libraries cannot be ended.
void EndAnywayAfter(std::chrono::seconds patience) {
  std::thread thread = base::StartQuietThread([patience] {
    std::this_thread::sleep_for(patience);
    base::Log(base::Severity::kError, "a call did not end in time: ending without it");
    base::FlushLog();
    _exit(kFailure);
  });
  if (thread.joinable()) thread.detach();
}

}  // namespace

int RunServe(const Arguments& arguments) {
  signal(SIGPIPE, SIG_IGN);
  sigset_t signals = AwaitedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  // A changed file is treated as SIGHUP is, on the same thread.
  const config::Sources sources = SourcesOf(arguments);
  Result<WatchedConfig> loaded = LoadWatched(
      config::FindFile(sources), [&] { return config::Load(sources); },
      [] { kill(getpid(), SIGHUP); });
  if (!loaded) return Complain(loaded.error(), kConfiguration);
  const config::Config& config = loaded->config;
  if (Result<void> bind = config::CheckBind(config); !bind)
    return Complain(bind.error(), kConfiguration);
  ApplyLog(config);
  Result<std::unique_ptr<Identity>> identity = Identity::Make(config);
  if (!identity) return Complain(identity.error(), kConfiguration);
  Server server(config::ToServerOptions(config));
  LiveTools live;
  if (Result<void> added = AddBuiltInTools(server, config, **identity, {}, &live); !added)
    return ComplainOfStart(added.error());
  if (Result<void> named = server.impl().core.registry.CheckNames(); !named)
    return Complain(named.error(), kConfiguration);
  if (Result<void> ready = (*identity)->ForServing(server); !ready)
    return Complain(ready.error(), kConfiguration);
  if (Result<void> exporting = StartExport(server, config); !exporting)
    return Complain(exporting.error(), kConfiguration);
  const HttpOptions http = config::ToHttpOptions(config);
  Result<void> started = server.StartHttp(http);
  if (started) started = StartMetricsListener(server, config);
  if (!started) return Complain(started.error(), kConfiguration);
  Announce(server, http, (*identity)->local_token_file());
  live.connections->CheckAccounts();

  WaitForEnd(server, arguments, config, signals, live);
  // From here on a second Ctrl-C ends the process at once. A reload that was asked for too late
  // must not: SIGHUP stays blocked.
  sigdelset(&signals, SIGHUP);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  EndAnywayAfter(http.drain_timeout + kToEnd);
  server.Stop();
  return kOk;
}

}  // namespace toolpost::cli
