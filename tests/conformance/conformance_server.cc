// The server under test of the conformance suite and the client tests: the library with fixtures
// instead of real tools.
//
//   conformance_server          HTTP on MCP_HOST:MCP_PORT (default 127.0.0.1:3001, port 0: any free
//   one) until SIGTERM conformance_server stdio    standard input and output
//
// MCP_PAGE_SIZE sets the length of list pages.
#include <pthread.h>
#include <signal.h>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "fixtures.h"

namespace toolpost::conformance {
namespace {

std::string Environment(const char* name, std::string fallback) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : std::move(fallback);
}

std::optional<std::size_t> EnvironmentNumber(const char* name, std::size_t fallback,
                                             std::size_t most) {
  const std::string text = Environment(name, std::to_string(fallback));
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number <= most) return number;
  std::cerr << name << " must be a number from 0 to " << most << ", got '" << text << "'\n";
  return std::nullopt;
}

Result<void> ServeHttp(Server& server, const sigset_t& signals, std::uint16_t port) {
  HttpOptions options;
  options.hosts = {Environment("MCP_HOST", "127.0.0.1")};
  options.port = port;
  options.drain_timeout = std::chrono::seconds(2);
  RETURN_IF_ERROR(server.StartHttp(options));
  std::cout << "listening on http://" << options.hosts.front() << ':' << server.http_port()
            << "/mcp" << std::endl;
  int signal = 0;
  sigwait(&signals, &signal);
  server.Stop();
  return {};
}

int Main(int argc, char** argv) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  const bool stdio = argc > 1 && std::string_view(argv[1]) == "stdio";
  // Before any thread exists, so that all of them inherit the mask.
  if (!stdio) pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const auto page_size = EnvironmentNumber("MCP_PAGE_SIZE", 250, 10'000);
  const auto port = EnvironmentNumber("MCP_PORT", 3001, 65'535);
  if (!page_size || !port) return 2;
  ServerOptions options;
  options.name = "toolpost-conformance";
  options.page_size = *page_size;
  Server server(options);
  Result<void> outcome = AddFixtures(server);
  if (outcome) {
    outcome =
        stdio ? server.ServeStdio() : ServeHttp(server, signals, static_cast<std::uint16_t>(*port));
  }
  if (!outcome) std::cerr << outcome.error().message << '\n';
  return outcome ? 0 : 1;
}

}  // namespace
}  // namespace toolpost::conformance

int main(int argc, char** argv) { return toolpost::conformance::Main(argc, argv); }
