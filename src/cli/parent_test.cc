// A child that called EndWithParent() ends with its parent process, not with the thread that
// started it.
#include "cli/parent.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "sandbox/thread_sanitizer_fixture.h"

namespace toolpost::cli {
namespace {

// The child holds its end for as long as it lives, and answers every byte.
struct Line {
  int ours = -1;
  int childs = -1;
  Line() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) ours = ends[0], childs = ends[1];
  }
  ~Line() { close(ours); }
};

bool ReadByte(int fd) {
  char byte = 0;
  return TEMP_FAILURE_RETRY(read(fd, &byte, 1)) == 1;
}

bool WriteByte(int fd) { return TEMP_FAILURE_RETRY(write(fd, "x", 1)) == 1; }

// Ends by EndWithParent(), a signal, or when the test has closed its end.
[[noreturn]] void LiveAsChild(const Line& line) {
  EndWithParent();
  WriteByte(line.childs);
  while (ReadByte(line.childs)) WriteByte(line.childs);
  _exit(1);
}

TEST(EndWithParent, EndsWhenTheParentProcessEnds) {
  if (sandbox::kThreadSanitizer) GTEST_SKIP() << "signals of forked processes are held back";
  Line line;
  const pid_t middle = fork();
  if (middle == 0) {
    if (fork() == 0) {
      close(line.ours);
      LiveAsChild(line);
    }
    _exit(ReadByte(line.ours) ? 0 : 1);  // as soon as the child is ready
  }
  close(line.childs);
  int status = 0;
  ASSERT_EQ(waitpid(middle, &status, 0), middle);
  EXPECT_EQ(status, 0);
  pollfd end{line.ours, POLLIN, 0};
  ASSERT_EQ(poll(&end, 1, 60'000), 1) << "the child lives on";
  EXPECT_FALSE(ReadByte(line.ours));  // end of file: nobody holds the other end any more
}

TEST(EndWithParent, SurvivesTheThreadThatStartedIt) {
  Line line;
  pid_t child = -1;
  std::thread([&] {
    child = fork();
    if (child == 0) LiveAsChild(line);
    EXPECT_TRUE(ReadByte(line.ours));
  }).join();
  // The kernel signals the end of the thread; sent again here, so that it has certainly arrived
  // before the child answers.
  ASSERT_EQ(kill(child, SIGUSR1), 0);
  close(line.childs);
  EXPECT_TRUE(WriteByte(line.ours));
  EXPECT_TRUE(ReadByte(line.ours)) << "the child is gone";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace toolpost::cli
