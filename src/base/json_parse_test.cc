#include "base/json_parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/monotonic_resource.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "base/json_write.h"
#include "base/source_directory_fixture.h"

namespace toolpost::base {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ErrorOf(std::string_view text) {
  const auto result = ParseJson(text);
  if (result) return "accepted";
  EXPECT_EQ(result.error().code, Code::kParse);
  return result.error().message;
}

Json Parsed(std::string_view text) {
  auto result = ParseJson(text);
  EXPECT_TRUE(result) << text << ": " << result.error().message;
  return result ? *std::move(result) : Json();
}

TEST(JsonParse, BuildsEveryKindOfValue) {
  EXPECT_EQ(ToJson(Parsed(R"( {"a":[1,-2,0.5,true,false,null,"x"],"b":{}} )")),
            R"({"a":[1,-2,0.5,true,false,null,"x"],"b":{}})");
}

TEST(JsonParse, AllocatesFromTheGivenStorage) {
  boost::json::monotonic_resource arena;
  const auto result = ParseJson(R"({"key":["a string that does not fit inline"]})", &arena);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->storage().get(), &arena);
  EXPECT_EQ(result->as_object().at("key").as_array()[0].storage().get(), &arena);
}

TEST(JsonParse, DecodesEscapesInKeysAndStrings) {
  const Json value = Parsed(R"({"\u0061\n":"\ud83d\ude00\/\"\\\u0000"})");
  ASSERT_TRUE(value.as_object().contains("a\n"));
  EXPECT_EQ(value.as_object().at("a\n").as_string(),
            std::string_view("\xF0\x9F\x98\x80/\"\\\0", 8));
}

TEST(JsonParse, RefusesDuplicateKeysAndSaysWhere) {
  EXPECT_THAT(ErrorOf(R"({"a":1,"b":2,"a":3})"), StartsWith("Invalid JSON at byte 1"));
  EXPECT_THAT(ErrorOf(R"({"a":1,"b":2,"a":3})"), HasSubstr("duplicate key \"a\""));
  EXPECT_THAT(ErrorOf(R"({"a":1,"\u0061":2})"), HasSubstr("duplicate key \"a\""));
  EXPECT_THAT(ErrorOf(R"([[{"x":{"k":{},"k":{"a":1,"b":2}}}]])"), HasSubstr("duplicate key \"k\""));
  EXPECT_THAT(ErrorOf(R"({"":1,"":2})"), HasSubstr("duplicate key \"\""));
  EXPECT_EQ(ErrorOf(R"([{"a":1},{"a":2,"b":{"a":3}}])"), "accepted");
}

