// The parser accepts what the help shows and explains what it refuses.
#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace toolpost::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const std::vector<Flag> kSettings = {{"port", "NUMBER", "Port to listen on."},
                                     {"read-only", "", "Read-only tools only."}};
const Command kCall{
    .name = "call",
    .words = "TOOL [key=value…]",
    .summary = "Calls a tool.",
    .flags = {{"json", "OBJECT", "All arguments."}, {"json-output", "", "The whole result."}},
    .min_words = 1,
    .max_words = 3};

Result<Arguments> Parse(std::vector<std::string_view> arguments) {
  return ParseArguments(kCall, kSettings, arguments);
}

std::string Refusal(std::vector<std::string_view> arguments) {
  Result<Arguments> parsed = Parse(std::move(arguments));
  return parsed ? "accepted" : parsed.error().message;
}

TEST(CommandLine, SplitsWordsOwnFlagsAndSettings) {
  Result<Arguments> parsed =
      Parse({"system/info", "--port", "4000", "a=1", "--json-output", "--json={}", "--read-only"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->words, ElementsAre("system/info", "a=1"));
  EXPECT_TRUE(parsed->Has("json-output"));
  EXPECT_EQ(parsed->Get("json"), "{}");
  EXPECT_THAT(parsed->settings, ElementsAre(Pair("port", "4000"), Pair("read-only", "true")));
}

TEST(CommandLine, SettingsKeepTheirOrderAndMayRepeat) {
  Result<Arguments> parsed = Parse({"x", "--port=1", "--read-only=false", "--port", "2"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->settings,
              ElementsAre(Pair("port", "1"), Pair("read-only", "false"), Pair("port", "2")));
}

TEST(CommandLine, ValuesMayBeEmptyNegativeOrHoldEqualsSigns) {
  Result<Arguments> parsed = Parse({"x", "--port", "-1", "--json=a=b", "--port="});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->settings, ElementsAre(Pair("port", "-1"), Pair("port", "")));
  EXPECT_EQ(parsed->Get("json"), "a=b");
}

TEST(CommandLine, EverythingIsAWordAfterTwoDashes) {
  Result<Arguments> parsed = Parse({"x", "--", "--port", "-"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->words, ElementsAre("x", "--port", "-"));
}

TEST(CommandLine, HelpWinsOverWhatIsMissing) {
  ASSERT_TRUE(Parse({"--help"}));
  EXPECT_TRUE(Parse({"--help"})->help);
  EXPECT_TRUE(Parse({"-h"})->help);
}

TEST(CommandLine, RefusesUnknownFlagsWithTheNearestName) {
  EXPECT_THAT(Refusal({"x", "--ports", "1"}),
              HasSubstr("Unknown option --ports, did you mean --port?"));
  EXPECT_THAT(Refusal({"x", "--zzzzzzzzzz"}), HasSubstr("Unknown option --zzzzzzzzzz\n"));
  EXPECT_THAT(Refusal({"x", "-p"}), HasSubstr("Unknown option"));
  EXPECT_THAT(Refusal({"x", "-port", "1"}), HasSubstr("Unknown option"));
  EXPECT_THAT(Refusal({"x", "--="}), HasSubstr("Unknown option"));
  EXPECT_THAT(Refusal({"x", "---"}), HasSubstr("Unknown option"));
}

TEST(CommandLine, RefusesMissingSuperfluousAndRepeatedValues) {
  EXPECT_THAT(Refusal({"x", "--port"}), HasSubstr("Option --port needs a value: NUMBER"));
  EXPECT_THAT(Refusal({"x", "--json-output=1"}), HasSubstr("takes no value"));
  EXPECT_THAT(Refusal({"x", "--json", "{}", "--json", "{}"}), HasSubstr("given twice"));
}

TEST(CommandLine, RefusesTooFewAndTooManyWordsWithTheUsageLine) {
  EXPECT_THAT(Refusal({}), HasSubstr("Usage: toolpost call TOOL [key=value…] [options]"));
  EXPECT_THAT(Refusal({"a", "b", "c", "d"}), HasSubstr("Unexpected argument: d"));
}

TEST(CommandLine, CommandsWithoutSettingsRefuseThem) {
  const Command version{.name = "version", .takes_settings = false};
  std::vector<std::string_view> arguments{"--port", "1"};
  EXPECT_FALSE(ParseArguments(version, kSettings, arguments));
}

TEST(CommandLine, HelpShowsEveryFlagAndSetting) {
  const std::string help = HelpFor(kCall, kSettings);
  for (const char* part : {"Usage: toolpost call TOOL", "--json OBJECT", "--json-output",
                           "--port NUMBER", "Read-only tools"}) {
    EXPECT_THAT(help, HasSubstr(part));
  }
}

TEST(CommandLine, OverviewNamesCommandsAndExitCodes) {
  const Command commands[] = {kCall, {.name = "version", .summary = "Prints the version."}};
  const std::string help = HelpForAll(commands);
  EXPECT_THAT(help, HasSubstr("call TOOL [key=value…]"));
  EXPECT_THAT(help, HasSubstr("Prints the version."));
  EXPECT_THAT(help, HasSubstr("5 the tool returned an error"));
}

}  // namespace
}  // namespace toolpost::cli
