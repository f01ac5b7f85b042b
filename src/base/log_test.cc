#include "base/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace toolpost::base {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Sends the log into a pipe for the time of a test.
class LogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    FlushLog();
    ASSERT_EQ(pipe2(pipe_, O_CLOEXEC), 0);
    SetLogDescriptorForTest(pipe_[1]);
    ConfigureLog(Severity::kInfo, LogFormat::kJson);
  }
  void TearDown() override {
    FlushLog();
    SetNowForTest({});
    SetLogDescriptorForTest(STDERR_FILENO);
    ConfigureLog(Severity::kInfo, LogFormat::kAuto);
    close(pipe_[0]);
    close(pipe_[1]);
  }

  // What is in the pipe, after waiting for something to be there.
  std::string Read(int patience_ms = 30'000) {
    pollfd readable{pipe_[0], POLLIN, 0};
    if (poll(&readable, 1, patience_ms) != 1) return {};
    std::string data(1 << 20, '\0');
    const ssize_t size = read(pipe_[0], data.data(), data.size());
    data.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return data;
  }

  int pipe_[2] = {-1, -1};
};

TEST_F(LogTest, WritesJsonLines) {
  SetNowForTest(WallTime{} + std::chrono::milliseconds(1'234));
  Log(Severity::kInfo, "listening", {{"port", std::int64_t{3001}}});
  FlushLog();
  EXPECT_EQ(Read(),
            "{\"time\":\"1970-01-01T00:00:01.234Z\",\"level\":\"info\",\"msg\":\"listening\","
            "\"port\":3001}\n");
}

TEST_F(LogTest, WritesText) {
  ConfigureLog(Severity::kInfo, LogFormat::kText);
  SetNowForTest(WallTime{} + std::chrono::milliseconds(1'234));
  Log(Severity::kInfo, "one");
  SetNowForTest(WallTime{} + std::chrono::milliseconds(1'235));
  Log(Severity::kWarning, "two");
  FlushLog();
  EXPECT_EQ(Read(), "00:00:01.234 INFO  one\n00:00:01.235 WARN  two\n");
}

TEST_F(LogTest, AutoIsJsonOnAPipe) {
  ConfigureLog(Severity::kInfo, LogFormat::kAuto);
  Log(Severity::kInfo, "x");
  FlushLog();
  EXPECT_THAT(Read(), StartsWith("{"));
}

TEST_F(LogTest, DropsLinesBelowTheMinimum) {
  ConfigureLog(Severity::kWarning, LogFormat::kText);
  EXPECT_FALSE(LogEnabled(Severity::kInfo));
  EXPECT_TRUE(LogEnabled(Severity::kWarning));
  EXPECT_FALSE(LogEnabled(Severity::kOff));
  Log(Severity::kInfo, "quiet");
  Log(Severity::kError, "loud");
  FlushLog();
  const std::string text = Read();
  EXPECT_THAT(text, HasSubstr("loud"));
  EXPECT_EQ(text.find("quiet"), std::string::npos);
  ConfigureLog(Severity::kOff, LogFormat::kText);
  EXPECT_FALSE(LogEnabled(Severity::kError));
}

TEST_F(LogTest, TheBackgroundThreadWritesWithoutAFlush) {
  Log(Severity::kInfo, "on its own");
  EXPECT_THAT(Read(), HasSubstr("on its own"));
  Log(Severity::kError, "at once");
  EXPECT_THAT(Read(), HasSubstr("at once"));
}

TEST_F(LogTest, LinesOfManyThreadsDoNotMix) {
  ConfigureLog(Severity::kInfo, LogFormat::kText);
  std::string all;
  std::jthread reader([&] {
    while (std::count(all.begin(), all.end(), '\n') < 4'000) {
      const std::string part = Read();
      if (part.empty()) break;
      all += part;
    }
  });
  {
    std::vector<std::jthread> writers;
    writers.reserve(4);
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([] {
        for (int j = 0; j < 1'000; ++j) Log(Severity::kInfo, "line", {{"end", "here"}});
      });
    }
  }
  reader.join();
  std::size_t lines = 0;
  for (std::size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos;
       at = end + 1, ++lines) {
    ASSERT_EQ(all.substr(at + 12, end - at - 12), " INFO  line end=here");
  }
  EXPECT_EQ(lines, 4'000U);
}

TEST_F(LogTest, AStuckReaderCostsLinesNotTime) {
  ConfigureLog(Severity::kInfo, LogFormat::kText);
  const std::string kilobyte(1'000, 'x');
  constexpr int kLines = 20'000;  // far more than the pipe and both buffers hold
  for (int i = 0; i < kLines; ++i) Log(Severity::kInfo, kilobyte);
  std::string tail;
  std::int64_t lines = 0;
  while (tail.find("log lines dropped") == std::string::npos) {
    const std::string part = Read();
    ASSERT_FALSE(part.empty());
    lines += std::count(part.begin(), part.end(), '\n');
    tail += part;
    tail.erase(0, std::max<std::size_t>(tail.size(), 4'000) - 4'000);
  }
  EXPECT_LT(lines, kLines);
}

TEST_F(LogTest, FlushGivesUpWhenNobodyReads) {
  const std::string line(200'000, 'x');  // more than a pipe holds
  Log(Severity::kInfo, line);
  FlushLog();  // returns
  Log(Severity::kInfo, "the end");
  std::string read;
  do {
    const std::string more = Read();
    ASSERT_FALSE(more.empty());
    read += more;
  } while (read.find("the end") == read.npos);
}

}  // namespace
}  // namespace toolpost::base
