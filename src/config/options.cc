// The option table.
#include "config/options.h"

#include <algorithm>
#include <span>

#include "base/strings.h"
#include "config/config.h"
#include "config/option_rows.h"
#include "config/value.h"

namespace toolpost::config {
namespace {

using namespace rows;  // the vocabulary of the table

std::vector<Option> HttpTable() {
  return {
      Alias(List(
                "http.host", "127.0.0.1,::1", [](Config& c) -> Strings& { return c.http.host; },
                "Addresses to listen on: IP addresses or `localhost`; only loopback ones until "
                "authentication is configured (see `[auth]`)"),
            "MCP_HOST", "host"),
      Alias(Integer(
                "http.port", "3001", 0, 65535,
                [](Config& c) -> std::uint64_t& { return c.http.port; },
                "Port to listen on; 0 takes a free one"),
            "MCP_PORT", "port"),
      List(
          "http.allowed_hosts", "", [](Config& c) -> Strings& { return c.http.allowed_hosts; },
          "Names accepted in the Host header besides loopback names"),
      List(
          "http.allowed_origins", "", [](Config& c) -> Strings& { return c.http.allowed_origins; },
          "Web origins accepted besides loopback origins, such as `https://app.example`"),
      Integer(
          "http.threads", "0", 0, 1024, [](Config& c) -> std::uint64_t& { return c.http.threads; },
          "I/O threads; 0 is one per core this process may use"),
      Integer(
          "http.max_connections", "10000", 1, 1'000'000,
          [](Config& c) -> std::uint64_t& { return c.http.max_connections; },
          "Connections open at once"),
      Size(
          "http.max_body", "10MiB", kKiB, kGiB,
          [](Config& c) -> std::uint64_t& { return c.http.max_body; }, "Largest request body"),
      Time(
          "http.header_timeout", "10s", kSecond, kHour,
          [](Config& c) -> Duration& { return c.http.header_timeout; },
          "Time a client has to send the request head"),
      Time(
          "http.body_timeout", "30s", kSecond, kHour,
          [](Config& c) -> Duration& { return c.http.body_timeout; },
          "Time a client has to send the request body"),
      Time(
          "http.idle_timeout", "75s", kSecond, kDay,
          [](Config& c) -> Duration& { return c.http.idle_timeout; },
          "Time an idle keep-alive connection stays open"),
      Time(
          "http.drain_timeout", "10s", 0, kHour,
          [](Config& c) -> Duration& { return c.http.drain_timeout; },
          "Time running calls get to end when the server stops"),
      Switch(
          "http.tls", "false", [](Config& c) -> bool& { return c.http.tls; },
          "Serve HTTPS (TLS 1.2 and later) instead of HTTP; needs `http.tls_cert` and "
          "`http.tls_key`"),
      String(
          "http.tls_cert", "", [](Config& c) -> std::string& { return c.http.tls_cert; },
          "PEM file with the certificate of the server and those that signed it; read again when "
          "it changes"),
      String(
          "http.tls_key", "", [](Config& c) -> std::string& { return c.http.tls_key; },
          "PEM file with the private key of the certificate, without a passphrase; read again when "
          "it changes"),
  };
}

std::vector<Option> McpTable() {
  return {
      Alias(Choice(
                "mcp.transport", "http", {"http", "stdio", "websocket"},
                [](Config& c) -> std::string& { return c.mcp.transport; },
                "What `toolpost` without a command serves; `websocket` is the HTTP server, which "
                "answers at "
                "`/ws`"),
            "MCP_TRANSPORT", ""),
      Live(Choice(
          "mcp.tool_names", "wire", {"wire", "canonical"},
          [](Config& c) -> std::string& { return c.mcp.tool_names; },
          "Spelling of tool names in lists: `file_read` (wire) or `file/read` (canonical); calls "
          "take both")),
      Integer(
          "mcp.page_size", "250", 1, 10'000,
          [](Config& c) -> std::uint64_t& { return c.mcp.page_size; },
          "Entries per page of a list"),
      Live(DefaultNote(
          String(
              "mcp.instructions", "", [](Config& c) -> std::string& { return c.mcp.instructions; },
              "Instructions clients give to their model"),
          "built from the enabled toolsets")),
      Live(Alias(DefaultNote(List(
                                 "tools.toolsets", "",
                                 [](Config& c) -> Strings& { return c.tools.toolsets; },
                                 "Toolsets to offer"),
                             "all"),
                 "", "toolsets")),
      Live(Alias(List(
                     "tools.include", "", [](Config& c) -> Strings& { return c.tools.include; },
                     "Tools to offer in addition to the toolsets"),
                 "", "tools")),
      Live(Alias(List(
                     "tools.exclude", "", [](Config& c) -> Strings& { return c.tools.exclude; },
                     "Tools not to offer; wins over both"),
                 "", "exclude-tools")),
      Live(Alias(
          Switch(
              "tools.read_only", "false", [](Config& c) -> bool& { return c.tools.read_only; },
              "Offer only tools that change nothing"),
          "", "read-only")),
  };
}

constexpr std::uint64_t kMaxRate = 10'000'000;

std::vector<Option> LimitTable() {
  return {
      Live(Integer(
          "limits.result_chars", "40000", 1000, 10'000'000,
          [](Config& c) -> std::uint64_t& { return c.limits.result_chars; },
          "Characters of a tool result before it is cut")),
      Time(
          "limits.result_keep", "15m", kSecond, 7 * kDay,
          [](Config& c) -> Duration& { return c.limits.result_keep; },
          "Time the full text of a cut result can be read"),
      Live(Integer(
          "limits.sessions", "1000", 1, 1'000'000,
          [](Config& c) -> std::uint64_t& { return c.limits.sessions; }, "Sessions open at once")),
      Live(Time(
          "limits.session_idle", "30m", kSecond, 30 * kDay,
          [](Config& c) -> Duration& { return c.limits.session_idle; },
          "Time an unused session lives")),
      Integer(
          "limits.workers", "64", 1, 4096,
          [](Config& c) -> std::uint64_t& { return c.limits.workers; },
          "Threads for tools that may block"),
      Integer(
          "limits.queue", "1024", 0, 1'000'000,
          [](Config& c) -> std::uint64_t& { return c.limits.queue; },
          "Calls that may wait for a thread before clients are told to retry"),
      Live(Time(
          "limits.call_timeout", "10m", kSecond, kDay,
          [](Config& c) -> Duration& { return c.limits.call_timeout; }, "Longest run of a call")),
      Size(
          "limits.message_bytes", "10MiB", kKiB, kGiB,
          [](Config& c) -> std::uint64_t& { return c.limits.message_bytes; },
          "Largest JSON-RPC message"),
      Live(Switch(
          "limits.enabled", "true", [](Config& c) -> bool& { return c.limits.enabled; },
          "Apply the limits on calls and requests below")),
      Live(Integer(
          "limits.calls_per_second", "0", 0, kMaxRate,
          [](Config& c) -> std::uint64_t& { return c.limits.calls_per_second; },
          "Tool calls per second, of all clients together; 0 is no limit")),
      Live(Integer(
          "limits.concurrent_calls", "0", 0, 1'000'000,
          [](Config& c) -> std::uint64_t& { return c.limits.concurrent_calls; },
          "Tool calls running at once, of all clients together; 0 is no limit")),
      Live(Integer(
          "limits.key_calls_per_second", "100", 0, kMaxRate,
          [](Config& c) -> std::uint64_t& { return c.limits.key_calls_per_second; },
          "Tool calls per second with one API key or of one user; 0 is no limit")),
      Live(Integer(
          "limits.address_requests_per_second", "200", 0, kMaxRate,
          [](Config& c) -> std::uint64_t& { return c.limits.address_requests_per_second; },
          "HTTP requests per second from one address, loopback excepted; 0 is no limit")),
      Live(Choice(
          "log.level", "info", {"debug", "info", "warning", "error", "off"},
          [](Config& c) -> std::string& { return c.log.level; }, "Least severe lines to log")),
      Live(Choice(
          "log.format", "auto", {"auto", "text", "json"},
          [](Config& c) -> std::string& { return c.log.format; },
          "Form of log lines; auto is text on a terminal, else JSON")),
      DefaultNote(String(
                      "state.dir", "", [](Config& c) -> std::string& { return c.state.dir; },
                      "Directory for what must outlive a call, such as cut results"),
                  "`$XDG_STATE_HOME/toolpost`, else `~/.local/state/toolpost`"),
  };
}

constexpr std::string_view kPrefix = "TOOLPOST_";
constexpr std::size_t kRoom = 128;  // more than there are

std::vector<Option> BuildTable() {
  std::vector<Option> table;
  table.reserve(kRoom);
  for (auto part : {HttpTable, AccessTable, McpTable, WebTable, FilesTable, ShellTable,
                    DatabaseTable, MssqlTable, LimitTable, TelemetryTable}) {
    for (Option& option : part()) table.push_back(std::move(option));
  }
  for (Option& option : table) {
    option.flag = option.key;
    option.environment = base::StrCat(kPrefix, option.key);
    for (char& c : option.flag) c = c == '.' || c == '_' ? '-' : c;
    for (char& c : std::span(option.environment).subspan(kPrefix.size()))
      c = c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return table;
}

const Option* FindIf(auto predicate) {
  const auto options = Options();
  const auto found = std::find_if(options.begin(), options.end(), predicate);
  return found == options.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Option> Options() {
  static const std::vector<Option> kTable = BuildTable();
  return kTable;
}

const Option* FindByKey(std::string_view key) {
  return FindIf([&](const Option& option) { return option.key == key; });
}

const Option* FindByFlag(std::string_view flag) {
  if (flag.empty()) return nullptr;
  return FindIf(
      [&](const Option& option) { return option.flag == flag || option.flag_alias == flag; });
}

std::string Expected(const Option& option) {
  switch (option.type) {
    case Type::kString:
      return "a string";
    case Type::kStrings:
      return "a list of strings";
    case Type::kBoolean:
      return "true or false";
    case Type::kInteger:
      return base::StrCat("a whole number from ", option.minimum, " to ", option.maximum);
    case Type::kDuration:
      return base::StrCat("a duration from ", FormatDuration(Duration(option.minimum)), " to ",
                          FormatDuration(Duration(option.maximum)),
                          ", such as \"30s\" or \"15m\" or a number of seconds");
    case Type::kSize:
      return base::StrCat("a size from ", FormatSize(option.minimum), " to ",
                          FormatSize(option.maximum), ", such as \"10MiB\" or a number of bytes");
    case Type::kChoice:
      break;
  }
  std::string text = "one of ";
  for (const std::string_view choice : option.choices) {
    if (choice != option.choices.front()) text.append(", ");
    text.append(choice);
  }
  return text;
}

}  // namespace toolpost::config
