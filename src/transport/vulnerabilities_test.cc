// What other servers were attacked with at their front door, tried on ours: each test is named
// after the published case.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "base/strings.h"
#include "net/testing.h"
#include "toolpost/server.h"

namespace toolpost {
namespace {

using base::StrCat;

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
constexpr std::string_view kJson = "Content-Type: application/json\r\n";
constexpr std::string_view kModernHead =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: demo_echo\r\n";

std::string EchoCall(int id, std::string_view text) {
  return StrCat(R"({"jsonrpc":"2.0","id":)", id,
                R"(,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":")",
                text, R"("},)", kMeta, "}}");
}

class FrontDoorVulnerabilities : public ::testing::Test {
 protected:
  FrontDoorVulnerabilities() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    Tool echo;
    echo.info.name = "demo/echo";
    echo.info.run = Run::kPool;
    echo.input_schema = {{"type", "object"},
                         {"properties", JsonObject{{"text", JsonObject{{"type", "string"}}}}}};
    echo.handler = [](const JsonObject& arguments, CallContext&) -> Result<Output> {
      return Output::Text(arguments.at("text").as_string());
    };
    EXPECT_TRUE(server_.AddTool(std::move(echo)));
    HttpOptions http;
    http.hosts = {"127.0.0.1"};
    http.port = 0;
    const auto started = server_.StartHttp(http);
    EXPECT_TRUE(started) << started.error().message;
  }
  ~FrontDoorVulnerabilities() override { server_.Stop(); }

  net::testing::Reply Ask(std::string_view line, std::string_view headers,
                          std::string_view body = {}) {
    net::testing::Client client(server_.http_port());
    EXPECT_TRUE(client.Send(
        StrCat(line, " HTTP/1.1\r\nContent-Length: ", body.size(), "\r\n", headers, "\r\n", body)));
    return client.ReadReply(line.starts_with("GET /sse"));
  }
  std::string Local(std::string_view headers) const {
    return StrCat("Host: localhost:", server_.http_port(), "\r\n", headers);
  }

  Server server_;
};

constexpr std::string_view kDoors[] = {"POST /mcp", "POST /rpc", "POST /",
                                       "GET /sse",  "GET /mcp",  "GET /trpc/mcp.status"};

// The page is of the same origin by its name, so that a GET carries no Origin.
TEST_F(FrontDoorVulnerabilities, CVE_2025_66414_CVE_2026_34742_ReboundNamesAreRefused) {
  for (const std::string_view door : kDoors) {
    for (const std::string_view host :
         {"evil.example", "127.0.0.1.evil.example", "[::1].evil.example", "localhost.evil.example",
          "evil.example:3001", "0.0.0.0.nip.io"}) {
      const auto reply = Ask(door, StrCat("Host: ", host, "\r\n", kModernHead), EchoCall(1, "x"));
      EXPECT_EQ(reply.status, 403) << door << " " << host << "\n" << reply.body;
    }
  }
  EXPECT_EQ(Ask("POST /mcp", Local(kModernHead), EchoCall(1, "x")).status, 200);
}

TEST_F(FrontDoorVulnerabilities, CVE_2025_49596_PagesOfOthersAreRefused) {
  for (const std::string_view door : kDoors) {
    for (const std::string_view origin :
         {"http://evil.example", "null", "http://localhost.evil.example",
          "https://[::1].evil.example", "file://"}) {
      const auto reply =
          Ask(door, Local(StrCat("Origin: ", origin, "\r\n", kModernHead)), EchoCall(1, "x"));
      EXPECT_EQ(reply.status, 403) << door << " " << origin << "\n" << reply.body;
    }
  }
  EXPECT_EQ(Ask("POST /mcp", Local(StrCat("Origin: http://localhost:5173\r\n", kModernHead)),
                EchoCall(1, "x"))
                .status,
            200);
}

TEST_F(FrontDoorVulnerabilities, CVE_2026_25536_EqualIdsOfManyClientsReachTheirOwn) {
  constexpr int kClients = 32;
  constexpr int kCalls = 100;
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> clients;
    for (int client = 0; client < kClients; ++client) {
      clients.emplace_back([&, client] {
        net::testing::Client connection(server_.http_port());
        for (int id = 0; id < kCalls; ++id) {
          const std::string secret = StrCat("secret-", client, "-", id, ".");
          const std::string body = EchoCall(id, secret);
          connection.Send(StrCat("POST /mcp HTTP/1.1\r\nContent-Length: ", body.size(), "\r\n",
                                 Local(kModernHead), "\r\n", body));
          const std::string reply = connection.ReadReply().body;
          const std::size_t at = reply.find("secret-");
          const bool only = at != reply.npos && reply.find("secret-", at + 1) == reply.npos;
          if (only && reply.compare(at, secret.size(), secret) == 0 &&
              reply.find(StrCat("\"id\":", id, ",")) != reply.npos) {
            ++right;
          }
        }
      });
    }
  }
  EXPECT_EQ(right, kClients * kCalls);
}

