#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/crypto.h"
#include "tools/file/content.h"
#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using ReadTest = FileFixture;

TEST_F(ReadTest, PRD_FR_008_1_ReadsAFileByPath) {
  Put(Root("a/b.txt"), "hello\n");
  for (const std::string& path : {std::string("a/b.txt"), Root("a/b.txt").string(),
                                  std::string("./a//b.txt"), std::string("a/../a/b.txt")}) {
    EXPECT_EQ(Good("file/read", {{"path", path}}).at("content"), "hello\n") << path;
  }
}

TEST_F(ReadTest, PRD_FR_008_2_PRD_AC_004_1_SupportsThreeEncodings) {
  const std::string bytes("\x00\xFF caf\xC3\xA9", 8);
  Put(Root("bytes"), bytes);
  EXPECT_EQ(Good("file/read", {{"path", "bytes"}, {"encoding", "base64"}}).at("content"),
            Json(base::ToBase64(bytes)));
  EXPECT_EQ(Good("file/read", {{"path", "bytes"}, {"encoding", "hex"}}).at("content"),
            "00ff20636166c3a9");
  Put(Root("text"), "caf\xC3\xA9");
  EXPECT_EQ(Good("file/read", {{"path", "text"}}).at("content"), "caf\xC3\xA9");
  EXPECT_TRUE(Run("file/read", {{"path", "text"}, {"encoding", "latin1"}}).error);
}

TEST_F(ReadTest, InvalidUtf8IsAnErrorThatNamesBase64) {
  Put(Root("binary"), "ab\xFFzz");
  const std::string message = Bad("file/read", {{"path", "binary"}});
  EXPECT_THAT(message, HasSubstr("base64"));
  EXPECT_THAT(message, HasSubstr("byte 2"));
}

TEST_F(ReadTest, PRD_FR_008_3_PRD_US_003_ReturnsSizeEncodingDatesAndDigest) {
  Put(Root("f"), "12345");
  const Json result = Good("file/read", {{"path", "f"}});
  EXPECT_EQ(result.at("size"), 5);
  EXPECT_EQ(result.at("encoding"), "utf-8");
  EXPECT_EQ(result.at("path"), "f");
  EXPECT_THAT(Text(result.at("modified")), ::testing::MatchesRegex("20.*T.*Z"));
  EXPECT_EQ(Text(result.at("sha256")), Digest("12345"));
  EXPECT_FALSE(result.as_object().contains("truncated"));
}

TEST_F(ReadTest, PRD_FR_008_4_MissingFilesAreNamedAsTheCallerWroteThem) {
  const std::string message = Bad("file/read", {{"path", "no/such.txt"}});
  EXPECT_THAT(message, HasSubstr("no/such.txt does not exist"));
  EXPECT_THAT(message, Not(HasSubstr(directory_.string())));
  EXPECT_THAT(Bad("file/read", {{"path", "."}}), HasSubstr("folder"));
}

TEST_F(ReadTest, OffsetAndLengthReadARange) {
  Put(Root("f"), "0123456789");
  const Json middle = Good("file/read", {{"path", "f"}, {"offset", 2}, {"length", 3}});
  EXPECT_EQ(middle.at("content"), "234");
  EXPECT_EQ(middle.at("nextOffset"), 5);
  EXPECT_EQ(middle.at("truncated"), true);
  EXPECT_FALSE(middle.as_object().contains("sha256"));
  const Json end = Good("file/read", {{"path", "f"}, {"offset", 8}, {"length", 100}});
  EXPECT_EQ(end.at("content"), "89");
  EXPECT_FALSE(end.as_object().contains("nextOffset"));
  EXPECT_EQ(Good("file/read", {{"path", "f"}, {"offset", 10}}).at("content"), "");
  EXPECT_EQ(Good("file/read", {{"path", "f"}, {"offset", 1'000'000'000'000}}).at("content"), "");
  EXPECT_EQ(Good("file/read", {{"path", "f"}, {"length", 0}}).at("content"), "");
  EXPECT_TRUE(Run("file/read", {{"path", "f"}, {"offset", -1}}).error);
}

