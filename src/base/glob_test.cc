#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace toolpost::base {
namespace {

struct Row {
  const char* pattern;
  const char* path;
  bool matches;
};

TEST(Glob, PathPatternsMeanWhatPeopleExpect) {
  const Row rows[] = {
      {"*.cc", "a.cc", true},
      {"*.cc", "src/a.cc", true},
      {"*.cc", "a.cch", false},
      {"?.h", "a.h", true},
      {"?.h", "ab.h", false},
      {"src/*.h", "src/a.h", true},
      {"src/*.h", "src/b/a.h", false},
      {"src/**/*.h", "src/a.h", true},
      {"src/**/*.h", "src/b/c/a.h", true},
      {"**/test", "test", true},
      {"**/test", "a/b/test", true},
      {"src/**", "src/a/b", true},
      {"src/**", "srcs/a", false},
      {"[ab].c", "b.c", true},
      {"[!ab].c", "b.c", false},
      {"[a-c]x", "bx", true},
      {"[]a]", "]", true},
      {"*.{cc,h}", "x.h", true},
      {"*.{cc,h}", "x.hh", false},
      {"a+b(c)$^.|", "a+b(c)$^.|", true},
      {"a.c", "abc", false},
      {"\\*", "*", true},
      {"\\*", "x", false},
      {"*", "new\nline", true},
      {"a,b}", "a,b}", true},
      {"caf\xC3\xA9*", "caf\xC3\xA9s", true},
      {"[\xC3\xA4-\xC3\xBC]", "\xC3\xB6", true},
      {"[!a]", "\xC3\xB6", true},
      {"[!a]x", "/x", false},
      {"?", "\xFF", true},
      {"a{b,c{d,e}}f", "acef", true},
      {"a{b,c{d,e}}f", "abf", true},
      {"a{b,c{d,e}}f", "acf", false},
      {"a{,b}", "a", true},
      {"{src,lib}/**/*.{cc,h}", "lib/x/y.h", true},
      {"{src,lib}/**/*.{cc,h}", "bin/x/y.h", false},
      {".*", ".git", true},
      {"*", ".git", true},
  };
  for (const Row& row : rows) {
    const auto glob = Glob::ForPaths(row.pattern);
    ASSERT_TRUE(glob) << row.pattern << ": " << glob.error().message;
    EXPECT_EQ(glob->Matches(row.path), row.matches) << row.pattern << " on " << row.path;
  }
}

TEST(Glob, BadPatternsAreRefused) {
  for (const std::string& pattern :
       {std::string(), std::string("[a"), std::string("{a,b"), std::string("["),
        std::string(1001, 'a'), std::string("[z-a]")}) {
    const auto glob = Glob::ForPaths(pattern);
    ASSERT_FALSE(glob) << pattern;
    EXPECT_EQ(glob.error().code, Code::kInvalidArgument);
  }
}

// Every * ? [ of `pattern` is a wildcard.
bool Matches(std::string_view pattern, std::string_view name, std::size_t* steps = nullptr) {
  std::vector<std::uint32_t> wildcards;
  for (std::uint32_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '[') wildcards.push_back(i);
  }
  return Glob::ForNames(pattern, wildcards).Matches(name, steps);
}

TEST(Glob, NamePatternsMeanWhatPeopleExpect) {
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

TEST(Glob, QuotedWildcardsAreLetters) {
  EXPECT_TRUE(Glob::ForNames("*?[a]", {}).Matches("*?[a]"));
  EXPECT_FALSE(Glob::ForNames("*", {}).Matches("a"));
}

// Patterns and texts that make a backtracking matcher try forever. The constant is for the first
// characters, until all states are in use.
constexpr std::size_t kConstant = 4000;

TEST(Glob, StepsAtMostDoubleWithTheTextOrThePattern) {
  for (const std::string piece : {"*a", "a*?*", "**", "**/", "[ab]*", "{a,*}", "{a,{b,*}}", "?"}) {
    const auto steps = [&](std::size_t pieces, std::size_t length) {
      std::string pattern;
      for (std::size_t i = 0; i < pieces; ++i) pattern += piece;
      const auto glob = Glob::ForPaths(pattern + "X");
      EXPECT_TRUE(glob) << piece;
      std::size_t taken = 0;
      EXPECT_FALSE(glob->Matches(std::string(length, 'a'), &taken));
      return taken;
    };
    EXPECT_LE(steps(10, 1000), 2 * steps(10, 500) + kConstant) << piece;
    EXPECT_LE(steps(20, 500), 2 * steps(10, 500) + kConstant) << piece;
  }
}

TEST(Glob, NameStepsAtMostDouble) {
  std::string pattern;
  for (int i = 0; i < 15; ++i) pattern += "a*?*";
  pattern += "b";
  const auto steps = [&](std::size_t length) {
    std::size_t taken = 0;
    EXPECT_FALSE(Matches(pattern, std::string(length, 'a'), &taken));
    return taken;
  };
  EXPECT_LE(steps(1000), 2 * steps(500) + kConstant);
}

}  // namespace
}  // namespace toolpost::base
