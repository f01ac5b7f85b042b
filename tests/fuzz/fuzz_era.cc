// Any bytes as messages of one connection, and as a POST with headers: both eras, all methods,
// never a crash or a second answer.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/log.h"
#include "mcp/connection.h"
#include "mcp/core.h"
#include "mcp/era.h"

namespace {

using namespace toolpost;

mcp::Core& TheCore() {
  static mcp::Core* core = [] {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    auto* made = new mcp::Core(ServerOptions{});
    Tool tool;
    tool.info = {
        .name = "fuzz/echo", .title = "Echo", .description = "Echoes.", .run = Run::kInline};
    tool.input_schema = JsonObject{{"type", "object"}};
    tool.handler = [](const JsonObject& arguments, CallContext&) -> Result<Output> {
      return Output::Structured(Json(arguments));
    };
    if (!made->registry.Add(std::move(tool))) std::abort();
    return made;
  }();
  return *core;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t lines = 0;
  const auto connection =
      mcp::Connection::Open(TheCore(), {.transport = "fuzz"}, [](const std::string&) {});
  for (std::size_t begin = 0; begin <= text.size() && lines < 16; ++lines) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    connection->Receive(text.substr(begin, end - begin));
    begin = end + 1;
  }
  connection->Close();
  if (const auto body = mcp::Body::Parse(text)) {
    for (const std::string_view version : {"", "2025-06-18", "2026-07-28", "9"}) {
      (void)mcp::RoutePost(**body,
                           {.version = version, .session = {}, .has_api_key = version.empty()});
    }
  }
  return 0;
}
