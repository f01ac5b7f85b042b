// Tests of the names of MCPConfig (requirement document, section 7.4), one per field.
#include "config/mcp_config.h"

#include <gmock/gmock.h>

#include <chrono>

#include "config/options.h"
#include "config/testing.h"

namespace toolpost::config {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kStrong[] = "a6Xw0rQd93kfLmZt-71bVyNs4uEjHpGc2";

class PrdConfig : public LoadTest {
 protected:
  Config FromJson(std::string_view text) { return Loaded("c.json", text); }
  std::string ErrorOf(std::string_view text) { return LoadError("c.json", text); }
};

TEST_F(PrdConfig, PRD_7_4_transport) {
  EXPECT_EQ(FromJson(R"({"transport":"stdio"})").mcp.transport, "stdio");
  EXPECT_EQ(FromJson(R"({"transport":"http"})").mcp.transport, "http");
  EXPECT_EQ(FromJson(R"({"transport":"websocket"})").mcp.transport, "websocket");
  EXPECT_THAT(ErrorOf(R"({"transport":"carrier-pigeon"})"),
              HasSubstr("must be one of http, stdio, websocket"));
}

TEST_F(PrdConfig, PRD_7_4_host) {
  EXPECT_THAT(FromJson(R"({"host":"127.0.0.2"})").http.host, ElementsAre("127.0.0.2"));
}

TEST_F(PrdConfig, PRD_7_4_port) {
  const Config config = FromJson("{\n\"port\": 4000}");
  EXPECT_EQ(config.http.port, 4000u);
  EXPECT_THAT(config.origins.at("http.port").name, EndsWith("c.json:2"));
  EXPECT_THAT(ErrorOf(R"({"port":70000})"), HasSubstr("c.json:1: http.port must be"));
}

TEST_F(PrdConfig, PRD_7_4_tlsEnabled) {
  EXPECT_THAT(ErrorOf(R"({"tlsEnabled":true})"), HasSubstr("http.tls needs a certificate"));
  const Config config =
      FromJson(R"({"tlsEnabled":true,"http":{"tls_cert":"c.pem","tls_key":"k.pem"}})");
  EXPECT_TRUE(config.http.tls);
  EXPECT_EQ(ToHttpOptions(config).tls_cert, "c.pem");
  EXPECT_FALSE(FromJson(R"({"tlsEnabled":false})").http.tls);
}

TEST_F(PrdConfig, PRD_7_4_enableMetrics) {
  EXPECT_FALSE(FromJson(R"({"enableMetrics":false})").metrics.enabled);
  EXPECT_TRUE(FromJson(R"({"enableMetrics":true})").metrics.enabled);
}

TEST_F(PrdConfig, PRD_7_4_auth_enabled) {
  EXPECT_TRUE(FromJson(R"({"auth":{"enabled":true}})").auth.required);
  EXPECT_FALSE(FromJson(R"({"auth":{"enabled":false}})").auth.required);
}

TEST_F(PrdConfig, PRD_7_4_auth_method) {
  for (const std::string method : {"token", "jwt", "oauth"}) {
    EXPECT_EQ(FromJson(R"({"auth":{"enabled":false,"method":")" + method + "\"}}").auth.method,
              method);
  }
  EXPECT_THAT(ErrorOf(R"({"auth":{"method":"basic"}})"),
              HasSubstr("auth.method must be one of any, token, jwt, oauth"));
}

TEST_F(PrdConfig, PRD_7_4_auth_secretKey) {
  const auto with = [](const std::string& method) {
    return R"({"auth":{"secretKey":")" + std::string(kStrong) + R"(","enabled":true,"method":")" +
           method + "\"}}";
  };
  EXPECT_EQ(FromJson(with("token")).auth.master_key, kStrong);
  EXPECT_EQ(FromJson(with("token")).auth.jwt_secret, "");
  for (const char* method : {"jwt", "oauth"}) {
    EXPECT_EQ(FromJson(with(method)).auth.jwt_secret, kStrong);
    EXPECT_EQ(FromJson(with(method)).auth.master_key, "");
  }
  EXPECT_THAT(ErrorOf(R"({"auth":{"method":"jwt","secretKey":"too short"}})"),
              HasSubstr("c.json:1: auth.jwt_secret has 9 bytes; at least 32 are needed"));
}

