// The server under load: the library with a trivial inline tool, and as many further tools as asked
// for.
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "toolpost/server.h"

namespace {

using toolpost::CallContext;
using toolpost::JsonObject;
using toolpost::Output;
using toolpost::Result;
using toolpost::Tool;

Tool Echo(std::string name) {
  Tool tool;
  tool.info.name = std::move(name);
  tool.info.title = "Echo";
  tool.info.description = "Returns the message it was given.";
  tool.info.hints = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.info.run = toolpost::Run::kInline;
  tool.input_schema = {{"type", "object"},
                       {"properties", {{"message", {{"type", "string"}, {"maxLength", 1000}}}}},
                       {"required", {"message"}},
                       {"additionalProperties", false}};
  tool.handler = [](const JsonObject& arguments, CallContext&) -> Result<Output> {
    return Output::Text(std::string_view(arguments.at("message").as_string()));
  };
  return tool;
}

[[noreturn]] void Fail(std::string_view message) {
  std::fprintf(stderr, "bench_server: %.*s\n", static_cast<int>(message.size()), message.data());
  std::exit(1);
}

void Check(const Result<void>& result) {
  if (!result) Fail(result.error().message);
}

// Success counts of the registry, for the report: what the clients cannot see of a failed call
// under load.
void PrintMetrics(const toolpost::Server& server) {
  const toolpost::Metrics metrics = server.GetMetrics();
  const auto echo = metrics.tools.find("bench/echo");
  if (echo == metrics.tools.end()) return;
  std::printf("{\"calls\":%lu,\"successful\":%lu,\"failed\":%lu,\"average_ms\":%.6f}\n",
              echo->second.total_invocations, echo->second.successful_invocations,
              echo->second.failed_invocations, echo->second.average_execution_ms);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) Fail("usage: bench_server stdio|PORT [--tools N] [--max-sessions N]");
  const bool stdio = std::strcmp(argv[1], "stdio") == 0;
  toolpost::ServerOptions options;
  options.name = "bench";
  int tools = 0;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--tools") == 0) tools = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--max-sessions") == 0) {
      options.max_sessions = std::strtoul(argv[i + 1], nullptr, 10);
    }
  }

  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  sigaddset(&stop, SIGINT);
  if (!stdio) pthread_sigmask(SIG_BLOCK, &stop, nullptr);

  toolpost::Server server(options);
  Check(server.AddTool(Echo("bench/echo")));
  for (int i = 1; i < tools; ++i) Check(server.AddTool(Echo("bench/echo_" + std::to_string(i))));
  if (stdio) {
    Check(server.ServeStdio());
    return 0;
  }
  toolpost::HttpOptions http;
  http.port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  http.threads = 1;
  Check(server.StartHttp(http));
  int signal = 0;
  sigwait(&stop, &signal);
  PrintMetrics(server);
  server.Stop();
}
