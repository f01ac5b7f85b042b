#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/crypto.h"
#include "sandbox/atomic_file.h"
#include "tools/file/content.h"
#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class WriteTest : public FileFixture {
 protected:
  std::vector<std::string> NamesIn(const std::filesystem::path& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    return names;
  }
  mode_t ModeOf(const std::filesystem::path& path) const {
    struct stat at {};
    EXPECT_EQ(stat(path.c_str(), &at), 0) << path;
    return at.st_mode & 07777;
  }
};

TEST_F(WriteTest, PRD_FR_009_1_WritesContent) {
  Good("file/write", {{"path", "f"}, {"content", "first"}});
  EXPECT_EQ(Get(Root("f")), "first");
  EXPECT_EQ(Good("file/write", {{"path", "f"}, {"content", ""}}).at("replaced"), true);
  EXPECT_EQ(Get(Root("f")), "");
}

TEST_F(WriteTest, PRD_FR_009_2_PRD_AC_004_2_MakesFoldersUnlessToldNotTo) {
  Good("file/write", {{"path", "a/b/c/f"}, {"content", "x"}});
  EXPECT_EQ(Get(Root("a/b/c/f")), "x");
  EXPECT_THAT(Bad("file/write", {{"path", "d/f"}, {"content", "x"}, {"createDirectories", false}}),
              HasSubstr("does not exist"));
  EXPECT_FALSE(std::filesystem::exists(Root("d")));
  Put(Root("file"), "x");
  EXPECT_THAT(Bad("file/write", {{"path", "file/f"}, {"content", "x"}}), HasSubstr("no folder"));
}

TEST_F(WriteTest, PRD_FR_009_3_DecodesEncodings) {
  Good("file/write", {{"path", "b"}, {"content", "AP8="}, {"encoding", "base64"}});
  EXPECT_EQ(Get(Root("b")), std::string("\x00\xFF", 2));
  Good("file/write", {{"path", "h"}, {"content", "00fF41"}, {"encoding", "hex"}});
  EXPECT_EQ(Get(Root("h")), std::string("\x00\xFF"
                                        "A",
                                        3));
  for (const char* bad : {"A", "AP8", "AP8=\n", "A P8", "\xC3\xA9"}) {
    EXPECT_THAT(Bad("file/write", {{"path", "x"}, {"content", bad}, {"encoding", "base64"}}),
                HasSubstr("base64"))
        << bad;
  }
  for (const char* bad : {"0", "0g", "00 ", "0x00"}) {
    EXPECT_THAT(Bad("file/write", {{"path", "x"}, {"content", bad}, {"encoding", "hex"}}),
                HasSubstr("hex"))
        << bad;
  }
  EXPECT_FALSE(std::filesystem::exists(Root("x")));
}

TEST_F(WriteTest, PRD_FR_009_4_ReturnsMetadata) {
  const Json result = Good("file/write", {{"path", "f"}, {"content", "12345"}});
  EXPECT_EQ(result.at("path"), "f");
  EXPECT_EQ(result.at("size"), 5);
  EXPECT_EQ(result.at("encoding"), "utf-8");
  EXPECT_EQ(result.at("replaced"), false);
  EXPECT_EQ(Text(result.at("sha256")), Digest("12345"));
  EXPECT_EQ(Text(result.at("modified")).substr(0, 2), "20");
}

TEST_F(WriteTest, AppendsAndKeepsWhatWasThere) {
  Good("file/write", {{"path", "log"}, {"content", "one\n"}, {"append", true}});
  const Json result = Good("file/write", {{"path", "log"}, {"content", "two\n"}, {"append", true}});
  EXPECT_EQ(Get(Root("log")), "one\ntwo\n");
  EXPECT_EQ(result.at("size"), 8);
}

