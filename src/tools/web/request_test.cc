#include <atomic>
#include <thread>

#include "base/crypto.h"
#include "tools/web/web_fixture.h"

namespace toolpost::tools::web {
namespace {

class WebRequest : public WebFixture {
 protected:
  // Answers with what it was sent.
  static void Show(const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(201, "text/plain",
                   std::string(request.method) + "|" + std::string(request.Find("Content-Type")) +
                       "|" + std::string(request.Find("X-Mine")) + "|" + std::string(request.body),
                   "X-Reply: a\r\nX-Reply: b\r\nSet-Cookie: c=1\r\nSet-Cookie: d=2\r\n");
  }
};

TEST_F(WebRequest, PRD_FR_014_1_PRD_AC_006_1_PRD_US_005_EveryMethod) {
  TestServer server(Show);
  EXPECT_EQ(Text(RequestWith({{"url", Url(server, "/")}}), "body"), "GET|||");
  for (const char* method : {"GET", "POST", "PUT", "DELETE", "PATCH"}) {
    EXPECT_EQ(Text(RequestWith({{"url", Url(server, "/")}, {"method", method}}), "body"),
              std::string(method) + "|||");
  }
}

TEST_F(WebRequest, PRD_FR_014_2_PRD_AC_006_2_SendsHeaders) {
  TestServer server(Show);
  const auto output = RequestWith(
      {{"url", Url(server, "/")}, {"headers", {{"X-Mine", "mine"}, {"Content-Type", "a/b"}}}});
  EXPECT_EQ(Text(output, "body"), "GET|a/b|mine|");
}

TEST_F(WebRequest, PRD_FR_014_3_SendsJsonTextAndBytes) {
  TestServer server(Show);
  const auto send = [&](Json body, const char* encoding = "text", JsonObject headers = {}) {
    return Text(RequestWith({{"url", Url(server, "/")},
                             {"method", "POST"},
                             {"body", std::move(body)},
                             {"bodyEncoding", encoding},
                             {"headers", std::move(headers)}}),
                "body");
  };
  EXPECT_EQ(send(JsonObject{{"a", 1}}), R"(POST|application/json||{"a":1})");
  EXPECT_EQ(send(JsonArray{1, "x"}), R"(POST|application/json||[1,"x"])");
  EXPECT_EQ(send(false), "POST|application/json||false");
  EXPECT_EQ(send("text \xC3\xA4"), "POST|text/plain; charset=utf-8||text \xC3\xA4");
  EXPECT_EQ(send("{}", "text", {{"content-type", "application/json"}}),
            "POST|application/json||{}");
  EXPECT_EQ(send(Json(base::ToBase64("by\1tes")), "base64"),
            "POST|application/octet-stream||by\1tes");
  EXPECT_EQ(send(nullptr), "POST|||");
  for (const char* method : {"PUT", "PATCH"}) {
    EXPECT_EQ(
        Text(RequestWith({{"url", Url(server, "/")}, {"method", method}, {"body", "b"}}), "body"),
        std::string(method) + "|text/plain; charset=utf-8||b");
  }
  const auto refuse = [&](JsonObject arguments) {
    arguments["url"] = Url(server, "/");
    return CodeOf(RequestWith(arguments));
  };
  EXPECT_EQ(refuse({{"body", "x"}}), Code::kInvalidArgument);  // GET
  EXPECT_EQ(refuse({{"method", "POST"}, {"body", "%%"}, {"bodyEncoding", "base64"}}),
            Code::kInvalidArgument);
  EXPECT_EQ(refuse({{"method", "POST"}, {"body", {1}}, {"bodyEncoding", "base64"}}),
            Code::kInvalidArgument);
}

TEST_F(WebRequest, PRD_FR_014_4_TimeoutEndsTheRequest) {
  std::mutex mutex;
  std::vector<std::shared_ptr<Exchange>> held;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    const std::lock_guard lock(mutex);
    held.push_back(std::move(exchange));
  });
  EXPECT_EQ(CodeOf(RequestWith({{"url", Url(server, "/")}, {"timeout", 100}})), Code::kTimeout);
  // The deadline of the call wins over a longer timeout.
  context_.until = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  EXPECT_EQ(CodeOf(RequestWith({{"url", Url(server, "/")}, {"timeout", 600'000}})), Code::kTimeout);
  const Tool tool = RequestTool(Services());
  EXPECT_EQ(tool.input_schema->at_pointer("/properties/timeout/default"), 30'000);
  EXPECT_EQ(tool.input_schema->at_pointer("/properties/timeout/maximum"), 600'000);
  const std::lock_guard lock(mutex);
  held.clear();
}

TEST_F(WebRequest, PRD_FR_014_5_PRD_AC_006_3_ReturnsStatusHeadersBodyAndTime) {
  TestServer server(Show);
  const auto output = RequestWith({{"url", Url(server, "/p")}});
  ASSERT_TRUE(output.has_value()) << output.error().message;
  const Json& reply = output->structured;
  EXPECT_EQ(reply.at("status"), 201);
  EXPECT_EQ(reply.at("headers").at("x-reply"), "a, b");
  EXPECT_EQ(reply.at("headers").at("set-cookie"), "c=1\nd=2");
  EXPECT_EQ(reply.at("body"), "GET|||");
  EXPECT_EQ(reply.at("contentType"), "text/plain");
  EXPECT_EQ(reply.at("size"), 6);
  EXPECT_GE(reply.at("executionTime").as_int64(), 0);
  EXPECT_EQ(Text(output, "url"), Url(server, "/p"));
  EXPECT_EQ(reply.at("redirects"), 0);
  EXPECT_FALSE(reply.as_object().contains("bodyEncoding"));
}

TEST_F(WebRequest, PRD_FR_014_6_D21_UserAgentIsTheOperators) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "", std::string(request.Find("User-Agent")));
  });
  EXPECT_EQ(Text(RequestWith({{"url", Url(server, "/")}}), "body"), "GHL-Agency-AI-MCP/1.0");
  EXPECT_EQ(CodeOf(RequestWith({{"url", Url(server, "/")}, {"headers", {{"user-agent", "x"}}}})),
            Code::kInvalidArgument);
  config::Config config = LocalConfig();
  config.web.user_agent = "ours/2";
  EXPECT_EQ(Text(Call(RequestTool(Services(config)), {{"url", Url(server, "/")}}), "body"),
            "ours/2");
}

TEST_F(WebRequest, EveryHopIsForTheAuditRecord) {
  names_.emplace("first.example", "127.0.0.1");
  names_.emplace("inside.example", "10.0.0.1");
  std::string location;
  TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    if (request.target == "/start")
      return exchange->Send(302, "", "gone", "Location: " + location + "\r\n");
    exchange->Send(200, "text/plain", "end");
  });
  location = Url(server, "/end");
  ASSERT_TRUE(RequestWith({{"url", Url(server, "/start", "first.example")}}));
  ASSERT_EQ(context_.contacts().size(), 2u);
  EXPECT_EQ(context_.contacts()[0].host, "first.example");
  EXPECT_EQ(context_.contacts()[0].port, server.port());
  EXPECT_EQ(context_.contacts()[0].address, "127.0.0.1");
  EXPECT_EQ(context_.contacts()[0].outcome, "302");
  EXPECT_EQ(context_.contacts()[0].received, 4u);
  EXPECT_EQ(context_.contacts()[1].host, "127.0.0.1");
  EXPECT_EQ(context_.contacts()[1].outcome, "200");
  // What a redirect was not allowed to reach is recorded, too.
  location = "http://inside.example/";
  EXPECT_EQ(CodeOf(FetchWith({{"url", Url(server, "/start")}})), Code::kPermissionDenied);
  ASSERT_EQ(context_.contacts().size(), 4u);
  EXPECT_EQ(context_.contacts()[3].host, "inside.example");
  EXPECT_EQ(context_.contacts()[3].outcome, "refused");
  EXPECT_EQ(context_.contacts()[3].address, "");
}

TEST_F(WebRequest, BodiesAreTextWhereTheyCanBe) {
  struct Case {
    const char* type;
    std::string body;
    std::string expected;
    bool base64;
  };
  for (const Case& c :
       {Case{"text/plain; charset=latin1", "\xE4", "ä", false},
        {"application/json", R"({"a":"ä"})", R"({"a":"ä"})", false},
        {"application/octet-stream", "plain text", "plain text", false},
        {"image/png", std::string("\x89PNG\0", 5), "iVBORwA=", true},
        {"", "\xFF\xFE\1", "//4B", true},
        {"text/html", "<meta charset=windows-1251>\xE0", "<meta charset=windows-1251>а", false}}) {
    TestServer server([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
      exchange->Send(200, c.type, c.body);
    });
    const auto output = RequestWith({{"url", Url(server, "/")}});
    EXPECT_EQ(Text(output, "body"), c.expected) << c.type;
    EXPECT_EQ(output->structured.as_object().contains("bodyEncoding"), c.base64) << c.type;
    EXPECT_EQ(output->structured.at("size"), c.body.size());
  }
}

TEST_F(WebRequest, SaysThatTheContentIsNotToBeTrusted) {
  TestServer server(Show);
  const auto output = RequestWith({{"url", Url(server, "/")}});
  ASSERT_TRUE(output.has_value());
  EXPECT_EQ(output->meta.at("toolpost/untrusted"), true);
}

TEST_F(WebRequest, CountsInvisibleCharacters) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "text/plain",
                   request.path == "/odd" ? "a\xE2\x80\xAE\x1B[31m\xF3\xA0\x81\x81\n" : "a\tb\r\n");
  });
  const auto odd = RequestWith({{"url", Url(server, "/odd")}});
  ASSERT_TRUE(odd.has_value());
  EXPECT_EQ(odd->structured.at("hiddenChars"), 3);
  const auto plain = RequestWith({{"url", Url(server, "/")}});
  ASSERT_TRUE(plain.has_value());
  EXPECT_FALSE(plain->structured.as_object().contains("hiddenChars"));
}

