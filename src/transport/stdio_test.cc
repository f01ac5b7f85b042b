#include "transport/stdio.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <array>
#include <csignal>
#include <thread>

namespace toolpost::transport {
namespace {

class Stdio : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::pipe(in_.data()), 0);
    ASSERT_EQ(::pipe(out_.data()), 0);
  }
  void TearDown() override {
    for (const int fd : {in_[0], in_[1], out_[0], out_[1]}) {
      if (fd >= 0) ::close(fd);
    }
  }
  void Input(std::string_view text) {
    ASSERT_EQ(::write(in_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void EndInput() {
    ::close(in_[1]);
    in_[1] = -1;
  }
  std::string Output() {
    std::string text(4096, '\0');
    const ssize_t got = ::read(out_[0], text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }

  std::array<int, 2> in_{-1, -1};
  std::array<int, 2> out_{-1, -1};
};

TEST_F(Stdio, LinesAreMessagesHoweverTheyArrive) {
  StdioTransport transport(in_[0], out_[1], 1024);
  Input("{\"a\":1}\n{\"b\":2}\r\n\n{\"c\"");
  EXPECT_EQ(*transport.Read(), "{\"a\":1}");
  EXPECT_EQ(*transport.Read(), "{\"b\":2}");
  Input(":3}\n");
  EXPECT_EQ(*transport.Read(), "{\"c\":3}");
}

TEST_F(Stdio, EndOfInputEndsReadingAfterAnUnterminatedLine) {
  StdioTransport transport(in_[0], out_[1], 1024);
  Input("{\"a\":1}");
  EndInput();
  EXPECT_EQ(*transport.Read(), "{\"a\":1}");
  EXPECT_EQ(transport.Read().error().code, Code::kUnavailable);
  EXPECT_FALSE(transport.Health().open);
}

TEST_F(Stdio, LinesAboveTheLimitAreSkippedAndReported) {
  StdioTransport transport(in_[0], out_[1], 16);
  Input(std::string(10'000, 'x') + "\n{\"a\":1}\n" + std::string(17, 'y') + "\n{\"b\":2}\n");
  EXPECT_EQ(transport.Read().error().code, Code::kTooLarge);
  EXPECT_EQ(*transport.Read(), "{\"a\":1}");
  EXPECT_EQ(transport.Read().error().code, Code::kTooLarge);
  EXPECT_EQ(*transport.Read(), "{\"b\":2}");
}

TEST_F(Stdio, RepliesOfTheReaderLeaveTogetherBeforeItBlocks) {
  StdioTransport transport(in_[0], out_[1], 1024);
  Input("1\n2\n");
  for (int i = 0; i < 2; ++i) transport.Write(*transport.Read());
  EndInput();
  EXPECT_FALSE(transport.Read());
  EXPECT_EQ(Output(), "1\n2\n");
}

TEST_F(Stdio, OtherThreadsAreWrittenAtOnceAndWhole) {
  StdioTransport transport(in_[0], out_[1], 1024);
  Input("1\n");
  ASSERT_TRUE(transport.Read());
  std::jthread([&] { transport.Write("{\"from\":\"worker\"}"); }).join();
  EXPECT_EQ(Output(), "{\"from\":\"worker\"}\n");
}

TEST_F(Stdio, AClosedReaderOnTheOtherSideClosesTheTransport) {
  ::signal(SIGPIPE, SIG_IGN);
  StdioTransport transport(in_[0], out_[1], 1024);
  ::close(out_[0]);
  out_[0] = -1;
  transport.Write("x");
  EXPECT_FALSE(transport.Health().open);
}

}  // namespace
}  // namespace toolpost::transport
