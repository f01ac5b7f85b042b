// The URLs that narrow what a client gets: /mcp/canonical, /mcp/readonly, /mcp/x/<toolset>.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"
#include "net/testing.h"
#include "toolpost/server.h"
#include "transport/modern_fixture.h"

namespace toolpost {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class UrlViews : public ::testing::Test {
 protected:
  UrlViews() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    Add("note/read", true);
    Add("note/write", false);
    Add("shelf/list", true);
    HttpOptions http;
    http.hosts = {"127.0.0.1"};
    http.port = 0;
    EXPECT_TRUE(server_.StartHttp(http));
  }
  ~UrlViews() override { server_.Stop(); }

  void Add(std::string name, bool read_only) {
    Tool tool;
    tool.info.name = std::move(name);
    tool.info.hints.read_only = read_only;
    tool.info.run = Run::kInline;
    tool.input_schema = {{"type", "object"}};
    tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
      return Output::Text("it ran");
    };
    EXPECT_TRUE(server_.AddTool(std::move(tool)));
  }

  net::testing::Reply Post(std::string_view path, std::string_view body, std::string_view headers) {
    net::testing::Client client(server_.http_port());
    EXPECT_TRUE(client.Send(base::StrCat(
        "POST ", path, " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
        "Accept: application/json, text/event-stream\r\nContent-Length: ", body.size(), "\r\n",
        headers, "\r\n", body)));
    return client.ReadReply();
  }
  net::testing::Reply Ask(std::string_view path, std::string_view method,
                          std::string_view name = {}) {
    std::string params(kModern);
    std::string headers =
        base::StrCat("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ", method, "\r\n");
    if (!name.empty()) {
      params += base::StrCat(R"(,"name":")", name, R"(","arguments":{})");
      headers += base::StrCat("Mcp-Name: ", name, "\r\n");
    }
    return Post(path,
                base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method, R"(","params":{)",
                             params, "}}"),
                headers);
  }
  static std::vector<std::string> Names(const net::testing::Reply& reply) {
    std::vector<std::string> names;
    const Json body = *base::ParseJson(reply.body);
    for (const Json& tool : body.at("result").at("tools").as_array())
      names.emplace_back(tool.at("name").as_string());
    return names;
  }
  bool Runs(std::string_view path, std::string_view name) {
    const net::testing::Reply reply = Ask(path, "tools/call", name);
    const bool ran = reply.body.find("it ran") != std::string::npos;
    if (!ran) {
      EXPECT_THAT(reply.body, AllOf(HasSubstr("-32602"), HasSubstr("Unknown tool"))) << path;
    }
    return ran;
  }

  Server server_;
};

TEST_F(UrlViews, ListWhatTheyOffer) {
  EXPECT_THAT(Names(Ask("/mcp", "tools/list")),
              ElementsAre("note_read", "note_write", "shelf_list"));
  EXPECT_THAT(Names(Ask("/mcp/canonical", "tools/list")),
              ElementsAre("note/read", "note/write", "shelf/list"));
  EXPECT_THAT(Names(Ask("/mcp/readonly", "tools/list")), ElementsAre("note_read", "shelf_list"));
  EXPECT_THAT(Names(Ask("/mcp/x/note", "tools/list")), ElementsAre("note_read", "note_write"));
}

TEST_F(UrlViews, CallNothingElse) {
  for (const char* name : {"note_write", "note/write"}) {
    EXPECT_TRUE(Runs("/mcp", name)) << name;
    EXPECT_TRUE(Runs("/mcp/canonical", name)) << name;
    EXPECT_TRUE(Runs("/mcp/x/note", name)) << name;
    EXPECT_FALSE(Runs("/mcp/readonly", name)) << name;
    EXPECT_FALSE(Runs("/mcp/x/shelf", name)) << name;
  }
  EXPECT_TRUE(Runs("/mcp/readonly", "note_read"));
}

TEST_F(UrlViews, UnknownToolsetsAreNotFoundAndNameTheOthers) {
  for (const char* method : {"tools/list", "server/discover"}) {
    const net::testing::Reply reply = Ask("/mcp/x/notes", method);
    EXPECT_EQ(reply.status, 404);
    EXPECT_THAT(reply.body, HasSubstr("There is no such toolset; there are note, shelf"));
  }
}

TEST_F(UrlViews, ASessionStaysAsNarrowAsItsHandshake) {
  const net::testing::Reply hello = Post(
      "/mcp/x/shelf",
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
      "");
  const std::size_t at = hello.head.find("Mcp-Session-Id: ");
  ASSERT_NE(at, std::string::npos) << hello.head;
  const std::string session =
      base::StrCat(hello.head.substr(at, hello.head.find("\r\n", at) - at), "\r\n");
  const std::string list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";
  for (const char* path : {"/mcp", "/mcp/x/shelf", "/mcp/x/note", "/mcp/readonly"})
    EXPECT_THAT(Names(Post(path, list, session)), ElementsAre("shelf_list")) << path;
}

}  // namespace
}  // namespace toolpost
