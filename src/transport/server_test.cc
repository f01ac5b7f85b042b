// The public API, used as an embedder uses it.
#include "toolpost/server.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/json_parse.h"
#include "base/log.h"

namespace toolpost {
namespace {

struct EchoIn {
  std::string text;
  static constexpr auto Fields() { return std::tuple{Req("text", &EchoIn::text, "What to say.")}; }
};
struct EchoOut {
  std::string text;
  static constexpr auto Fields() { return std::tuple{Req("text", &EchoOut::text, "")}; }
};

Result<EchoOut> Echo(const EchoIn& in, CallContext&) {
  if (in.text == "fail") return Error::NotFound("Nothing to echo");
  return EchoOut{in.text};
}

Tool EchoTool() {
  return MakeTool({.name = "demo/echo", .title = "Echo", .description = "Says it again."}, Echo);
}

class ServerApi : public ::testing::Test {
 protected:
  ServerApi() { base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson); }

  // Serves one end of a memory transport; the test speaks on the other.
  void Connect() {
    auto [mine, theirs] = MakeMemoryTransport();
    client_ = mine;
    serving_ = std::jthread([this, end = theirs] { server_.Serve(end); });
  }
  Json Ask(std::string_view message) {
    client_->Write(message);
    return Next();
  }
  Json Next() {
    const Result<std::string> text = client_->Read();
    EXPECT_TRUE(text);
    return text ? *base::ParseJson(*text) : Json();
  }
  void Handshake() {
    Ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    client_->Write(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  ~ServerApi() override {
    if (client_) client_->Close();
  }

  Server server_;
  std::shared_ptr<Transport> client_;
  std::jthread serving_;
};

TEST_F(ServerApi, PRD_G4_PRD_US_009_PRD_NFR_031_ToolsAreAddedCalledAndRemoved) {
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  const Result<Output> said = server_.Call("demo/echo", {{"text", "hello"}});
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(said->structured.at("text"), Json("hello"));
  EXPECT_EQ(server_.ListTools().size(), 1u);
  EXPECT_EQ(server_.ListTools("other").size(), 0u);
  ASSERT_TRUE(server_.RemoveTool("demo/echo"));
  EXPECT_FALSE(server_.Call("demo/echo", {{"text", "hello"}}));
}

TEST_F(ServerApi, PRD_FR_007_4_FailuresOfAToolAreOutputs) {
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  const Result<Output> failed = server_.Call("demo/echo", {{"text", "fail"}});
  ASSERT_TRUE(failed);
  EXPECT_TRUE(failed->is_error);
  EXPECT_EQ(failed->content.at(0).at("text"), Json("Nothing to echo"));
}

TEST_F(ServerApi, PRD_FR_005_5_PRD_FR_007_3_PRD_NFR_027_EventsTellOfToolsAndCalls) {
  std::vector<std::string> kinds;
  const auto unsubscribe =
      server_.Subscribe([&](const Event& event) { kinds.emplace_back(NameOf(event.kind)); });
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  ASSERT_TRUE(server_.Call("demo_echo", {{"text", "x"}}));
  ASSERT_TRUE(server_.RemoveTool("demo_echo"));
  unsubscribe();
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"toolRegistered", "toolExecuted", "toolUnregistered"}));
}

TEST_F(ServerApi, PRD_FR_001_5_PRD_FR_007_2_PRD_NFR_024_MetricsCountAndReset) {
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  ASSERT_TRUE(server_.Call("demo/echo", {{"text", "x"}}));
  ASSERT_TRUE(server_.Call("demo/echo", {{"text", "fail"}}));
  Metrics metrics = server_.GetMetrics();
  EXPECT_EQ(metrics.requests, 2u);
  EXPECT_EQ(metrics.failed_requests, 1u);
  EXPECT_EQ(metrics.tools.at("demo/echo").total_invocations, 2u);
  EXPECT_EQ(metrics.tools.at("demo/echo").failed_invocations, 1u);
  EXPECT_TRUE(metrics.tools.at("demo/echo").last_invoked);
  server_.ResetMetrics();
  metrics = server_.GetMetrics();
  EXPECT_EQ(metrics.requests, 0u);
  EXPECT_EQ(metrics.tools.at("demo/echo").total_invocations, 0u);
}

