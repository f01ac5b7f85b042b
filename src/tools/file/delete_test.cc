#include <sys/mount.h>
#include <unistd.h>

#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using std::filesystem::exists;
using ::testing::HasSubstr;

using DeleteTest = FileFixture;

TEST_F(DeleteTest, PRD_FR_011_1_DeletesAFile) {
  Put(Root("f"), "12345");
  const Json result = Good("file/delete", {{"path", "f"}});
  EXPECT_FALSE(exists(Root("f")));
  EXPECT_EQ(result.at("count"), 1);
  EXPECT_EQ(result.at("bytes"), 5);
}

TEST_F(DeleteTest, PRD_FR_011_2_PRD_AC_004_4_FoldersNeedRecursive) {
  Put(Root("d/e/f"), "x");
  EXPECT_THAT(Bad("file/delete", {{"path", "d"}}), HasSubstr("recursive"));
  EXPECT_TRUE(exists(Root("d/e/f")));
  EXPECT_EQ(Good("file/delete", {{"path", "d"}, {"recursive", true}}).at("count"), 3);
  EXPECT_FALSE(exists(Root("d")));
  std::filesystem::create_directory(Root("empty"));
  EXPECT_EQ(Good("file/delete", {{"path", "empty"}}).at("count"), 1);
}

TEST_F(DeleteTest, PRD_FR_011_3_ConfirmsTheDeletion) {
  Put(Root("f"), "x");
  const Json result = Good("file/delete", {{"path", "f"}});
  EXPECT_EQ(result.at("deleted"), true);
  EXPECT_EQ(result.at("path"), "f");
  EXPECT_THAT(Bad("file/delete", {{"path", "f"}}), HasSubstr("f does not exist"));
}

TEST_F(DeleteTest, DryRunTellsAndKeeps) {
  Put(Root("d/a"), "123");
  Put(Root("d/b"), "");
  const Json result = Good("file/delete", {{"path", "d"}, {"recursive", true}, {"dryRun", true}});
  EXPECT_EQ(result.at("deleted"), false);
  EXPECT_EQ(result.at("count"), 3);
  EXPECT_EQ(result.at("wouldDelete"), (Json{"d", "d/a", "d/b"}));
  EXPECT_TRUE(exists(Root("d/a")));
  EXPECT_THAT(Bad("file/delete", {{"path", "d"}, {"dryRun", true}}), HasSubstr("recursive"));
}

TEST_F(DeleteTest, LinksAreDeletedNotFollowed) {
  ASSERT_EQ(symlink("../outside", Root("out").c_str()), 0);
  Put(Root("d/x"), "");
  ASSERT_EQ(symlink("../../outside", Root("d/out").c_str()), 0);
  ASSERT_EQ(symlink("../../outside/secret", Root("d/secret").c_str()), 0);
  Good("file/delete", {{"path", "out"}});
  Good("file/delete", {{"path", "d"}, {"recursive", true}});
  EXPECT_EQ(Get(Outside("secret")), "SECRET");
  ASSERT_EQ(symlink("../outside", Root("out").c_str()), 0);
  EXPECT_THAT(Bad("file/delete", {{"path", "out/secret"}}), HasSubstr("symbolic link"));
  EXPECT_EQ(Get(Outside("secret")), "SECRET");
}

TEST_F(DeleteTest, RootsAndWhatHoldsThemStay) {
  std::filesystem::create_directories(Root("sub/inner"));
  options_.roots.roots.push_back(Root("sub/inner").string());
  for (const std::string& path : {std::string("."), Root("").string(), std::string("sub"),
                                  Root("sub/inner").string(), std::string("sub/inner")}) {
    Bad("file/delete", {{"path", path}, {"recursive", true}});
    EXPECT_TRUE(exists(Root("sub/inner"))) << path;
  }
}

TEST_F(DeleteTest, ProtectedNamesInsideKeepTheWholeTree) {
  Put(Root("repo/.git/config"), "[core]");
  Put(Root("repo/a"), "x");
  EXPECT_THAT(Bad("file/delete", {{"path", "repo"}, {"recursive", true}}), HasSubstr("protected"));
  EXPECT_THAT(Bad("file/delete", {{"path", "repo"}, {"recursive", true}, {"dryRun", true}}),
              HasSubstr(".git"));
  EXPECT_TRUE(exists(Root("repo/a")));
}

TEST_F(DeleteTest, TooDeepTreesAreLeftWhole) {
  std::filesystem::path deep = Root("deep");
  for (int i = 0; i < 140; ++i) deep /= "d";
  std::filesystem::create_directories(deep);
  Put(Root("deep/first"), "");
  EXPECT_THAT(Bad("file/delete", {{"path", "deep"}, {"recursive", true}}), HasSubstr("levels"));
  EXPECT_TRUE(exists(Root("deep/first")));
}

TEST_F(DeleteTest, MountsAreNotCrossed) {
  std::filesystem::create_directories(Root("d/mount"));
  if (mount("none", Root("d/mount").c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "may not mount";
  Put(Root("d/mount/f"), "x");
  const auto outcome = Run("file/delete", {{"path", "d"}, {"recursive", true}});
  EXPECT_TRUE(outcome.error);
  EXPECT_TRUE(exists(Root("d/mount/f")));
  umount(Root("d/mount").c_str());
}

TEST_F(DeleteTest, TemporaryFilesOfWritersGoWithTheirFolder) {
  Put(Root("d/.toolpost-0123456789abcdef0123456789abcdef.tmp"), "x");
  EXPECT_THAT(Bad("file/delete", {{"path", "d"}}), HasSubstr("recursive"));
  Good("file/delete", {{"path", "d"}, {"recursive", true}});
  EXPECT_FALSE(exists(Root("d")));
}

}  // namespace
}  // namespace toolpost::tools::file