TEST_F(WriteTest, ConcurrentAppendsAllArrive) {
  Start();
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        mcp::TestContext caller;
        const auto tool = registry.Find("file/write");
        const auto written = tool->tool.handler(
            {{"path", "log"}, {"content", std::to_string(t) + "\n"}, {"append", true}}, caller);
        EXPECT_TRUE(written) << written.error().message;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Get(Root("log")).size(), 200u);
}

TEST_F(WriteTest, IfMatchRefusesLostUpdates) {
  Put(Root("f"), "old");
  EXPECT_THAT(Bad("file/write", {{"path", "f"}, {"content", "x"}, {"ifMatch", Digest("other")}}),
              HasSubstr("changed"));
  EXPECT_EQ(Get(Root("f")), "old");
  Good("file/write", {{"path", "f"}, {"content", "new"}, {"ifMatch", Digest("old")}});
  EXPECT_EQ(Get(Root("f")), "new");
  EXPECT_THAT(Bad("file/write", {{"path", "f"}, {"content", "x"}, {"ifMatch", "none"}}),
              HasSubstr("exists"));
  EXPECT_THAT(Bad("file/write", {{"path", "g"}, {"content", "x"}, {"ifMatch", Digest("")}}),
              HasSubstr("does not exist"));
  Good("file/write", {{"path", "g"}, {"content", "x"}, {"ifMatch", "none"}});
}

