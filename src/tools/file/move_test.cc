#include <sys/mount.h>
#include <unistd.h>

#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using std::filesystem::exists;
using ::testing::HasSubstr;

class MoveTest : public FileFixture {
 protected:
  static JsonObject FromTo(std::string_view source, std::string_view destination) {
    return {{"source", source}, {"destination", destination}};
  }
};

TEST_F(MoveTest, RenamesFilesAndFoldersAndMakesFolders) {
  Put(Root("a"), "x");
  EXPECT_EQ(Good("file/move", FromTo("a", "new/place/b")).at("type"), "file");
  EXPECT_EQ(Get(Root("new/place/b")), "x");
  EXPECT_EQ(Good("file/move", FromTo("new", "old")).at("type"), "directory");
  EXPECT_EQ(Get(Root("old/place/b")), "x");
}

TEST_F(MoveTest, ReplacesOnlyWhenAsked) {
  Put(Root("a"), "new");
  Put(Root("b"), "old");
  EXPECT_THAT(Bad("file/move", FromTo("a", "b")), HasSubstr("overwrite"));
  EXPECT_EQ(Get(Root("b")), "old");
  JsonObject arguments = FromTo("a", "b");
  arguments["overwrite"] = true;
  Good("file/move", arguments);
  EXPECT_EQ(Get(Root("b")), "new");
  std::filesystem::create_directory(Root("d"));
  Put(Root("a"), "x");
  EXPECT_THAT(Bad("file/move", FromTo("a", "d")), HasSubstr("folder"));
}

TEST_F(MoveTest, StaysInsideTheRoots) {
  Put(Root("a"), "x");
  ASSERT_EQ(symlink("../outside", Root("out").c_str()), 0);
  EXPECT_THAT(Bad("file/move", FromTo("a", "../outside/a")), HasSubstr("outside"));
  EXPECT_THAT(Bad("file/move", FromTo("a", "out/a")), HasSubstr("symbolic link"));
  EXPECT_THAT(Bad("file/move", FromTo("out/secret", "mine")), HasSubstr("symbolic link"));
  EXPECT_THAT(Bad("file/move", FromTo("../outside/secret", "mine")), HasSubstr("outside"));
  EXPECT_FALSE(exists(Outside("a")));
  EXPECT_TRUE(exists(Outside("secret")));
  Good("file/move", FromTo("out", "renamed"));
  EXPECT_TRUE(std::filesystem::is_symlink(Root("renamed")));
}

TEST_F(MoveTest, NothingBecomesARepositoryThatGitObeys) {
  Put(Root("fake/config"), "[core]\nfsmonitor=evil");
  Put(Root("fake/hooks/pre-commit"), "evil");
  Put(Root("repo/.git/HEAD"), "ref");
  for (const char* destination :
       {".git", "repo/.git", "sub/.git", "repo/.git/hooks", "repo/.git/modules/x"}) {
    Bad("file/move", FromTo("fake", destination));
    EXPECT_TRUE(exists(Root("fake/config"))) << destination;
  }
  EXPECT_THAT(Bad("file/move", FromTo("fake/config", "repo/.git/config")), HasSubstr("protected"));
  EXPECT_THAT(Bad("file/move", FromTo("repo/.git", "repo/g")), HasSubstr("protected"));
  Good("file/move", FromTo("repo", "renamed"));
}

TEST_F(MoveTest, RootsAndFoldersIntoThemselvesStay) {
  std::filesystem::create_directories(Root("d/e"));
  Bad("file/move", FromTo(".", "x"));
  EXPECT_THAT(Bad("file/move", FromTo("d", "d/e/d")), HasSubstr("inside"));
  EXPECT_THAT(Bad("file/move", FromTo("none", "x")), HasSubstr("none does not exist"));
}

TEST_F(MoveTest, FilesMoveBetweenFileSystems) {
  std::filesystem::create_directories(Root("mount"));
  if (mount("none", Root("mount").c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "may not mount";
  Put(Root("a"), "content");
  Put(Root("d/f"), "");
  Good("file/move", FromTo("a", "mount/b"));
  EXPECT_EQ(Get(Root("mount/b")), "content");
  EXPECT_FALSE(exists(Root("a")));
  EXPECT_THAT(Bad("file/move", FromTo("d", "mount/d")), HasSubstr("file systems"));
  EXPECT_TRUE(exists(Root("d/f")));
  umount(Root("mount").c_str());
}

}  // namespace
}  // namespace toolpost::tools::file