TEST_F(WebRequest, NothingOfTheCallersIdentityGoesOut) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    std::string names;
    for (const char* name : {"Authorization", "Cookie", "X-API-Key", "Mcp-Session-Id", "Origin",
                             "Referer", "Forwarded", "X-Forwarded-For"}) {
      if (request.Has(name)) names += name;
    }
    exchange->Send(200, "", names);
  });
  context_.who.address = "203.0.113.9";
  context_.who.agent = "browser";
  EXPECT_EQ(Text(RequestWith({{"url", Url(server, "/")}}), "body"), "");
}

TEST_F(WebRequest, CancellationEndsIt) {
  net::testing::Event arrived;
  std::shared_ptr<Exchange> held;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    held = std::move(exchange);
    arrived.Raise();
  });
  std::thread canceller([&] {
    EXPECT_TRUE(arrived.Wait());
    context_.stop.request_stop();
  });
  EXPECT_EQ(CodeOf(RequestWith({{"url", Url(server, "/")}})), Code::kCancelled);
  canceller.join();
  held.reset();
}

TEST_F(WebRequest, RefusesThisServerItself) {
  TestServer own(Show);
  config::Config config = LocalConfig();
  auto services = MakeServices(config, [&] { return own.port(); });
  ASSERT_TRUE(services.has_value());
  for (const char* host : {"127.0.0.1", "[::1]", "2130706433", "[::ffff:127.0.0.1]"}) {
    EXPECT_EQ(CodeOf(Call(RequestTool(*services), {{"url", Url(own, "/", host)}})),
              Code::kPermissionDenied)
        << host;
  }
  TestServer other(Show);
  EXPECT_TRUE(Call(RequestTool(*services), {{"url", Url(other, "/")}}).has_value());
}

TEST_F(WebRequest, StopsAtTheConfiguredSize) {
  TestServer server([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "text/plain", std::string(3'000, 'x'));
  });
  config::Config config = LocalConfig();
  config.web.max_body = 3'000;
  EXPECT_TRUE(Call(RequestTool(Services(config)), {{"url", Url(server, "/")}}).has_value());
  config.web.max_body = 2'999;
  EXPECT_EQ(CodeOf(Call(RequestTool(Services(config)), {{"url", Url(server, "/")}})),
            Code::kTooLarge);
}

TEST_F(WebRequest, SettingsThatCannotBeReadAreNamed) {
  config::Config config = LocalConfig();
  config.web.deny_hosts = {"http://x"};
  const auto services = MakeServices(config, [] { return std::uint16_t{0}; });
  ASSERT_FALSE(services.has_value());
  EXPECT_NE(services.error().message.find("web.deny_hosts"), std::string::npos);
}

}  // namespace
}  // namespace toolpost::tools::web
