#include "db/private_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class PrivateFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "toolpost-file-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  mode_t Mode(const char* name) {
    struct stat status {};
    EXPECT_EQ(lstat((directory_ / name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  fs::path directory_;
};

TEST_F(PrivateFile, IsCreatedEmptyForItsOwnerOnly) {
  const mode_t old = umask(0);
  EXPECT_TRUE(MakePrivate(directory_ / "f", true));
  umask(old);
  EXPECT_EQ(Mode("f"), 0600u);
  EXPECT_EQ(fs::file_size(directory_ / "f"), 0u);
}

TEST_F(PrivateFile, KeepsItsContentAndGetsItsModeRepaired) {
  std::ofstream(directory_ / "f") << "content";
  for (const mode_t mode : {0666u, 0640u, 0400u, 04755u}) {
    ASSERT_EQ(chmod((directory_ / "f").c_str(), mode), 0);
    EXPECT_TRUE(MakePrivate(directory_ / "f", true));
    EXPECT_EQ(Mode("f"), 0600u);
  }
  EXPECT_EQ(fs::file_size(directory_ / "f"), 7u);
}

TEST_F(PrivateFile, MayBeMissingUnlessItIsToBeCreated) {
  EXPECT_TRUE(MakePrivate(directory_ / "f", false));
  EXPECT_FALSE(fs::exists(directory_ / "f"));
  const auto made = MakePrivate(directory_ / "nowhere" / "f", true);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::kUnavailable);
  EXPECT_THAT(made.error().message, Not(HasSubstr(directory_.string())));
}

TEST_F(PrivateFile, MustNotBeASymbolicLink) {
  std::ofstream(directory_ / "target") << "x";
  ASSERT_EQ(chmod((directory_ / "target").c_str(), 0644), 0);
  fs::create_symlink(directory_ / "target", directory_ / "f");
  const auto made = MakePrivate(directory_ / "f", true);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::kPermissionDenied);
  EXPECT_EQ(Mode("target"), 0644u);
  fs::create_symlink(directory_ / "missing", directory_ / "g");
  EXPECT_FALSE(MakePrivate(directory_ / "g", true));
  EXPECT_FALSE(fs::exists(directory_ / "missing"));
}

TEST_F(PrivateFile, MustBeARegularFile) {
  fs::create_directory(directory_ / "d");
  EXPECT_FALSE(MakePrivate(directory_ / "d", true));
  ASSERT_EQ(mkfifo((directory_ / "p").c_str(), 0600), 0);
  EXPECT_FALSE(MakePrivate(directory_ / "p", true));
}

TEST_F(PrivateFile, MustBelongToUs) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  std::ofstream(directory_ / "f") << "x";
  ASSERT_EQ(chown((directory_ / "f").c_str(), 65534, 65534), 0);
  const auto made = MakePrivate(directory_ / "f", true);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::kPermissionDenied);
  EXPECT_THAT(made.error().message, HasSubstr("another user"));
}

TEST_F(PrivateFile, KeepsTheLocksOfThisProcess) {
  std::ofstream(directory_ / "f") << "x";
  const int descriptor = open((directory_ / "f").c_str(), O_RDWR | O_CLOEXEC);
  struct flock wanted {};
  wanted.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(descriptor, F_SETLK, &wanted), 0);
  EXPECT_TRUE(MakePrivate(directory_ / "f", true));
  // Seen from another owner: an open file description.
  const int other = open((directory_ / "f").c_str(), O_RDWR | O_CLOEXEC);
  struct flock probe {};
  probe.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(other, F_OFD_GETLK, &probe), 0);
  EXPECT_EQ(probe.l_type, F_WRLCK);
  close(other);
  close(descriptor);
}

}  // namespace
}  // namespace toolpost::db
