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

TEST(Bind, D16_RefusesAddressesOtherMachinesReachWithoutAuthentication) {
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
    EXPECT_THAT(checked.error().message, HasSubstr("only loopback addresses are allowed"));
  }
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
