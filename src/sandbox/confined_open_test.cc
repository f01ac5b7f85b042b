#include "sandbox/confined_open.h"

#include <fcntl.h>
#include <gmock/gmock.h>

#include "sandbox/open_beneath.h"
#include "sandbox/roots_fixture.h"

namespace toolpost::sandbox {
namespace {

class ConfinedOpenTest : public RootsFixture, public ::testing::WithParamInterface<bool> {
 protected:
  ConfinedOpenTest() {
    options_.walk = GetParam();
    Put("root/a/b/file", "content");
    Put("outside/file", "SECRET");
    EXPECT_EQ(symlink("../outside", (directory_ / "root/out").c_str()), 0);
    EXPECT_EQ(symlink("a", (directory_ / "root/in").c_str()), 0);
  }
};

TEST_P(ConfinedOpenTest, OpensFilesForReadingOnly) {
  const auto file = OpenRegular(Opened(), At("a/b/file"));
  ASSERT_TRUE(file) << file.error().message;
  const int flags = fcntl(file->descriptor.get(), F_GETFL);
  EXPECT_EQ(flags & O_ACCMODE, O_RDONLY);
  EXPECT_NE(fcntl(file->descriptor.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(file->at.st_size, 7);
}

TEST_P(ConfinedOpenTest, LinksAreRefusedEverywhere) {
  for (const char* path : {"out", "out/file", "in", "in/b/file", "in/b"}) {
    EXPECT_EQ(OpenRegular(Opened(), At(path)).error().code, Code::kPermissionDenied) << path;
    EXPECT_EQ(OpenDirectory(Opened(), At(path), O_RDONLY).error().code, Code::kPermissionDenied)
        << path;
  }
  EXPECT_EQ(OpenParent(Opened(), At("out/new"), true).error().code, Code::kPermissionDenied);
  EXPECT_EQ(OpenParent(Opened(), At("out/new/deep"), true).error().code, Code::kPermissionDenied);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "outside/new"));
  EXPECT_TRUE(S_ISLNK(Pin(Opened(), At("out"))->at.st_mode));
}

TEST_P(ConfinedOpenTest, ParentsAreMadeWithinTheRootOnly) {
  const auto made = OpenParent(Opened(), At("x/y/z/new"), true);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->name, "new");
  EXPECT_TRUE(std::filesystem::is_directory(directory_ / "root/x/y/z"));
  EXPECT_EQ(OpenParent(Opened(), At("a/b/file/new"), true).error().code, Code::kInvalidArgument);
  EXPECT_EQ(OpenParent(Opened(), At("no/new"), false).error().code, Code::kNotFound);
  EXPECT_EQ(OpenParent(Opened(), At("."), true).error().code, Code::kPermissionDenied);
}

TEST_P(ConfinedOpenTest, PathsThatClimbAreRefusedByTheKernelToo) {
  const int root = Opened().all()[0].directory.get();
  for (const char* path : {"..", "../outside/file", "a/../../outside/file", "/etc/passwd"}) {
    const sandbox::Opened opened = OpenBeneath(root, path, O_RDONLY, {.walk = GetParam()});
    EXPECT_FALSE(opened.descriptor) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ConfinedOpenTest, ::testing::Bool(), [](const auto& which) {
  return which.param ? "WithoutOpenat2" : "WithOpenat2";
});

}  // namespace
}  // namespace toolpost::sandbox