TEST_F(WriteTest, OneOfManyIfMatchWritersWins) {
  Put(Root("f"), "old");
  Start();
  std::atomic<int> won = 0;
  std::vector<std::thread> writers;
  for (int t = 0; t < 8; ++t) {
    writers.emplace_back([&, t] {
      mcp::TestContext caller;
      const auto tool = registry.Find("file/write");
      if (tool->tool.handler(
              {{"path", "f"}, {"content", std::to_string(t)}, {"ifMatch", Digest("old")}}, caller))
        ++won;
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(won, 1);
}

TEST_F(WriteTest, KeepsTheModeButNeverSetuid) {
  Put(Root("script"), "old");
  ASSERT_EQ(chmod(Root("script").c_str(), 04755), 0);
  Good("file/write", {{"path", "script"}, {"content", "new"}});
  EXPECT_EQ(ModeOf(Root("script")), 0755u);
  Put(Root("private"), "old");
  ASSERT_EQ(chmod(Root("private").c_str(), 0600), 0);
  Good("file/write", {{"path", "private"}, {"content", "new"}});
  EXPECT_EQ(ModeOf(Root("private")), 0600u);
}

TEST_F(WriteTest, AnotherHardLinkKeepsTheOldContent) {
  Put(Outside("shared"), "old");
  ASSERT_EQ(link(Outside("shared").c_str(), Root("alias").c_str()), 0);
  Good("file/write", {{"path", "alias"}, {"content", "new"}});
  Good("file/write", {{"path", "alias"}, {"content", "+"}, {"append", true}});
  EXPECT_EQ(Get(Root("alias")), "new+");
  EXPECT_EQ(Get(Outside("shared")), "old");
}

TEST_F(WriteTest, LinksAndFoldersAreNotWrittenThrough) {
  ASSERT_EQ(symlink("../outside/secret", Root("link").c_str()), 0);
  EXPECT_THAT(Bad("file/write", {{"path", "link"}, {"content", "x"}}), HasSubstr("symbolic link"));
  ASSERT_EQ(symlink("../outside/new", Root("dangling").c_str()), 0);
  EXPECT_THAT(Bad("file/write", {{"path", "dangling"}, {"content", "x"}}),
              HasSubstr("symbolic link"));
  EXPECT_FALSE(std::filesystem::exists(Outside("new")));
  EXPECT_EQ(Get(Outside("secret")), "SECRET");
  std::filesystem::create_directory(Root("folder"));
  EXPECT_THAT(Bad("file/write", {{"path", "folder"}, {"content", "x"}}), HasSubstr("folder"));
  EXPECT_THAT(Bad("file/write", {{"path", "."}, {"content", "x"}}), HasSubstr("root folder"));
}

TEST_F(WriteTest, NoTemporaryFileIsLeftOrShown) {
  Good("file/write", {{"path", "f"}, {"content", "x"}});
  EXPECT_EQ(NamesIn(Root("")), std::vector<std::string>{"f"});
  Put(Root(".toolpost-0123456789abcdef0123456789abcdef.tmp"), "of another writer");
  const Json listed = Good("file/list", {{"path", "."}, {"includeHidden", true}});
  EXPECT_EQ(listed.at("entries").as_array().size(), 1u);
}

TEST_F(WriteTest, ThePermissionOfTheFileItselfCounts) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  Put(Root("f"), "old");
  ASSERT_EQ(chmod(Root("f").c_str(), 0444), 0);
  EXPECT_THAT(Bad("file/write", {{"path", "f"}, {"content", "x"}}), HasSubstr("permit"));
}

// A child writes until it is killed; the next start finds each file old or new, and nothing else.
TEST_F(WriteTest, KilledWritersLeaveOldOrNewContentAndNoLeftovers) {
  constexpr int kFiles = 20;
  constexpr int kKills = 32;
  const std::string old_content(20'000, 'o');
  const std::string new_content(20'000, 'n');
  for (int i = 0; i < kFiles; ++i)
    Put(Root("d" + std::to_string(i % 3) + "/f" + std::to_string(i)), old_content);
  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    int ready[2];
    ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto services = MakeServices(options_);
      const Tool tool = WriteTool(*services);
      mcp::TestContext caller;
      for (int i = 0;; ++i) {
        const std::string name =
            "d" + std::to_string(i % kFiles % 3) + "/f" + std::to_string(i % kFiles);
        if (!tool.handler({{"path", name}, {"content", i % 2 == 0 ? new_content : old_content}},
                          caller))
          _exit(1);
        if (write(ready[1], "w", 1) < 0) _exit(1);
      }
    }
    close(ready[1]);
    // Killed after a different number of writes each time: 528 in all.
    char byte = 0;
    for (int i = 0; i <= kill_number % 40; ++i) ASSERT_EQ(read(ready[0], &byte, 1), 1);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    close(ready[0]);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  Start();
  for (int i = 0; i < kFiles; ++i) {
    const std::string content = Get(Root("d" + std::to_string(i % 3) + "/f" + std::to_string(i)));
    EXPECT_TRUE(content == old_content || content == new_content) << i;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(Root("")))
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr(".tmp")));
  EXPECT_TRUE(NamesIn(options_.state_directory).empty());
}

TEST_F(WriteTest, AStartRemovesTheFilesOfDeadWritersOnly) {
  const std::string dead = ".toolpost-00000000000000000000000000000001.tmp";
  const std::string alive = ".toolpost-00000000000000000000000000000002.tmp";
  Put(Root("d/" + dead), "x");
  Put(Root("d/" + alive), "x");
  Put(Root("d/.toolpost-mine.tmp"), "not of this form");
  std::filesystem::create_directories(options_.state_directory);
  Put(options_.state_directory + "/file-writes-0000",
      Root("d").string() + "\n" + Outside("").string() + "\n");
  Put(Outside(dead), "not below a root");
  const int lock = open(Root("d/" + alive).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  Start();
  EXPECT_FALSE(std::filesystem::exists(Root("d/" + dead)));
  EXPECT_TRUE(std::filesystem::exists(Root("d/" + alive)));
  EXPECT_TRUE(std::filesystem::exists(Root("d/.toolpost-mine.tmp")));
  EXPECT_TRUE(std::filesystem::exists(Outside(dead)));
  EXPECT_FALSE(std::filesystem::exists(options_.state_directory + "/file-writes-0000"));
  close(lock);
}

}  // namespace
}  // namespace toolpost::tools::file
