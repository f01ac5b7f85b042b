#include "base/json_write.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/json_parse.h"
#include "base/strings.h"

namespace toolpost::base {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

std::string Number(double value) {
  std::string out;
  AppendJsonDouble(out, value);
  return out;
}

TEST(JsonWrite, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(Quoted("\n\t\r\b\f"), R"("\n\t\r\b\f")");
  EXPECT_EQ(Quoted(std::string_view("\0\x01\x1f\x7f", 4)), "\"\\u0000\\u0001\\u001f\x7f\"");
}

TEST(JsonWrite, EscapesAtEveryPositionOfABlock) {
  for (std::size_t size = 1; size <= 50; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = '\n';
      EXPECT_EQ(Quoted(text),
                "\"" + std::string(at, 'x') + "\\n" + std::string(size - at - 1, 'x') + "\"");
    }
  }
}

TEST(JsonWrite, EscapesAtEveryPositionOfItsBuffer) {
  for (const std::string_view escaped : {"\"", "\x01", "\xC3\xA9\n"}) {
    for (std::size_t before = 480; before < 540; ++before) {
      std::string text(before, 'a');
      for (const std::size_t size : {0, 1, 600}) text.append(escaped).append(size, 'b');
      const std::string quoted = "[" + Quoted(text) + "]";
      const auto parsed = ParseJson(quoted);
      ASSERT_TRUE(parsed) << quoted;
      EXPECT_EQ(std::string_view(parsed->as_array()[0].as_string()), text);
    }
  }
}

TEST(JsonWrite, KeepsValidUtf8) {
  const std::string text =
      "\u00e9\u4e2d\u6587\U0001F600 and enough plain text to fill a block \u00e9";
  EXPECT_EQ(Quoted(text), "\"" + text + "\"");
}

TEST(JsonWrite, ReplacesInvalidUtf8) {
  EXPECT_EQ(Quoted("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(Quoted("\xC3"), "\"\xEF\xBF\xBD\"");
  for (const std::string_view bad :
       {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xF0\x9F\x98"}) {
    const std::string out =
        Quoted(StrCat("sixteen bytes or more of text ", bad, " then more text"));
    EXPECT_TRUE(IsValidUtf8(out)) << out;
    EXPECT_TRUE(ParseJson(out)) << out;
  }
}

TEST(JsonWrite, EveryPairOfBytesGivesValidJson) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const char text[] = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_TRUE(ParseJson(Quoted({text, 2}))) << first << ' ' << second;
    }
  }
}

TEST(JsonWrite, WritesNumbers) {
  std::string out;
  AppendJsonInt(out, std::numeric_limits<std::int64_t>::min());
  out += ' ';
  AppendJsonUint(out, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(out, "-9223372036854775808 18446744073709551615");
}

TEST(JsonWrite, DoublesAreShortestAndKeepTheirType) {
  EXPECT_EQ(Number(0.1), "0.1");
  EXPECT_EQ(Number(1), "1.0");
  EXPECT_EQ(Number(-0.0), "-0.0");
  EXPECT_EQ(Number(1e22), "1e+22");
  EXPECT_EQ(Number(5e-324), "5e-324");
  EXPECT_EQ(Number(123456.0), "123456.0");
  EXPECT_TRUE(ParseJson(Number(std::numeric_limits<double>::max()))->is_double());
}

TEST(JsonWrite, NonFiniteBecomesNull) {
  EXPECT_EQ(Number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(Number(std::nan("")), "null");
}

TEST(JsonWrite, WritesNestedValuesCompactlyInOrder) {
  const std::string_view text = R"({"z":[],"a":{"b":[1,"x",null,true,{}]},"m":1.0})";
  EXPECT_EQ(ToJson(*ParseJson(text)), text);
  std::string out = "prefix ";
  AppendJson(out, ParseJson("[1,[2]]")->as_array());
  AppendJson(out, ParseJson(R"({"a":1})")->as_object());
  EXPECT_EQ(out, R"(prefix [1,[2]]{"a":1})");
}

}  // namespace
}  // namespace toolpost::base
