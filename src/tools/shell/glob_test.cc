#include "tools/shell/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace toolpost::tools::shell {
namespace {

// Every * ? [ of `pattern` is a wildcard.
bool Matches(std::string_view pattern, std::string_view name, std::size_t* steps = nullptr) {
  std::vector<std::uint32_t> wildcards;
  for (std::uint32_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '[') wildcards.push_back(i);
  }
  return Glob(pattern, wildcards).Matches(name, steps);
}

TEST(ShellGlob, WildcardsMeanWhatPeopleExpect) {
  for (const auto& [pattern, name, expected] :
       std::initializer_list<std::tuple<std::string_view, std::string_view, bool>>{
           {"*", "a", true},           {"*", "", true},          {"*.c", "a.c", true},
           {"*.c", "a.h", false},      {"*.c", ".c", false},     {".*", ".git", true},
           {"a*b*c", "aXbYc", true},   {"a*b*c", "abcd", false}, {"a**b", "ab", true},
           {"?", "a", true},           {"?", "\u4e2d", true},    {"??", "\u4e2d", false},
           {"?*", "\u4e2d", true},     {"?*?", "\u4e2d", false}, {"*?", "ab", true},
           {"?b", "\u00fcb", true},    {"[abc]x", "bx", true},   {"[a-c]x", "dx", false},
           {"[!a]x", "\u00fcx", true}, {"[^a]x", "ax", false},   {"[]]", "]", true},
           {"[a", "[a", true},         {"[a-]", "-", true},      {"", "", true},
           {"", "a", false},           {"abc", "abc", true},     {"*a", "aaab", false},
           {"*aab", "aaab", true}}) {
    EXPECT_EQ(Matches(pattern, name), expected) << pattern << " against " << name;
  }
}

TEST(ShellGlob, QuotedWildcardsAreLetters) {
  EXPECT_TRUE(Glob("*?[a]", {}).Matches("*?[a]"));
  EXPECT_FALSE(Glob("*", {}).Matches("a"));
}

TEST(ShellGlob, StepsGrowWithTheNameOnly) {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "a*?*";
  pattern += "b";
  const auto steps = [&](std::size_t length) {
    std::size_t taken = 0;
    EXPECT_FALSE(Matches(pattern, std::string(length, 'a'), &taken));
    return taken;
  };
  EXPECT_LE(steps(2000), 2 * steps(1000) + 16);
  EXPECT_LE(steps(2000), 2000u);
}

}  // namespace
}  // namespace toolpost::tools::shell