TEST_F(ServerApi, PRD_FR_001_1_PRD_AC_001_2_HandleAnswersPlainJsonRpc) {
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  EXPECT_EQ(server_.Handle(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"),
            R"({"jsonrpc":"2.0","id":1,"result":{"status":"pong"}})");
  EXPECT_EQ(
      server_.Handle(R"({"jsonrpc":"2.0","id":2,"method":"demo/echo","params":{"text":"hi"}})"),
      R"({"jsonrpc":"2.0","id":2,"result":{"text":"hi"}})");
  EXPECT_EQ(server_.Handle(R"({"jsonrpc":"2.0","method":"ping"})"), "");
  const Json unknown =
      *base::ParseJson(server_.Handle(R"({"jsonrpc":"2.0","id":3,"method":"nothing"})"));
  EXPECT_EQ(unknown.at("error").at("code"), Json(-32601));
  for (const char* cursor : {"5", "\"none of ours\""}) {
    const Json refused = *base::ParseJson(server_.Handle(
        std::string(R"({"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":)") +
        cursor + "}}"));
    EXPECT_EQ(refused.at("error").at("code"), Json(-32602)) << cursor;
  }
  const Json broken = *base::ParseJson(server_.Handle("{"));
  EXPECT_EQ(broken.at("error").at("code"), Json(-32700));
  EXPECT_TRUE(broken.at("id").is_null());
}

TEST_F(ServerApi, CTRL_ERR_32602_DirectCallsSayWhichArgumentIsWrong) {
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  const Json wrong = *base::ParseJson(
      server_.Handle(R"({"jsonrpc":"2.0","id":1,"method":"demo/echo","params":{"text":5}})"));
  EXPECT_EQ(wrong.at("error").at("code"), Json(-32602));
  EXPECT_NE(wrong.at("error").at("message").as_string().find("/text"), boost::json::string::npos);
  const Json failed = *base::ParseJson(
      server_.Handle(R"({"jsonrpc":"2.0","id":2,"method":"demo_echo","params":{"text":"fail"}})"));
  EXPECT_EQ(failed.at("error").at("code"), Json(-32603));
  EXPECT_EQ(failed.at("error").at("message"),
            Json("Failed to execute tool demo_echo: Nothing to echo"));
}

TEST_F(ServerApi, PRD_US_010_PRD_NFR_010_AnyTransportCanBeAttached) {
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  Connect();
  Handshake();
  const Json reply = Ask(
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"over memory"}}})");
  EXPECT_EQ(reply.at("result").at("structuredContent").at("text"), Json("over memory"));
  EXPECT_TRUE(client_->Health().open);
  EXPECT_EQ(server_.GetMetrics().active_sessions, 1u);
}

TEST_F(ServerApi, PRD_FR_002_1_ConnectedClientsAreToldOfChanges) {
  Connect();
  Handshake();
  ASSERT_TRUE(Ask(R"({"jsonrpc":"2.0","id":1,"method":"ping"})").at("result").is_object());
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  EXPECT_EQ(Next().at("method"), Json("notifications/tools/list_changed"));
  ASSERT_TRUE(
      server_.AddPrompt({.name = "p"}, [](const auto&, CallContext&) { return JsonArray(); }));
  EXPECT_EQ(Next().at("method"), Json("notifications/prompts/list_changed"));
  ASSERT_TRUE(server_.AddResource(
      {.uri = "test://r", .name = "r"},
      [](std::string_view, const UriVariables&, CallContext&) -> Result<ResourceContents> {
        return ResourceContents{.data = "text"};
      }));
  EXPECT_EQ(Next().at("method"), Json("notifications/resources/list_changed"));
}

TEST_F(ServerApi, SettingsCanBeChangedWhileServing) {
  ASSERT_TRUE(server_.AddTool(EchoTool()));
  Connect();
  Handshake();
  ASSERT_TRUE(Ask(R"({"jsonrpc":"2.0","id":1,"method":"ping"})").at("result").is_object());
  ASSERT_TRUE(server_.Reconfigure(ServerOptions{.canonical_names = true}));
  EXPECT_EQ(Next().at("method"), Json("notifications/tools/list_changed"));
  const Json list = Ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  EXPECT_EQ(list.at("result").at("tools").at(0).at("name"), Json("demo/echo"));
  EXPECT_EQ(list.at("result").at("count"), Json(1));
  // Settings that do not concern the list tell nobody: the next message is the pong.
  ASSERT_TRUE(server_.Reconfigure(ServerOptions{.canonical_names = true, .max_sessions = 7}));
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","id":3,"method":"ping"})").at("id"), Json(3));
}

TEST_F(ServerApi, D20_OneServerListensOnce) {
  HttpOptions options;
  options.port = 0;
  options.threads = 1;
  ASSERT_TRUE(server_.StartHttp(options));
  EXPECT_NE(server_.http_port(), 0);
  EXPECT_EQ(server_.StartHttp(options).error().code, Code::kConflict);
  Server second;
  options.port = server_.http_port();
  const Result<void> taken = second.StartHttp(options);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, Code::kConflict);
  server_.Stop();
  server_.Stop();
}

}  // namespace
}  // namespace toolpost
