// Tests of setting values.
#include "config/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace toolpost::config {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<void> Try(std::string_view key, const Value& value) {
  Config config;
  return Assign(*FindByKey(key), value, config);
}

void ExpectWrong(std::string_view key, const Value& value, std::string_view message) {
  const auto assigned = Try(key, value);
  ASSERT_FALSE(assigned) << key;
  EXPECT_EQ(assigned.error().code, Code::kInvalidArgument);
  EXPECT_THAT(assigned.error().message, HasSubstr(std::string(message)));
}

TEST(Value, ReadsDurations) {
  EXPECT_EQ(ParseDuration("500ms"), milliseconds(500));
  EXPECT_EQ(ParseDuration("30s"), milliseconds(30'000));
  EXPECT_EQ(ParseDuration("15m"), milliseconds(900'000));
  EXPECT_EQ(ParseDuration("2h"), milliseconds(7'200'000));
  EXPECT_EQ(ParseDuration("1d"), milliseconds(86'400'000));
  EXPECT_EQ(ParseDuration("30"), milliseconds(30'000));
  EXPECT_EQ(ParseDuration(" 30 s "), milliseconds(30'000));
  for (const std::string_view text :
       {"", "s", "-1s", "1.5s", "1 year", "1s1", "99999999999999999999", "9223372036854775807h"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(Value, ReadsSizes) {
  EXPECT_EQ(ParseSize("10MiB"), 10u << 20);
  EXPECT_EQ(ParseSize("64kib"), 64u << 10);
  EXPECT_EQ(ParseSize("1GiB"), 1u << 30);
  EXPECT_EQ(ParseSize("10MB"), 10'000'000u);
  EXPECT_EQ(ParseSize("5kB"), 5'000u);
  EXPECT_EQ(ParseSize("4096"), 4096u);
  EXPECT_EQ(ParseSize("7B"), 7u);
  for (const std::string_view text :
       {"", "MiB", "-1", "1.5MiB", "10 M", "9223372036854775807GiB"}) {
    EXPECT_EQ(ParseSize(text), std::nullopt) << text;
  }
}

TEST(Value, WritesDurationsAndSizesInTheLargestExactUnit) {
  EXPECT_EQ(FormatDuration(milliseconds(0)), "0s");
  EXPECT_EQ(FormatDuration(milliseconds(1500)), "1500ms");
  EXPECT_EQ(FormatDuration(milliseconds(90'000)), "90s");
  EXPECT_EQ(FormatDuration(milliseconds(900'000)), "15m");
  EXPECT_EQ(FormatDuration(milliseconds(7 * 86'400'000)), "7d");
  EXPECT_EQ(FormatSize(10u << 20), "10MiB");
  EXPECT_EQ(FormatSize(1025), "1025B");
  EXPECT_EQ(FormatSize(0), "0B");
}

TEST(Value, NumbersMustBeWholeAndInRange) {
  constexpr std::string_view kRange = "http.port must be a whole number from 0 to 65535, not ";
  ExpectWrong("http.port", std::int64_t{65536}, std::string(kRange) + "65536");
  ExpectWrong("http.port", std::int64_t{-1}, std::string(kRange) + "-1");
  ExpectWrong("http.port", Text{"abc"}, std::string(kRange) + "\"abc\"");
  ExpectWrong("http.port", Text{"80x"}, kRange);
  ExpectWrong("http.port", Text{""}, kRange);
  ExpectWrong("http.port", Text{"18446744073709551617"}, kRange);
  ExpectWrong("http.port", true, std::string(kRange) + "true");
  ExpectWrong("http.port", Other{"a table"}, std::string(kRange) + "a table");
  ExpectWrong("http.port", std::vector<std::string>{"1"}, std::string(kRange) + "a list");
  ExpectWrong("http.port", std::string("3001"), "not \"3001\"; write it without quotes");
  EXPECT_TRUE(Try("http.port", Text{" 3001 "}));
  EXPECT_TRUE(Try("http.port", std::int64_t{0}));
  EXPECT_TRUE(Try("http.port", std::int64_t{65535}));
}

TEST(Value, DurationsAndSizesMustBeInRange) {
  ExpectWrong("http.header_timeout", std::string("500ms"), "from 1s to 1h");
  ExpectWrong("http.header_timeout", std::int64_t{3601}, "from 1s to 1h");
  ExpectWrong("http.header_timeout", std::int64_t{9'223'372'036'854'775'807}, "from 1s to 1h");
  ExpectWrong("http.header_timeout", std::string("soon"), "not \"soon\"");
  ExpectWrong("http.max_body", std::string("2GiB"), "from 1KiB to 1GiB");
  ExpectWrong("http.max_body", std::int64_t{1}, "from 1KiB to 1GiB");
  EXPECT_TRUE(Try("http.header_timeout", std::int64_t{30}));
  EXPECT_TRUE(Try("http.max_body", std::int64_t{1024}));
}

TEST(Value, BooleansInFilesAreNotStrings) {
  ExpectWrong("tools.read_only", std::string("true"), "write it without quotes");
  ExpectWrong("tools.read_only", std::int64_t{1}, "must be true or false, not 1");
  ExpectWrong("tools.read_only", Text{"maybe"}, "not \"maybe\"");
  Config config;
  for (const char* text : {"true", "1", "yes", "ON", " True "}) {
    config.tools.read_only = false;
    EXPECT_TRUE(Assign(*FindByKey("tools.read_only"), Text{text}, config));
    EXPECT_TRUE(config.tools.read_only) << text;
  }
  for (const char* text : {"false", "0", "no", "Off"}) {
    config.tools.read_only = true;
    EXPECT_TRUE(Assign(*FindByKey("tools.read_only"), Text{text}, config));
    EXPECT_FALSE(config.tools.read_only) << text;
  }
}

TEST(Value, ListsTakeOneStringOrMany) {
  Config config;
  const Option& option = *FindByKey("http.host");
  ASSERT_TRUE(Assign(option, std::string("127.0.0.1"), config));
  EXPECT_THAT(config.http.host, ElementsAre("127.0.0.1"));
  ASSERT_TRUE(Assign(option, Text{" a , b,,c "}, config));
  EXPECT_THAT(config.http.host, ElementsAre("a", "b", "c"));
  ASSERT_TRUE(Assign(option, std::vector<std::string>{"x,y", "z"}, config));
  EXPECT_THAT(config.http.host, ElementsAre("x,y", "z"));
  ASSERT_TRUE(Assign(option, std::string(), config));
  EXPECT_TRUE(config.http.host.empty());
  ExpectWrong("http.host", std::vector<std::string>{"a", ""}, "empty string");
  ExpectWrong("http.host", std::int64_t{1}, "must be a list of strings, not 1");
}

TEST(Value, ChoicesHintAtTheNearest) {
  ExpectWrong(
      "log.level", Text{"warnin"},
      "must be one of debug, info, warning, error, off, not \"warnin\"; did you mean warning?");
  ExpectWrong("log.level", Text{"Info"}, "one of");
  ExpectWrong("mcp.transport", std::int64_t{1}, "must be one of http, stdio, websocket, not 1");
}

TEST(Value, StringsMustBeText) {
  ExpectWrong("mcp.instructions", std::int64_t{1}, "must be a string");
  ExpectWrong("mcp.instructions", Text{"\xFF"}, "invalid UTF-8");
  ExpectWrong("state.dir", Text{std::string("a\0b", 3)}, "NUL");
}

TEST(Value, LongValuesAreCutInMessages) {
  const auto assigned =
      Try("http.port", Text{std::string(59, 'x') + "\xC3\xA9" + std::string(100'000, 'x')});
  ASSERT_FALSE(assigned);
  EXPECT_LT(assigned.error().message.size(), 200u);
  EXPECT_THAT(assigned.error().message, HasSubstr("x\"…"));
}

TEST(Value, QuotesAsToml) {
  EXPECT_EQ(QuoteToml("a\"b\\c\nd\te\x01\x7F"), "\"a\\\"b\\\\c\\nd\\te\\u0001\\u007F\"");
  EXPECT_EQ(QuoteToml("${A} $ {"), "\"$${A} $ {\"");
}

}  // namespace
}  // namespace toolpost::config
