// A program that embeds the server: calls its own tool directly, then as an MCP client over an
// in-memory transport.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>

#include "toolpost/server.h"
#include "toolpost/transport.h"

namespace {

struct Terms {
  std::int64_t left = 0;
  std::int64_t right = 0;
  static constexpr auto Fields() {
    return std::tuple{toolpost::Req("left", &Terms::left, "First term.").Range(-1000, 1000),
                      toolpost::Req("right", &Terms::right, "Second term.").Range(-1000, 1000)};
  }
};

struct Sum {
  std::int64_t sum = 0;
  static constexpr auto Fields() {
    return std::tuple{toolpost::Req("sum", &Sum::sum, "The sum of both.")};
  }
};

toolpost::Result<Sum> Add(const Terms& terms, toolpost::CallContext&) {
  return Sum{terms.left + terms.right};
}

// Prints the text and tells whether the expected part is in it.
bool Show(std::string_view what, std::string_view text, std::string_view expected) {
  std::printf("%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
              static_cast<int>(text.size()), text.data());
  return text.find(expected) != std::string_view::npos;
}

bool CallDirectly(toolpost::Server& server) {
  const auto good = server.Call("math/add", {{"left", 2}, {"right", 40}});
  const auto bad = server.Call("math/add", {{"left", 2}, {"right", "many"}});
  const bool refused = !bad || bad->is_error;
  std::printf("wrong arguments: %s\n", refused ? "refused" : "accepted");
  return refused && good && good->structured.is_object() &&
         Show("direct call", std::to_string(good->structured.at("sum").to_number<std::int64_t>()),
              "42");
}

bool CallAsClient(toolpost::Server& server) {
  auto [server_end, client_end] = toolpost::MakeMemoryTransport();
  std::jthread serving([&server, end = server_end] { server.Serve(end); });
  client_end->Write(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"embedded","version":"1"}}})");
  const auto hello = client_end->Read();
  client_end->Write(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  client_end->Write(R"({"jsonrpc":"2.0","id":2,"method":"tools/call",)"
                    R"("params":{"name":"math_add","arguments":{"left":20,"right":22}}})");
  const auto answer = client_end->Read();
  client_end->Close();
  return hello && answer && Show("handshake", *hello, "protocolVersion") &&
         Show("call over MCP", *answer, "\"sum\":42");
}

}  // namespace

int main() {
  toolpost::Server server({.name = "embedded"});
  const auto added = server.AddTool(toolpost::MakeTool({.name = "math/add",
                                                        .title = "Add",
                                                        .description = "Adds two integers.",
                                                        .hints = {.read_only = true}},
                                                       Add));
  if (!added) {
    std::fprintf(stderr, "embedded_server: %s\n", added.error().message.c_str());
    return 1;
  }
  std::atomic<int> executed = 0;
  const auto unsubscribe = server.Subscribe([&](const toolpost::Event&) { ++executed; },
                                            {toolpost::EventKind::kToolExecuted});
  const bool direct = CallDirectly(server);
  const bool over_mcp = CallAsClient(server);
  unsubscribe();
  server.Stop();
  std::printf("events of calls: %d\n", executed.load());
  return direct && over_mcp && executed == 3 ? 0 : 1;
}
