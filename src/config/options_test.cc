// Tests of the option table.
#include "config/options.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "config/config.h"
#include "config/value.h"

namespace toolpost::config {
namespace {

TEST(Options, KeysVariablesAndFlagsAreUnique) {
  std::set<std::string> keys;
  std::set<std::string> variables;
  std::set<std::string> flags = {"config", "help"};
  for (const Option& option : Options()) {
    EXPECT_TRUE(keys.emplace(option.key).second) << option.key;
    EXPECT_TRUE(variables.insert(option.environment).second) << option.environment;
    EXPECT_TRUE(flags.insert(option.flag).second) << option.flag;
    if (!option.environment_alias.empty()) {
      EXPECT_TRUE(variables.emplace(option.environment_alias).second) << option.environment_alias;
    }
    if (!option.flag_alias.empty()) {
      EXPECT_TRUE(flags.emplace(option.flag_alias).second) << option.flag_alias;
    }
  }
}

TEST(Options, EveryOptionHasItsOwnMember) {
  std::set<const void*> members;
  Config config;
  for (const Option& option : Options()) {
    const void* member =
        std::visit([&](auto accessor) -> const void* { return &accessor(config); }, option.member);
    EXPECT_TRUE(members.insert(member).second) << option.key;
  }
}

TEST(Options, DefaultsAreValuesOfTheirOption) {
  Config config;
  for (const Option& option : Options()) {
    EXPECT_TRUE(Assign(option, Text{std::string(option.default_value)}, config)) << option.key;
    EXPECT_FALSE(option.help.empty()) << option.key;
    EXPECT_FALSE(option.help.ends_with('.')) << option.key;
  }
}

TEST(Options, NamesFollowFromTheKey) {
  const Option* port = FindByKey("http.port");
  ASSERT_NE(port, nullptr);
  EXPECT_EQ(port->environment, "TOOLPOST_HTTP_PORT");
  EXPECT_EQ(port->flag, "http-port");
  EXPECT_EQ(port->section(), "http");
  EXPECT_EQ(FindByKey("http.max_body")->environment, "TOOLPOST_HTTP_MAX_BODY");
  EXPECT_EQ(FindByKey("http.max_body")->flag, "http-max-body");
  EXPECT_EQ(FindByKey("state.dir")->environment, "TOOLPOST_STATE_DIR");
}

TEST(Options, WellKnownNamesLeadToTheirKeys) {
  EXPECT_EQ(FindByFlag("host")->key, "http.host");
  EXPECT_EQ(FindByFlag("port")->key, "http.port");
  EXPECT_EQ(FindByFlag("toolsets")->key, "tools.toolsets");
  EXPECT_EQ(FindByFlag("tools")->key, "tools.include");
  EXPECT_EQ(FindByFlag("exclude-tools")->key, "tools.exclude");
  EXPECT_EQ(FindByFlag("read-only")->key, "tools.read_only");
  EXPECT_EQ(FindByFlag("log-level")->key, "log.level");
  EXPECT_EQ(FindByFlag("log-format")->key, "log.format");
  EXPECT_EQ(FindByFlag("http-port")->key, "http.port");
}

TEST(Options, UnknownNamesLeadNowhere) {
  EXPECT_EQ(FindByKey(""), nullptr);
  EXPECT_EQ(FindByKey("http"), nullptr);
  EXPECT_EQ(FindByKey("HTTP.PORT"), nullptr);
  EXPECT_EQ(FindByFlag(""), nullptr);
  EXPECT_EQ(FindByFlag("--port"), nullptr);
}

TEST(Options, ExpectedSaysTheRange) {
  EXPECT_EQ(Expected(*FindByKey("http.port")), "a whole number from 0 to 65535");
  EXPECT_EQ(Expected(*FindByKey("mcp.transport")), "one of http, stdio, websocket");
  EXPECT_EQ(Expected(*FindByKey("http.header_timeout")),
            "a duration from 1s to 1h, such as \"30s\" or \"15m\" or a number of seconds");
  EXPECT_EQ(Expected(*FindByKey("http.max_body")),
            "a size from 1KiB to 1GiB, such as \"10MiB\" or a number of bytes");
}

}  // namespace
}  // namespace toolpost::config