TEST_F(ReadTest, ALongFileComesInPartsThatMakeUpTheWhole) {
  std::string whole;
  for (int i = 0; whole.size() < 200'000; ++i) whole += "z\xC3\xA9ile " + std::to_string(i) + "\n";
  Put(Root("long"), whole);
  std::string read;
  std::int64_t offset = 0;
  for (int parts = 1;; ++parts) {
    ASSERT_LT(parts, 50);
    const Json part = Good("file/read", {{"path", "long"}, {"offset", offset}});
    EXPECT_LE(part.at("content").as_string().size(), 40'000u);
    read += Text(part.at("content"));
    if (!part.as_object().contains("nextOffset")) break;
    offset = part.at("nextOffset").as_int64();
  }
  EXPECT_EQ(read, whole);
}

TEST_F(ReadTest, ARangeNeverEndsInsideACharacter) {
  Put(Root("f"), "a\xE2\x82\xAC\xF0\x9F\x98\x80z");  // a euro grin z
  for (int offset = 0; offset <= 9; ++offset) {
    for (int length = 4; length <= 9; ++length) {
      const Json part = Good("file/read", {{"path", "f"}, {"offset", offset}, {"length", length}});
      if (!part.as_object().contains("nextOffset")) continue;
      EXPECT_GT(part.at("nextOffset").as_int64(), offset) << offset << " " << length;
    }
  }
  EXPECT_EQ(Good("file/read", {{"path", "f"}, {"offset", 2}}).at("content"), "\xF0\x9F\x98\x80z");
}

TEST_F(ReadTest, LineRanges) {
  Put(Root("f"), "one\ntwo\nthree\nfour");
  const auto lines = [&](JsonObject extra) {
    extra["path"] = "f";
    return Good("file/read", std::move(extra));
  };
  EXPECT_EQ(lines({{"startLine", 2}, {"endLine", 3}}).at("content"), "two\nthree\n");
  EXPECT_EQ(lines({{"startLine", 2}, {"endLine", 3}}).at("nextLine"), 4);
  EXPECT_EQ(lines({{"startLine", 4}}).at("content"), "four");
  EXPECT_EQ(lines({{"endLine", 1}}).at("content"), "one\n");
  EXPECT_EQ(lines({{"startLine", 9}}).at("content"), "");
  EXPECT_EQ(lines({{"startLine", -2}}).at("content"), "three\nfour");
  EXPECT_EQ(lines({{"startLine", -99}}).at("content"), "one\ntwo\nthree\nfour");
  EXPECT_EQ(lines({{"startLine", 1}, {"endLine", 99}}).at("endLine"), 4);
  EXPECT_THAT(Bad("file/read", {{"path", "f"}, {"startLine", 0}}), HasSubstr("from 1"));
  EXPECT_THAT(Bad("file/read", {{"path", "f"}, {"startLine", 3}, {"endLine", 2}}),
              HasSubstr("before"));
  EXPECT_THAT(Bad("file/read", {{"path", "f"}, {"startLine", 1}, {"offset", 2}}),
              HasSubstr("either"));
}

TEST_F(ReadTest, TailOfAFileThatEndsWithALineEnd) {
  std::string whole;
  for (int i = 1; i <= 100'000; ++i) whole += "line " + std::to_string(i) + "\n";
  Put(Root("f"), whole);
  EXPECT_EQ(Good("file/read", {{"path", "f"}, {"startLine", -2}}).at("content"),
            "line 99999\nline 100000\n");
  EXPECT_EQ(
      Good("file/read", {{"path", "f"}, {"startLine", 70'000}, {"endLine", 70'001}}).at("content"),
      "line 70000\nline 70001\n");
}

TEST_F(ReadTest, TheLargestReadIsConfigured) {
  options_.max_read = 4096;
  Put(Root("f"), std::string(10'000, 'x'));
  const Json part = Good("file/read", {{"path", "f"}, {"length", 9000}});
  EXPECT_EQ(part.at("length"), 4096);
  EXPECT_EQ(part.at("nextOffset"), 4096);
}

TEST_F(ReadTest, TenGibibytesAreReadInRanges) {
  const std::int64_t size = std::int64_t{10} << 30;
  const int fd = open(Root("sparse").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(ftruncate(fd, size), 0);
  ASSERT_EQ(pwrite(fd, "the end", 7, size - 7), 7);
  close(fd);
  const Json part = Good("file/read", {{"path", "sparse"}, {"offset", size - 7}});
  EXPECT_EQ(part.at("content"), "the end");
  EXPECT_EQ(part.at("size"), size);
  const Json start = Good("file/read", {{"path", "sparse"}, {"encoding", "hex"}, {"length", 4}});
  EXPECT_EQ(start.at("content"), "00000000");
  EXPECT_EQ(start.at("nextOffset"), 4);
}

TEST_F(ReadTest, FifosSocketsAndDevicesAreRefusedAndBlockNobody) {
  ASSERT_EQ(mkfifo(Root("fifo").c_str(), 0600), 0);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = Root("socket").string();
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (int i = 0; i < 8; ++i) {
    EXPECT_THAT(Bad("file/read", {{"path", "fifo"}}), HasSubstr("FIFO"));
  }
  EXPECT_THAT(Bad("file/read", {{"path", "socket"}}), HasSubstr("socket"));
  EXPECT_THAT(Bad("file/write", {{"path", "fifo"}, {"content", "x"}}), HasSubstr("regular"));
  EXPECT_THAT(
      Bad("file/edit",
          {{"path", "fifo"}, {"edits", JsonArray{JsonObject{{"oldText", "a"}, {"newText", "b"}}}}}),
      HasSubstr("regular"));
  Put(Root("after"), "still served");
  EXPECT_EQ(Good("file/search", {{"pattern", "served"}}).at("filesMatched"), 1);
  EXPECT_EQ(Good("file/info", {{"path", "fifo"}}).at("type"), "other");
  EXPECT_EQ(Good("file/delete", {{"path", "fifo"}}).at("deleted"), true);
  close(listener);
}

TEST_F(ReadTest, FileSystemsOfTheKernelAreRefused) {
  options_.roots.roots = {"/"};
  EXPECT_THAT(Bad("file/read", {{"path", "/proc/version"}}), HasSubstr("kernel"));
  EXPECT_THAT(Bad("file/list", {{"path", "/proc/sys"}}), HasSubstr("kernel"));
  EXPECT_THAT(Bad("file/read", {{"path", "/sys/kernel/notes"}}), HasSubstr("kernel"));
}

TEST_F(ReadTest, CancelledCallsEnd) {
  Put(Root("f"), "x");
  Start();
  context = std::make_shared<mcp::TestContext>();
  context->stop.request_stop();
  EXPECT_TRUE(CallWithContext("file/read", {{"path", "f"}}).error);
}

}  // namespace
}  // namespace toolpost::tools::file
