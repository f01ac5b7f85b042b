#include "sandbox/protected_names.h"

#include <gtest/gtest.h>

namespace toolpost::sandbox {
namespace {

// The table is in tests/vectors/paths.json and run against the tools (tools/file/place_test.cc).
TEST(ProtectedNames, CostsOnePassOverLongPaths) {
  std::string path = ".git";
  for (int i = 0; i < 1000; ++i) path += "/a";
  EXPECT_FALSE(IsProtected(path));
  EXPECT_TRUE(IsProtected(path + "/config"));
  EXPECT_TRUE(IsInsideGit(path));
}

TEST(ProtectedNames, InsideGitNeedsAFolderOfThatName) {
  EXPECT_FALSE(IsInsideGit(".git"));
  EXPECT_TRUE(IsInsideGit("a/.git/b"));
  EXPECT_FALSE(IsInsideGit("a/.gitx/b"));
  EXPECT_FALSE(IsInsideGit(""));
  EXPECT_FALSE(IsProtected(""));
}

}  // namespace
}  // namespace toolpost::sandbox
