// Every option is a flag, and flags reach the configuration.
#include "cli/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/commands.h"
#include "config/options.h"

namespace toolpost::cli {
namespace {

using ::testing::HasSubstr;

TEST(Settings, EveryOptionIsAFlagUnderBothNames) {
  std::set<std::string_view> names;
  for (const Flag& flag : SettingFlags())
    EXPECT_TRUE(names.insert(flag.name).second) << flag.name << " twice";
  for (const config::Option& option : config::Options()) {
    EXPECT_TRUE(names.count(option.flag)) << option.flag;
    if (!option.flag_alias.empty()) {
      EXPECT_TRUE(names.count(option.flag_alias)) << option.flag_alias;
    }
  }
}

TEST(Settings, NoCommandHidesASettingBehindAFlagOfItsOwn) {
  for (const Command& command : Commands()) {
    for (const Flag& own : command.flags) {
      EXPECT_TRUE(std::none_of(SettingFlags().begin(), SettingFlags().end(),
                               [&](const Flag& setting) { return setting.name == own.name; }))
          << command.name << " --" << own.name;
    }
  }
}

TEST(Settings, FlagsReachTheConfiguration) {
  Arguments arguments;
  arguments.settings = {
      {"port", "1"}, {"http-port", "4000"}, {"read-only", "true"}, {"log-level", "error"}};
  Result<config::Config> config = LoadConfig(arguments);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->http.port, 4000u);
  EXPECT_TRUE(config->tools.read_only);
  EXPECT_EQ(config->log.level, "error");
}

TEST(Settings, ABadValueOrAMissingFileIsRefused) {
  Arguments arguments;
  arguments.settings = {{"port", "many"}};
  EXPECT_FALSE(LoadConfig(arguments));
  arguments.settings = {{"config", "no/such/file.toml"}};
  EXPECT_FALSE(LoadConfig(arguments));
}

TEST(Settings, HelpShowsDefaultsAndChoices) {
  const std::string help = HelpFor(Commands()[0], DocumentedSettingFlags());
  EXPECT_THAT(help, HasSubstr("--port NUMBER"));
  EXPECT_THAT(help, HasSubstr("[3001]"));
  EXPECT_THAT(help, HasSubstr("one of wire, canonical"));
  EXPECT_THAT(help, ::testing::Not(HasSubstr("--http-port")));
}

}  // namespace
}  // namespace toolpost::cli
