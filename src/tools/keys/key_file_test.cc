#include "tools/keys/key_file.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace toolpost::tools::keys {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class KeyFileTest : public ::testing::Test {
 protected:
  KeyFileTest() {
    std::string name = (fs::temp_directory_path() / "toolpost_key_file_XXXXXX").string();
    root_ = mkdtemp(name.data());
    directory_ = root_ + "/state/keys";
  }
  ~KeyFileTest() override { fs::remove_all(root_); }

  void Put(const std::string& name, std::string_view text, mode_t mode = 0600) const {
    fs::create_directories(directory_);
    const std::string path = directory_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }
  std::string Refusal(const std::string& name) const {
    const auto text = ReadKeyFile(directory_, name);
    return text ? "read: " + *text : text.error().message;
  }
  static mode_t ModeOf(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
  }

  std::string root_;
  std::string directory_;
};

TEST_F(KeyFileTest, WhatIsWrittenIsPrivateAndReadBack) {
  ASSERT_TRUE(WriteKeyFile(directory_, "a.key", "secret text"));
  EXPECT_EQ(*ReadKeyFile(directory_, "a.key"), "secret text");
  EXPECT_EQ(ModeOf(directory_), mode_t{0700});
  EXPECT_EQ(ModeOf(directory_ + "/a.key"), mode_t{0600});
}

TEST_F(KeyFileTest, NothingIsReplacedAndNoLinkIsFollowed) {
  ASSERT_TRUE(WriteKeyFile(directory_, "a.key", "first"));
  EXPECT_FALSE(WriteKeyFile(directory_, "a.key", "second"));
  EXPECT_EQ(*ReadKeyFile(directory_, "a.key"), "first");
  fs::create_symlink(directory_ + "/a.key", directory_ + "/link");
  fs::create_symlink(root_ + "/outside", directory_ + "/dangling");
  EXPECT_FALSE(WriteKeyFile(directory_, "dangling", "text"));
  EXPECT_FALSE(fs::exists(root_ + "/outside"));
  EXPECT_THAT(Refusal("link"), HasSubstr("no such file"));
}

TEST_F(KeyFileTest, FilesOthersMayReadAreRefused) {
  for (const mode_t mode : {mode_t{0640}, mode_t{0604}, mode_t{0620}, mode_t{0666}}) {
    Put("open.key", "text", mode);
    EXPECT_THAT(Refusal("open.key"), HasSubstr("0600")) << mode;
  }
  Put("open.key", "text", 0400);
  EXPECT_EQ(*ReadKeyFile(directory_, "open.key"), "text");
}

TEST_F(KeyFileTest, OddFilesAreRefused) {
  Put("empty", "");
  Put("blank", "\n\n");
  Put("lines", "one\ntwo\n");
  Put("ends.key", "text\r\n");
  Put("long", std::string(5000, 'x'));
  fs::create_directories(directory_ + "/folder");
  ASSERT_EQ(mkfifo((directory_ + "/pipe").c_str(), 0600), 0);
  EXPECT_THAT(Refusal("empty"), HasSubstr("empty"));
  EXPECT_THAT(Refusal("blank"), HasSubstr("empty"));
  EXPECT_THAT(Refusal("lines"), HasSubstr("one line"));
  EXPECT_THAT(Refusal("long"), HasSubstr("too long"));
  EXPECT_THAT(Refusal("folder"), HasSubstr("no such file"));
  EXPECT_THAT(Refusal("pipe"), HasSubstr("no such file"));
  EXPECT_THAT(Refusal("absent"), AllOf(HasSubstr("absent"), Not(HasSubstr(root_))));
  EXPECT_EQ(*ReadKeyFile(directory_, "ends.key"), "text");
}

TEST_F(KeyFileTest, ADirectoryThatCannotBeMadeIsAnError) {
  const auto written = WriteKeyFile("/dev/null/keys", "a.key", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::kConflict);
  EXPECT_THAT(written.error().message, Not(HasSubstr("/dev/null")));
}

}  // namespace
}  // namespace toolpost::tools::keys
