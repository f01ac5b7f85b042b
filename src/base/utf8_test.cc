#include "base/utf8.h"

#include <gtest/gtest.h>

namespace toolpost::base {
namespace {

std::string Utf8(char32_t code) {
  std::string out = "<";
  AppendUtf8(out, code);
  return out.substr(1);
}

TEST(AppendUtf8, WritesEveryLength) {
  EXPECT_EQ(Utf8(0), std::string(1, '\0'));
  EXPECT_EQ(Utf8(0x7F), "\x7F");
  EXPECT_EQ(Utf8(0x80), "\xC2\x80");
  EXPECT_EQ(Utf8(0x7FF), "\xDF\xBF");
  EXPECT_EQ(Utf8(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(Utf8(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(Utf8(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(Utf8(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(AppendUtf8, ReplacesWhatIsNoCharacter) {
  for (const char32_t code : {0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, 0x7FFFFFFF})
    EXPECT_EQ(Utf8(code), "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace toolpost::base
