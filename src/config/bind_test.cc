// Tests of the addresses that may be listened on.
#include "config/bind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config.h"

namespace toolpost::config {
namespace {

using ::testing::HasSubstr;

TEST(Bind, KnowsLoopbackAddresses) {
  for (const std::string_view host :
       {"127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "localhost"}) {
    EXPECT_TRUE(IsAddress(host)) << host;
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const std::string_view host :
       {"0.0.0.0", "::", "192.168.1.2", "128.0.0.1", "::2", "::ffff:10.0.0.1", "fe80::1"}) {
    EXPECT_TRUE(IsAddress(host)) << host;
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
}

TEST(Bind, NamesAndBrokenAddressesAreNone) {
  for (const std::string_view host :
       {"", "example.com", "127.0.0.1.nip.io", "127.1", "256.0.0.1", "[::1]", "127.0.0.1:80",
        "localhost.", "::1%lo", "0x7f.0.0.1"}) {
    EXPECT_FALSE(IsAddress(host)) << host;
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
  EXPECT_FALSE(IsLoopback(std::string_view("127.0.0.1\0.evil", 15)));
}

TEST(Bind, D16_CVE_2026_23744_RefusesAddressesOtherMachinesReachWithoutAuthentication) {
  Config config;
  config.http.host = {"127.0.0.1", "::1", "localhost"};
  EXPECT_TRUE(CheckBind(config));
  for (const char* host : {"0.0.0.0", "::", "10.0.0.1"}) {
    config.http.host = {"127.0.0.1", host};
    const auto checked = CheckBind(config);
    ASSERT_FALSE(checked) << host;
    EXPECT_EQ(checked.error().code, Code::kInvalidArgument);
    EXPECT_THAT(checked.error().message, HasSubstr(host));
    EXPECT_THAT(checked.error().message, HasSubstr("no authentication is configured"));
    for (const char* way_out :
         {"auth.master_key", "TOOLPOST_AUTH_MASTER_KEY", "auth.jwt_secret", "auth.jwt_key_file",
          "auth.jwks_url", "auth.required = true", "http.host to 127.0.0.1 or ::1"}) {
      EXPECT_THAT(checked.error().message, HasSubstr(way_out));
    }
  }
}

TEST(Bind, D16_AllowsAnyAddressOnceAuthenticationIsConfigured) {
  using Setter = void (*)(Config&);
  for (const Setter set : {Setter([](Config& c) { c.auth.required = true; }),
                           Setter([](Config& c) { c.auth.master_key = "k"; }),
                           Setter([](Config& c) { c.auth.jwt_secret = "s"; }),
                           Setter([](Config& c) { c.auth.jwt_key_file = "f"; }),
                           Setter([](Config& c) { c.auth.jwks_url = "u"; })}) {
    Config config;
    config.auth.method = "any";
    config.http.host = {"0.0.0.0"};
    EXPECT_FALSE(AuthenticationConfigured(config));
    EXPECT_FALSE(CheckBind(config));
    set(config);
    EXPECT_TRUE(AuthenticationConfigured(config));
    EXPECT_TRUE(CheckBind(config));
  }
}

TEST(Bind, D16_ACredentialTheMethodDoesNotAcceptIsNoAuthentication) {
  Config config;
  config.auth.method = "jwt";
  config.auth.master_key = "k";
  EXPECT_FALSE(AuthenticationConfigured(config));
  config.auth.method = "token";
  EXPECT_TRUE(AuthenticationConfigured(config));
  config.auth.master_key.clear();
  config.auth.jwks_url = "u";
  EXPECT_FALSE(AuthenticationConfigured(config));
  config.auth.method = "oauth";
  EXPECT_TRUE(AuthenticationConfigured(config));
}

TEST(Bind, MessageSaysWhereTheAddressComesFrom) {
  const auto config = Load({.config_file = "",
                            .working_directory = "/nonexistent",
                            .environment = {{"MCP_HOST", "0.0.0.0"}},
                            .flags = {}});
  ASSERT_TRUE(config);
  EXPECT_THAT(CheckBind(*config).error().message,
              HasSubstr("http.host (environment MCP_HOST) is 0.0.0.0"));
}

}  // namespace
}  // namespace toolpost::config
