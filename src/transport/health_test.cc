// What monitors get over HTTP: who sees what, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"
#include "net/testing.h"
#include "toolpost/server.h"
#include "transport/server_impl.h"

namespace toolpost {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kMasterKey = "master-key-of-the-tests";

net::testing::Reply Get(std::uint16_t port, std::string_view path, std::string_view headers = {},
                        std::string_view host = "localhost") {
  net::testing::Client client(port);
  client.Send(base::StrCat("GET ", path, " HTTP/1.1\r\nHost: ", host, "\r\n", headers, "\r\n"));
  return client.ReadReply();
}

class HealthOverHttp : public ::testing::Test {
 protected:
  HealthOverHttp() { base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson); }

  void Start(bool authenticated) {
    if (authenticated) {
      auth::AuthenticatorOptions options;
      options.master_key = kMasterKey;
      server_.impl().http_identity.authenticator = std::make_shared<auth::Authenticator>(options);
    }
    server_.impl().core.vitals.AddDependencies([this] {
      return std::vector<mcp::DependencyHealth>{{"store", problem_}};
    });
    HttpOptions http;
    http.hosts = {"127.0.0.1"};
    http.port = 0;
    ASSERT_TRUE(server_.StartHttp(http));
  }
  net::testing::Reply Get(std::string_view path, std::string_view headers = {}) {
    return toolpost::Get(server_.http_port(), path, headers);
  }
  const std::string key_ = base::StrCat("Authorization: Bearer ", kMasterKey, "\r\n");

  std::string problem_;
  Server server_;
};

TEST_F(HealthOverHttp, PRD_NFR_025_LocalUsersSeeEverything) {
  Start(false);
  EXPECT_EQ(Get("/healthz").body, R"({"status":"ok"})");
  EXPECT_EQ(Get("/readyz").body,
            R"({"status":"ready","state":"healthy","checks":[{"name":"store","ok":true}]})");
  EXPECT_THAT(Get("/version").body, HasSubstr(R"("version":")"));
  const auto metrics = Get("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.head, HasSubstr("text/plain; version=0.0.4"));
  EXPECT_THAT(metrics.body,
              HasSubstr("toolpost_http_requests_total{route=\"/healthz\",status=\"200\"} 1\n"));
}

TEST_F(HealthOverHttp, AProblemIsShownAndDoesNotMakeTheServerUnready) {
  Start(true);
  problem_ = "The disk is full";
  const auto plain = Get("/readyz");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.body, R"({"status":"ready"})");
  EXPECT_EQ(Get("/readyz", key_).body,
            R"({"status":"ready","state":"degraded","checks":[{"name":"store","ok":false,)"
            R"("problem":"The disk is full"}]})");
}

TEST_F(HealthOverHttp, StrangersLearnThatItLivesAndNoMore) {
  Start(true);
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/version").body, R"({"name":"toolpost"})");
  EXPECT_THAT(Get("/version", key_).body, HasSubstr("2025-11-25"));
  const auto refused = Get("/metrics");
  EXPECT_EQ(refused.status, 401);
  EXPECT_THAT(refused.body, Not(HasSubstr("toolpost_")));
  EXPECT_EQ(Get("/metrics", "X-API-Key: wrong\r\n").status, 403);
  EXPECT_EQ(Get("/readyz", "X-API-Key: wrong\r\n").status, 403);
  EXPECT_EQ(Get("/metrics", key_).status, 200);
}

TEST_F(HealthOverHttp, OtherSitesAndNamesGetNoDetail) {
  Start(false);
  const std::uint16_t port = server_.http_port();
  EXPECT_EQ(toolpost::Get(port, "/healthz", {}, "10.1.2.3").status, 200) << "as kubelet asks";
  EXPECT_EQ(toolpost::Get(port, "/readyz", {}, "10.1.2.3").body, R"({"status":"ready"})");
  EXPECT_EQ(toolpost::Get(port, "/metrics", {}, "evil.example").status, 403);
  EXPECT_EQ(Get("/metrics", "Origin: https://evil.example\r\n").status, 403);
  EXPECT_EQ(Get("/version", "Sec-Fetch-Site: cross-site\r\n").body, R"({"name":"toolpost"})");
}

TEST_F(HealthOverHttp, OnlyReadingIsAllowed) {
  Start(false);
  for (const char* path : {"/healthz", "/readyz", "/version", "/metrics"}) {
    net::testing::Client client(server_.http_port());
    client.Send(
        base::StrCat("POST ", path, " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"));
    const auto reply = client.ReadReply();
    EXPECT_EQ(reply.status, 405) << path;
    EXPECT_THAT(reply.head, HasSubstr("Allow: GET, HEAD"));
  }
}

TEST_F(HealthOverHttp, WhileDrainingItIsAliveAndNotReady) {
  std::promise<void> running;
  std::promise<void> release;
  Tool tool;
  tool.info.name = "demo/held";
  tool.input_schema = {{"type", "object"}};
  tool.handler = [&](const JsonObject&, CallContext&) -> Result<Output> {
    running.set_value();
    release.get_future().wait();
    return Output::Text("done");
  };
  ASSERT_TRUE(server_.AddTool(std::move(tool)));
  Start(false);
  const std::uint16_t port = server_.http_port();
  std::jthread call([this] { EXPECT_TRUE(server_.Call("demo/held", {})); });
  running.get_future().wait();
  std::jthread stopping([this] { server_.Stop(); });
  net::testing::Reply ready;
  const auto give_up = std::chrono::steady_clock::now() + 30s;
  do {
    ready = toolpost::Get(port, "/readyz");
  } while (ready.status == 200 && std::chrono::steady_clock::now() < give_up);
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(ready.body, HasSubstr(R"("status":"draining")"));
  EXPECT_EQ(toolpost::Get(port, "/healthz").status, 200);
  EXPECT_EQ(toolpost::Get(port, "/metrics").status, 200);
  release.set_value();
}

TEST_F(HealthOverHttp, MetricsCanBeSwitchedOff) {
  ServerOptions options;
  options.metrics = false;
  ASSERT_TRUE(server_.Reconfigure(options));
  Start(false);
  EXPECT_EQ(Get("/metrics").status, 404);
}

TEST_F(HealthOverHttp, ALoopbackMetricsListenerAsksForNothingAndServesNothingElse) {
  Start(true);
  transport::MetricsListener metrics(server_.impl().core, "127.0.0.1", 0,
                                     server_.impl().http_identity);
  ASSERT_TRUE(metrics.Start());
  const std::uint16_t port = metrics.port();
  EXPECT_EQ(toolpost::Get(port, "/metrics").status, 200);
  EXPECT_THAT(toolpost::Get(port, "/readyz").body, HasSubstr("checks"));
  EXPECT_EQ(toolpost::Get(port, "/mcp").status, 404);
  EXPECT_EQ(toolpost::Get(port, "/metrics", {}, "rebound.example").status, 403);
  metrics.Stop();
}

TEST_F(HealthOverHttp, AMetricsListenerForOtherMachinesAsksForAnAdministrator) {
  Start(true);
  transport::MetricsListener metrics(server_.impl().core, "0.0.0.0", 0,
                                     server_.impl().http_identity);
  ASSERT_TRUE(metrics.Start());
  EXPECT_EQ(toolpost::Get(metrics.port(), "/metrics", {}, "toolpost:9464").status, 401);
  EXPECT_EQ(toolpost::Get(metrics.port(), "/metrics", key_, "toolpost:9464").status, 200);
  metrics.Stop();
}

}  // namespace
}  // namespace toolpost