TEST_F(PrdConfig, PRD_7_4_auth_secretKey_IsNotUsedWhenAuthIsOff) {
  const Config config =
      FromJson(R"({"auth":{"enabled":false,"method":"token","secretKey":"******"}})");
  EXPECT_EQ(config.auth.master_key, "");
  EXPECT_FALSE(AuthenticationConfigured(config));
  EXPECT_THAT(config.warnings,
              ElementsAre(HasSubstr("auth.secretKey is not used: auth.enabled is false")));
}

TEST_F(PrdConfig, PRD_7_4_loadBalancer_enabled) {
  EXPECT_FALSE(FromJson(R"({"loadBalancer":{"enabled":false}})").limits.enabled);
  EXPECT_TRUE(FromJson(R"({"loadBalancer":{"enabled":true}})").limits.enabled);
  EXPECT_TRUE(FromJson(R"({"loadBalancer":{}})").limits.enabled);
}

TEST_F(PrdConfig, PRD_7_4_loadBalancer_maxRequestsPerSecond) {
  EXPECT_EQ(FromJson(R"({"loadBalancer":{"maxRequestsPerSecond":50}})").limits.calls_per_second,
            50u);
}

TEST_F(PrdConfig, PRD_7_4_loadBalancer_maxConcurrentRequests) {
  EXPECT_EQ(FromJson(R"({"loadBalancer":{"maxConcurrentRequests":7}})").limits.concurrent_calls,
            7u);
}

TEST_F(PrdConfig, PRD_7_4_sessionTimeout) {
  EXPECT_EQ(FromJson(R"({"sessionTimeout":3600000})").limits.session_idle, milliseconds(3'600'000));
  EXPECT_EQ(FromJson(R"({"sessionTimeout":1500})").limits.session_idle, milliseconds(1500));
  EXPECT_THAT(ErrorOf(R"({"sessionTimeout":10})"), HasSubstr("limits.session_idle must be"));
  EXPECT_THAT(ErrorOf(R"({"sessionTimeout":-1})"), HasSubstr("limits.session_idle must be"));
}

TEST_F(PrdConfig, PRD_7_4_maxSessions) {
  EXPECT_EQ(FromJson(R"({"maxSessions":12})").limits.sessions, 12u);
}

TEST_F(PrdConfig, EveryFieldNamesASettingThatExists) {
  for (const McpConfigField& field : McpConfigFields()) {
    EXPECT_NE(FindByKey(field.key), nullptr) << field.name;
    if (!field.key_for_tokens.empty()) {
      EXPECT_NE(FindByKey(field.key_for_tokens), nullptr);
    }
    EXPECT_THAT(RenderDocs(), HasSubstr("` | `" + std::string(field.key) + "`"));
  }
}

TEST_F(PrdConfig, ASettingUnderBothNamesIsRefused) {
  EXPECT_THAT(ErrorOf("{\"port\":1,\n\"http\":{\"port\":2}}"),
              EndsWith("c.json:2: http.port and port are the same setting, http.port; give one of "
                       "them"));
  const std::string secret(kStrong);
  const std::string error =
      ErrorOf(R"({"auth":{"secretKey":")" + secret + R"(","master_key":")" + secret + R"("}})");
  EXPECT_THAT(error, HasSubstr("are the same setting, auth.master_key"));
  EXPECT_THAT(error, ::testing::Not(HasSubstr(secret)));
  EXPECT_THAT(ErrorOf(R"({"auth":{"enabled":true,"required":false}})"),
              HasSubstr("are the same setting, auth.required"));
}

TEST_F(PrdConfig, BothSpellingsCanBeMixedForDifferentSettings) {
  const Config config = FromJson(R"({"port":4000,"http":{"threads":2},"limits":{"queue":3}})");
  EXPECT_EQ(config.http.port, 4000u);
  EXPECT_EQ(config.http.threads, 2u);
  EXPECT_EQ(config.limits.queue, 3u);
  EXPECT_THAT(config.warnings, IsEmpty());
}

TEST_F(PrdConfig, ItsNamesAreOnlyKnownInJson) {
  EXPECT_THAT(LoadError("c.toml", "maxSessions = 3\n"), HasSubstr("unknown key maxSessions"));
}

TEST_F(PrdConfig, UnknownAndNestedNamesAreRefused) {
  EXPECT_THAT(ErrorOf(R"({"loadBalancer":{"strategy":"random"}})"),
              HasSubstr("unknown key loadBalancer.strategy"));
  EXPECT_THAT(ErrorOf(R"({"loadBalancer":true})"), HasSubstr("unknown key loadBalancer"));
  EXPECT_THAT(ErrorOf(R"({"port":{"http":1}})"), HasSubstr("unknown key port.http"));
}

}  // namespace
}  // namespace toolpost::config