TEST_F(FrontDoorVulnerabilities, CVE_2026_27896_KeysOfOtherSpellingsAreNoKeys) {
  for (const std::string_view message : {
           R"({"jsonrpc":"2.0","id":1,"Method":"tools/list"})",
           R"({"jsonrpc":"2.0","id":1,"METHOD":"tools/list"})",
           R"({"jsonrpc":"2.0","id":1,"method ":"tools/list"})",
           R"({"JSONRPC":"2.0","id":1,"method":"tools/list"})",
           R"({"jsonrpc":"2.0","id":1,"method":"tools/call","Params":{"name":"demo_echo"}})",
           R"({"jsonrpc":"2.0","id":1,"method":"tools/call","paramſ":{"name":"demo_echo"}})",
           R"({"jsonrpc":"2.0","id":1,"method":"tools/call","param\u017f":{"name":"demo_echo"}})",
           R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Name":"demo_echo"}})",
           R"({"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"})",
       }) {
    const auto reply = Ask("POST /rpc", Local(kJson), message);
    EXPECT_EQ(reply.body.find("\"result\""), reply.body.npos) << message << "\n" << reply.body;
    EXPECT_NE(reply.body.find("\"error\""), reply.body.npos) << message << "\n" << reply.body;
  }
}

// Gateways decide by the headers, the server by the body.
TEST_F(FrontDoorVulnerabilities, HeaderMismatch_HeadersAndBodyMustAgree) {
  const auto status = [&](std::string_view version, std::string_view method,
                          std::string_view name) {
    std::string headers(
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n");
    if (!version.empty()) headers += StrCat("MCP-Protocol-Version: ", version, "\r\n");
    if (!method.empty()) headers += StrCat("Mcp-Method: ", method, "\r\n");
    if (!name.empty()) headers += StrCat("Mcp-Name: ", name, "\r\n");
    return Ask("POST /mcp", Local(headers), EchoCall(1, "x")).status;
  };
  constexpr std::string_view kVersion = "2026-07-28";
  EXPECT_EQ(status(kVersion, "tools/call", "demo_echo"), 200);
  const std::vector<std::array<std::string_view, 3>> cases = {
      {kVersion, "tools/list", "demo_echo"},
      {kVersion, "TOOLS/CALL", "demo_echo"},
      {kVersion, "tools/call ,tools/list", "demo_echo"},
      {kVersion, "", "demo_echo"},
      {kVersion, "tools/call", "demo_other"},
      {kVersion, "tools/call", "DEMO_ECHO"},
      {kVersion, "tools/call", "demo/echo"},
      {kVersion, "tools/call", "demo_echo, demo_other"},
      {kVersion, "tools/call", ""},
      {kVersion, "tools/call", "=?base64?ZGVtb19vdGhlcg==?="},
      {"2025-11-25", "tools/call", "demo_echo"},
      {"", "tools/call", "demo_echo"},
  };
  for (const auto& [version, method, name] : cases)
    EXPECT_EQ(status(version, method, name), 400) << version << " " << method << " " << name;
}

// What a page may send without asking first.
TEST_F(FrontDoorVulnerabilities, CrossProtocolPost_FormsAreNoMessages) {
  for (const std::string_view type :
       {"text/plain", "text/plain; charset=utf-8", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "application/jsonp", "text/json"}) {
    for (const std::string_view door : {"POST /mcp", "POST /rpc", "POST /"}) {
      const auto reply =
          Ask(door, Local(StrCat("Content-Type: ", type, "\r\nAccept: */*\r\n")), EchoCall(1, "x"));
      EXPECT_TRUE(reply.status == 415 || reply.status == 406) << type << " " << reply.status;
      EXPECT_EQ(reply.body.find("\"result\""), reply.body.npos) << type;
    }
  }
}

// Texts of tools are fixed, so that what was approved is what is called.
TEST_F(FrontDoorVulnerabilities, ToolPoisoning_TheListStaysTheSameToTheByte) {
  const std::string list =
      StrCat(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)", kMeta, "}}");
  const std::string headers = Local(
      "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n");
  net::testing::Client client(server_.http_port());
  std::string first;
  for (int i = 0; i < 10'000; ++i) {
    client.Send(StrCat("POST /mcp HTTP/1.1\r\nContent-Length: ", list.size(), "\r\n", headers,
                       "\r\n", list));
    const std::string body = client.ReadReply().body;
    if (first.empty()) first = body;
    ASSERT_EQ(body, first);
  }
  EXPECT_NE(first.find("demo_echo"), first.npos);
}

}  // namespace
}  // namespace toolpost
