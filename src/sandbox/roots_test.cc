#include "sandbox/roots.h"

#include <gmock/gmock.h>

#include "sandbox/roots_fixture.h"

namespace toolpost::sandbox {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using RootsTest = RootsFixture;

TEST_F(RootsTest, TheDeepestRootWinsByEveryWayToIt) {
  std::filesystem::create_directories(directory_ / "root/vendor");
  options_.read_only_roots = {"root/vendor"};
  for (const char* path : {"vendor/x", "./vendor/../vendor/x"})
    EXPECT_TRUE(At(path, Access::kRead).root->read_only) << path;
  EXPECT_FALSE(At("vendored", Access::kRead).root->read_only);
  EXPECT_EQ(Opened().Locate("vendor/x", Access::kWrite).error().code, Code::kPermissionDenied);
}

TEST_F(RootsTest, OneFolderTwiceIsOneRootAndReadOnlyWins) {
  ASSERT_EQ(symlink("root", (directory_ / "alias").c_str()), 0);
  options_.read_only_roots = {(directory_ / "alias").string()};
  ASSERT_EQ(Opened().all().size(), 1u);
  EXPECT_TRUE(Opened().all()[0].read_only);
  EXPECT_EQ(At((directory_ / "alias/x").string(), Access::kRead).relative, "x");
}

TEST_F(RootsTest, TheRootItselfAndNames) {
  EXPECT_EQ(At(".").relative, "");
  EXPECT_EQ(At(".").name(), "");
  EXPECT_EQ(At("a/b/c").name(), "c");
  EXPECT_EQ(At("a/b/c").parent(), "a/b");
  EXPECT_EQ(At("c").parent(), "");
}

TEST_F(RootsTest, RefusalsDoNotTellTheRoots) {
  const auto refused = Opened().Locate("../x", Access::kRead);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::Not(HasSubstr(directory_.string())));
  // The same words whether it exists or not.
  Put("exists");
  const auto exists = Opened().Locate((directory_ / "exists").string(), Access::kRead);
  const auto missing = Opened().Locate((directory_ / "exists").string() + "2", Access::kRead);
  EXPECT_EQ(exists.error().message.size() + 1, missing.error().message.size());
}

TEST_F(RootsTest, NarrowKeepsHiddenAndReadOnly) {
  Put("root/a/state/key");
  std::filesystem::create_directories(directory_ / "root/b");
  options_.hidden = {(directory_ / "root/a/state").string()};
  options_.read_only_roots = {"root/b"};
  const auto narrowed = Opened().Narrow({"a", "b", (directory_ / "root/a").string()}, "nothing");
  std::vector<std::string> paths;
  for (const Root& root : narrowed->all()) paths.push_back(root.path);
  EXPECT_THAT(paths,
              ElementsAre((directory_ / "root/a").string(), (directory_ / "root/b").string()));
  EXPECT_TRUE(narrowed->all()[1].read_only);
  EXPECT_FALSE(narrowed->Locate("state/key", Access::kRead));
  EXPECT_TRUE(HoldsOther(narrowed->all()[0], "state"));
  EXPECT_EQ(Opened().Narrow({}, "nothing")->Locate("x", Access::kRead).error().message, "nothing");
}

TEST_F(RootsTest, NarrowingARootSwapsNothingIn) {
  std::filesystem::create_directories(directory_ / "outside");
  ASSERT_EQ(symlink("../outside", (directory_ / "root/link").c_str()), 0);
  EXPECT_TRUE(Opened().Narrow({"link"}, "nothing")->all().empty());
}

TEST_F(RootsTest, TheStateDirectoryInsideARootIsHiddenBeforeItExists) {
  options_.hidden = {(directory_ / "root/later").string()};
  EXPECT_FALSE(Opened().Locate("later/x", Access::kWrite));
  EXPECT_FALSE(Opened().Locate("later", Access::kRead));
  EXPECT_TRUE(Opened().Locate("laterx", Access::kRead));
}

}  // namespace
}  // namespace toolpost::sandbox