TEST(JsonParse, CutsLongDuplicateKeysInTheMessage) {
  const std::string key(10'000, 'k');
  EXPECT_LT(ErrorOf("{\"" + key + "\":1,\"" + key + "\":2}").size(), 200U);
}

TEST(JsonParse, HandlesVeryLargeObjects) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += "\"key" + std::to_string(i) + "\":" + "1,";
  EXPECT_EQ(Parsed(text + "\"last\":1}").as_object().size(), 100'001U);
  EXPECT_THAT(ErrorOf(text + "\"key77\":1}"), HasSubstr("duplicate key \"key77\""));
}

TEST(JsonParse, RefusesInvalidUtf8) {
  for (const std::string_view bad :
       {"\xFF", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3", "\x80"}) {
    const std::string text = "[\"" + std::string(bad) + "\"]";
    EXPECT_THAT(ErrorOf(text), HasSubstr("invalid UTF-8")) << bad;
    EXPECT_THAT(ErrorOf("{\"" + std::string(bad) + "\":1}"), HasSubstr("invalid UTF-8")) << bad;
  }
}

TEST(JsonParse, RefusesLoneSurrogateEscapes) {
  for (const std::string_view text : {R"(["\ud800"])", R"(["\udc00"])", R"(["\ud800\ud800"])",
                                      R"(["\ud800x"])", R"({"\udfff":1})"}) {
    EXPECT_THAT(ErrorOf(text), StartsWith("Invalid JSON at byte")) << text;
  }
}

TEST(JsonParse, RefusesAByteOrderMark) {
  EXPECT_THAT(ErrorOf("\xEF\xBB\xBF{}"), HasSubstr("byte order mark"));
}

TEST(JsonParse, LimitsDepthCountingArraysAndObjects) {
  const auto nested = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += i % 2 ? "[" : "{\"a\":";
    text += "1";
    for (std::size_t i = depth; i-- > 0;) text += i % 2 ? "]" : "}";
    return text;
  };
  EXPECT_EQ(ErrorOf(nested(kMaxJsonDepth)), "accepted");
  EXPECT_THAT(ErrorOf(nested(kMaxJsonDepth + 1)), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(ErrorOf(std::string(1'000'000, '[')), HasSubstr("nested deeper"));
  EXPECT_TRUE(ParseJson("[[1]]", {}, 2));
  EXPECT_FALSE(ParseJson("[[[1]]]", {}, 2));
}

TEST(JsonParse, KeepsIntegersExact) {
  EXPECT_EQ(Parsed("-9223372036854775808").as_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Parsed("9223372036854775807").as_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Parsed("9223372036854775808").as_uint64(), 9223372036854775808U);
  EXPECT_EQ(Parsed("18446744073709551615").as_uint64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Parsed("0").as_int64(), 0);
}

TEST(JsonParse, RefusesNumbersOutsideTheRange) {
  for (const std::string_view text :
       {"18446744073709551616", "-9223372036854775809", "[123456789012345678901234567890]"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("64-bit range")) << text;
  }
  for (const std::string_view text : {"1e400", "-1e400", "[1.8e308]", "1e99999999999999999999"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("range of a double")) << text;
  }
  EXPECT_THAT(ErrorOf("1" + std::string(400, '0') + ".5"), HasSubstr("range of a double"));
}

TEST(JsonParse, RoundTripsDoublesExactly) {
  for (const double value : {0.1, 1e308, 5e-324, 1e22, 1e23, 123456789.123456789, -2.5e-7,
                             std::numeric_limits<double>::max(), 2.2250738585072011e-308}) {
    std::string text;
    AppendJsonDouble(text, value);
    EXPECT_EQ(Parsed(text).as_double(), value) << text;
    EXPECT_EQ(Parsed("[" + text + "]").as_array()[0].as_double(), value) << text;
  }
  EXPECT_EQ(Parsed("9007199254740993.0").as_double(), 9007199254740992.0);
  EXPECT_EQ(Parsed("0.1000000000000000055511151231257827021181583404541015625").as_double(), 0.1);
}

TEST(JsonParse, AcceptsUnderflowAndNegativeZero) {
  EXPECT_EQ(Parsed("1e-400").as_double(), 0.0);
  EXPECT_TRUE(std::signbit(Parsed("-1e-400").as_double()));
  EXPECT_TRUE(std::signbit(Parsed("-0").as_double()));
  EXPECT_TRUE(std::signbit(Parsed("[-0]").as_array()[0].as_double()));
  EXPECT_EQ(Parsed("0." + std::string(500, '0') + "1").as_double(), 0.0);
}

TEST(JsonParse, RefusesWhatIsNotJson) {
  for (const std::string_view text :
       {"",       " ",       "NaN", "Infinity", "-Infinity", "[1,]", "{\"a\":1,}", "{a:1}",
        "'a'",    "// c\n1", "01",  "+1",       ".5",        "1.",   "1e",         "-",
        "\"\t\"", "\"abc",   "[1",  "{\"a\"",   "tru",       "nul",  "\"\\x\""}) {
    EXPECT_THAT(ErrorOf(text), StartsWith("Invalid JSON at byte ")) << text;
  }
  EXPECT_THAT(ErrorOf("{} {}"), HasSubstr("byte 3: text after the value"));
  EXPECT_THAT(ErrorOf(std::string_view("1\0", 2)), StartsWith("Invalid JSON at byte 1"));
  EXPECT_THAT(ErrorOf("[1"), HasSubstr("byte 2: unexpected end of text"));
}

TEST(JsonParse, EveryPrefixOfATextIsRefused) {
  const std::string_view text = R"({"a":[1.5e3,"\u00e9\ud83d\ude00",true,null,{"b":-12}]})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(ErrorOf(text.substr(0, size)), "accepted") << size;
  }
  EXPECT_EQ(ErrorOf(text), "accepted");
}

TEST(JsonParse, PassesTheParsingTestSuite) {
  const auto directory = SharedData() / "json-parsing-test-suite/test_parsing";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << "skipped: no test data";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    std::ostringstream content;
    content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const bool accepted = ParseJson(content.str()).has_value();
    ++files;
    if (name.starts_with("y_object_duplicated_key")) {
      EXPECT_FALSE(accepted) << name;
    } else if (name.starts_with("y_")) {
      EXPECT_TRUE(accepted) << name;
    } else if (name.starts_with("n_")) {
      EXPECT_FALSE(accepted) << name;
    }
  }
  EXPECT_GT(files, 300);
}

}  // namespace
}  // namespace toolpost::base
