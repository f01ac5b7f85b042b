#include "base/strings.h"

#include <gtest/gtest.h>

#include <random>

namespace toolpost::base {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Strings, StrCatJoinsStringsCharactersAndIntegers) {
  EXPECT_EQ(StrCat("a", std::string("b"), 'c', -1, 18446744073709551615U),
            "abc-118446744073709551615");
  EXPECT_EQ(StrCat(), "");
}

TEST(Strings, ComparesIgnoringAsciiCaseOnly) {
  EXPECT_TRUE(EqualIgnoringCase("Content-Type", "content-tYPE"));
  EXPECT_FALSE(EqualIgnoringCase("abc", "abcd"));
  EXPECT_FALSE(EqualIgnoringCase("[", "{"));
  EXPECT_EQ(ToLower("AZaz09\xC3\x89"), "azaz09\xC3\x89");
}

TEST(Strings, TrimsSpacesAndTabs) {
  EXPECT_EQ(Trim(" \t a b\t "), "a b");
  EXPECT_EQ(Trim(" \t "), "");
  EXPECT_EQ(Trim("\na"), "\na");
}

TEST(Strings, SplitKeepsEmptyParts) {
  EXPECT_EQ(Split("a,,b,", ','), (Parts{"a", "", "b", ""}));
  EXPECT_EQ(Split("", ','), (Parts{""}));
}

TEST(Strings, JoinPutsTheSeparatorBetween) {
  EXPECT_EQ(Join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(Join({}, ", "), "");
}

TEST(Strings, RecognisesUtf8) {
  EXPECT_TRUE(IsValidUtf8(""));
  EXPECT_TRUE(IsValidUtf8("plain text, longer than a block"));
  EXPECT_TRUE(IsValidUtf8("\u00e9\u4e2d\U0001F600\U0010FFFF\uE000\uD7FF"));
  for (const std::string_view bad : {"\x80", "\xC1\x81", "\xC3", "\xE0\x9F\xBF", "\xED\xA0\x80",
                                     "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                                     "\xF5\x80\x80\x80", "\xE2\x28\xA1", "\xF0\x9F\x98"}) {
    EXPECT_FALSE(IsValidUtf8(bad));
    EXPECT_FALSE(IsValidUtf8(StrCat("0123456", bad, "89abcdef")));
  }
}

TEST(Strings, CountsCodePoints) {
  EXPECT_EQ(CountCodePoints(""), 0U);
  EXPECT_EQ(CountCodePoints("a\u00e9\u4e2d\U0001F600"), 4U);
}

TEST(Strings, NearestFindsTypingMistakes) {
  const Parts names = {"file/read", "file/write", "shell/execute"};
  EXPECT_EQ(Nearest("file/raed", names), "file/read");
  EXPECT_EQ(Nearest("File/Write", names), "file/write");
  EXPECT_EQ(Nearest("database", names), "");
  EXPECT_EQ(Nearest("", names), "");
  EXPECT_EQ(Nearest("x", {}), "");
  EXPECT_EQ(Nearest(std::string(1'000'000, 'x'), names), "");
}

// Up to three random edits of a word lead back to it, whatever shortcut the search takes.
TEST(Strings, NearestFindsEveryWordThatIsFewEditsAway) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string_view letters = "abcdefghijklmnopqrstuvwxyz_/";
  for (int round = 0; round < 5'000; ++round) {
    std::string word;
    for (std::size_t i = 0; i < 12; ++i) word += letters[below(letters.size())];
    std::string mistyped = word;
    for (std::size_t edits = below(4); edits > 0; --edits) {
      const std::size_t at = below(mistyped.size());
      const char letter = letters[below(letters.size())];
      switch (below(3)) {
        case 0:
          mistyped[at] = letter;
          break;
        case 1:
          mistyped.insert(at, 1, letter);
          break;
        default:
          mistyped.erase(at, 1);
      }
    }
    EXPECT_EQ(Nearest(mistyped, {"0123456789AB", word}), word) << mistyped;
  }
}

}  // namespace
}  // namespace toolpost::base
