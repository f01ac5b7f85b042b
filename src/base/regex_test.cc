// Regular expressions: ECMA-262 spelling, refusals, hostile patterns.
#include "base/regex.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace toolpost::base {
namespace {

bool Matches(std::string_view pattern, std::string_view text) {
  auto regex = Regex::Compile(pattern);
  EXPECT_TRUE(regex) << pattern << ": " << (regex ? "" : regex.error().message);
  return regex && regex->Search(text);
}

std::string Refusal(std::string_view pattern) {
  const auto regex = Regex::Compile(pattern);
  EXPECT_FALSE(regex) << pattern;
  if (regex) return {};
  EXPECT_EQ(regex.error().code, Code::kInvalidArgument);
  return regex.error().message;
}

TEST(Regex, SearchesAnywhereUnlessAnchored) {
  EXPECT_TRUE(Matches("a+", "xxaay"));
  EXPECT_FALSE(Matches("^a+$", "xaa"));
  EXPECT_TRUE(Matches("", "anything"));
}

TEST(Regex, AnchorsMeanTheWholeTextNotLines) {
  EXPECT_FALSE(Matches("^b$", "a\nb"));
  EXPECT_FALSE(Matches("^a$", "a\n"));
}

TEST(Regex, ClassesAreThoseOfEcma) {
  EXPECT_TRUE(Matches("^\\d$", "7"));
  EXPECT_FALSE(Matches("^\\d$", "৪"));
  EXPECT_FALSE(Matches("^\\w$", "é"));
  EXPECT_TRUE(Matches("^\\W$", "é"));
  EXPECT_TRUE(Matches("^[\\D]$", "é"));
  for (const char* space : {" ", "\v", "\u00a0", "\u2003", "\u2028", "\ufeff", "\u3000"}) {
    EXPECT_TRUE(Matches("^\\s$", space));
    EXPECT_TRUE(Matches("^[\\s]$", space));
    EXPECT_FALSE(Matches("^\\S$", space));
    EXPECT_FALSE(Matches("^[\\S]$", space));
  }
  EXPECT_TRUE(Matches("^[^\\S]$", "\u00a0"));
  EXPECT_FALSE(Matches("\\s", "\u200b"));
}

TEST(Regex, DotIsOneCodePointButNoLineEnd) {
  EXPECT_TRUE(Matches("^.$", "🐲"));
  for (const char* end : {"\n", "\r", "\u2028", "\u2029"}) EXPECT_FALSE(Matches("^.$", end));
}

TEST(Regex, EscapesOfCodePoints) {
  EXPECT_TRUE(Matches("^\\x41\\u0042\\u{43}$", "ABC"));
  EXPECT_TRUE(Matches("^\\uD83D\\uDC32*$", "🐲🐲"));
  EXPECT_TRUE(Matches("^\\u{1F432}$", "🐲"));
  EXPECT_TRUE(Matches("^[\\u{1F430}-\\u{1F432}]$", "🐲"));
  EXPECT_TRUE(Matches("^\\cC\\cj$", "\x03\n"));
  EXPECT_TRUE(Matches("^\\0$", std::string_view("\0", 1)));
  EXPECT_TRUE(Matches("^[\\b]\\t$", "\b\t"));
  EXPECT_TRUE(Matches("^\\/\\-\\.\\\"$", "/-.\""));
}

TEST(Regex, UnicodePropertiesByLongAndShortName) {
  EXPECT_TRUE(Matches("^\\p{Letter}+$", "aπ"));
  EXPECT_TRUE(Matches("^\\p{L}\\P{L}$", "é1"));
  EXPECT_TRUE(Matches("^\\p{Script=Greek}$", "π"));
  EXPECT_FALSE(Matches("^\\p{sc=Grek}$", "a"));
  EXPECT_TRUE(Matches("^[\\p{Lu}\\p{Decimal_Number}]+$", "Ä৪"));
  EXPECT_TRUE(Matches("^\\p{General_Category=Uppercase_Letter}$", "Ä"));
  EXPECT_TRUE(Matches("^\\p{digit}$", "৪"));
  EXPECT_TRUE(Matches("^\\p{LC}$", "a"));
  EXPECT_TRUE(Matches("^\\p{Unassigned}$", "\u0378"));
  EXPECT_FALSE(Matches("^\\p{C}$", "a"));
  EXPECT_TRUE(Matches("^\\p{C}$", "\x01"));
  EXPECT_TRUE(Matches("^[\\P{C}]$", "a"));
  EXPECT_TRUE(Matches("^\\p{ASCII}\\P{ASCII}$", "aé"));
  for (const char* unknown :
       {"\\p{Greek}", "\\p{letter}", "\\p{Script=L}", "\\p{}", "\\p{gc=Greek}", "\\pL",
        "\\p{Script=Klingonese}", "\\p{Script_Extensions=Greek}", "\\p{L"}) {
    Refusal(unknown);
  }
}

TEST(Regex, ClassesKeepTheirOddMembers) {
  EXPECT_TRUE(Matches("^[\\w.-]+$", "a-b.c"));
  EXPECT_TRUE(Matches("^[\\w-.]+$", "a-b.c"));
  EXPECT_FALSE(Matches("^[\\w-.]+$", "a/b"));
  EXPECT_TRUE(Matches("^[[^&]+$", "[^&"));
  EXPECT_TRUE(Matches("^[^]$", "\n"));
  EXPECT_FALSE(Matches("[]", "a"));
  EXPECT_TRUE(Matches("^[[:alpha:]$", ":"));  // no POSIX classes in ECMA
  EXPECT_TRUE(Matches("^{a}]$", "{a}]"));
  EXPECT_TRUE(Matches("^(?<year>\\d{4})-(?:\\d{2})$", "2026-01"));
}

TEST(Regex, RefusesWhatNeedsBacktrackingWithTheReason) {
  for (const char* pattern : {"a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b"}) {
    EXPECT_NE(Refusal(pattern).find("lookahead"), std::string::npos);
  }
  EXPECT_NE(Refusal("(a)\\1").find("backreferences"), std::string::npos);
  EXPECT_NE(Refusal("(?<n>a)\\k<n>").find("backreferences"), std::string::npos);
}

TEST(Regex, RefusesMalformedPatterns) {
  for (const char* pattern :
       {"(",    ")",     "[a",       "a**",  "\\",          "[z-a]",   "[a-\\d]", "\\a",
        "\\Z",  "\\Q",   "\\u12",    "\\x1", "\\u{110000}", "\\uD83D", "\\uDC32", "\\uD83D\\u0041",
        "\\c1", "(?i)a", "(?P<n>a)", "*",    "(?<a",        "\\u{}",   "[\\B]",   "\\01",
        "\xff", "[\xc3"}) {
    Refusal(pattern);
  }
}

TEST(Regex, HostilePatternsAreRefusedOrLinear) {
  Refusal("((a{1000}){1000}){1000}");
  Refusal("(\\p{L}{1000}){1000}");
  Refusal(std::string(40'960, 'a'));
  Refusal(std::string(2000, '('));
  EXPECT_FALSE(Matches("^(a+)+$", std::string(100'000, 'a') + "b"));
  EXPECT_FALSE(Matches("^(a|aa|a*)*b$", std::string(100'000, 'a')));
  EXPECT_FALSE(Matches("(x+x+)+y", std::string(100'000, 'x')));
}

TEST(Regex, WritesNothingToStandardError) {
  testing::internal::CaptureStderr();
  Refusal("((a{1000}){1000}){1000}");
  Refusal("a**");
  Matches("[a-q][^u-z]{13}x", std::string(200'000, 'q'));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Regex, MatchesTheSameOnManyThreads) {
  const auto regex = Regex::Compile("^(ab|c)+\\p{Letter}$");
  ASSERT_TRUE(regex);
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&regex] {
      for (int i = 0; i < 500; ++i) {
        EXPECT_TRUE(regex->Search("ababcé"));
        EXPECT_FALSE(regex->Search("ababc1"));
      }
    });
  }
}

TEST(Regex, LiteralsAndCase) {
  const auto literal = Regex::Literal("a.(B", Case::kIgnored);
  ASSERT_TRUE(literal);
  EXPECT_TRUE(literal->Search("xA.(bx"));
  EXPECT_FALSE(literal->Search("axxb"));
  EXPECT_FALSE(Regex::Literal("a.(B", Case::kMatters)->Search("A.(b"));
  EXPECT_TRUE(Regex::Compile("^ab\\d$", Case::kIgnored)->Search("AB1"));
  EXPECT_FALSE(Regex::Compile("^abc$")->Search("ABC"));
  EXPECT_FALSE(Regex::Literal(std::string(40'000, 'a'), Case::kMatters));
}

}  // namespace
}  // namespace toolpost::base
