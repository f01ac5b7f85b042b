#include "tools/file/diff.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/strings.h"

namespace toolpost::tools::file {
namespace {

// Applies a diff to the text it was made from.
std::string Apply(const std::string& before, const std::string& diff) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < before.size();) {
    const std::size_t end = std::min(before.find('\n', at), before.size() - 1);
    lines.push_back(before.substr(at, end + 1 - at));
    at = end + 1;
  }
  std::string after;
  std::size_t next = 0;
  std::size_t last_append = 0;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = diff.find('\n', at);
    const std::string line = diff.substr(at, end + 1 - at);
    at = end + 1;
    if (line.starts_with("@@")) {
      const std::size_t comma = line.find(',');
      const std::size_t start = std::stoul(line.substr(4, comma - 4));
      const bool empty = line.substr(comma + 1, 2) == "0 ";
      const std::size_t until = empty ? start : start - 1;
      while (next < until) after += lines[next++];
    } else if (line[0] == '\\') {
      if (last_append > 0) after.pop_back();
    } else if (line[0] == '+') {
      after += line.substr(1);
      last_append = 1;
    } else {
      last_append = 0;
      if (line[0] == ' ') {
        after += lines[next];
      }
      ++next;
    }
  }
  while (next < lines.size()) after += lines[next++];
  return after;
}

TEST(UnifiedDiff, EqualTextsHaveNone) {
  EXPECT_EQ(UnifiedDiff("", ""), "");
  EXPECT_EQ(UnifiedDiff("a\n", "a\n"), "");
}

TEST(UnifiedDiff, Forms) {
  EXPECT_EQ(UnifiedDiff("", "a\n"), "@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(UnifiedDiff("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n");
  EXPECT_EQ(UnifiedDiff("a", "b\n"), "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n");
  EXPECT_EQ(UnifiedDiff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n"),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, DistantChangesAreSeparateHunks) {
  std::string before;
  for (int i = 1; i <= 40; ++i) before += base::StrCat(i, "\n");
  std::string after = before;
  after.replace(after.find("5\n"), 2, "five\n");
  after.replace(after.find("35\n"), 3, "thirty-five\n");
  const std::string diff = UnifiedDiff(before, after);
  EXPECT_NE(diff.find("@@ -2,7 +2,7 @@"), std::string::npos) << diff;
  EXPECT_NE(diff.find("@@ -32,7 +32,7 @@"), std::string::npos) << diff;
  EXPECT_EQ(Apply(before, diff), after);
}

TEST(UnifiedDiff, AppliedToTheOldTextGivesTheNewOne) {
  std::mt19937 random(42);
  for (int round = 0; round < 500; ++round) {
    const auto text = [&] {
      std::string made;
      const int lines = static_cast<int>(random() % 30);
      for (int i = 0; i < lines; ++i) made += base::StrCat(random() % 5, "\n");
      return made;
    };
    const std::string before = text();
    const std::string after = text();
    EXPECT_EQ(Apply(before, UnifiedDiff(before, after)), after) << before << "---\n" << after;
  }
}

TEST(UnifiedDiff, LargeDifferencesAreBounded) {
  std::string before;
  std::string after;
  for (int i = 0; i < 20'000; ++i) {
    before += base::StrCat("old ", i, "\n");
    after += base::StrCat("new ", i, "\n");
  }
  EXPECT_EQ(Apply(before, UnifiedDiff(before, after)), after);
}

}  // namespace
}  // namespace toolpost::tools::file
