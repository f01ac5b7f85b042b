#include "tools/file/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace toolpost::tools::file {
namespace {

struct Row {
  const char* pattern;
  const char* path;
  bool matches;
};

TEST(Glob, Table) {
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
  };
  for (const Row& row : rows) {
    const auto glob = Glob::Compile(row.pattern);
    ASSERT_TRUE(glob) << row.pattern << ": " << glob.error().message;
    EXPECT_EQ(glob->Matches(row.path), row.matches) << row.pattern << " on " << row.path;
  }
}

TEST(Glob, BadPatternsAreRefused) {
  for (const std::string& pattern :
       {std::string(), std::string("[a"), std::string("{a,b"), std::string("["),
        std::string(1001, 'a'), std::string("[z-a]")}) {
    const auto glob = Glob::Compile(pattern);
    ASSERT_FALSE(glob) << pattern;
    EXPECT_EQ(glob.error().code, Code::kInvalidArgument);
  }
}

TEST(Glob, ManyStarsOnALongNameEnd) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  const auto glob = Glob::Compile(pattern + "b");
  ASSERT_TRUE(glob);
  EXPECT_FALSE(glob->Matches(std::string(4000, 'a')));
}

}  // namespace
}  // namespace toolpost::tools::file
