// A program that tries to get out of the box it runs in, by every way on a list, and says which
// worked. Run by escape_test.cc with neither parser nor policy before it.
//
// escape_probe OUTSIDE PID KEY: a folder outside that holds the file `secret`, a process outside
// and the key of a shared memory segment outside. The working directory is the workspace. One line
// per way: its name and `denied` or `ESCAPED`.
//
// escape_probe tree COUNT MARK: so many processes, each in a session of its own and deaf to
// SIGTERM; says `ready` and waits. MARK is there to find them by.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sandbox/escape_ways.h"

namespace toolpost::sandbox::escape {

Targets targets;

namespace {

// Each in a process group of its own, so that one that is killed counts as denied.
bool Try(const Way& way) {
  int ends[2];
  if (pipe(ends) != 0) return true;
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    signal(SIGTERM, SIG_IGN);
    const char worked = way.works() ? '1' : '0';
    (void)!write(ends[1], &worked, 1);
    _exit(0);
  }
  if (child < 0) return true;
  close(ends[1]);
  char worked = '0';
  (void)!read(ends[0], &worked, 1);
  close(ends[0]);
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
  return worked == '1';
}

// Children of children, so that the parent of each is gone.
int GrowTree(int count) {
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      setsid();
      signal(SIGTERM, SIG_IGN);
      if (fork() != 0) _exit(0);
      for (;;) pause();
    }
    waitpid(child, nullptr, 0);
  }
  (void)!write(1, "ready\n", 6);
  signal(SIGTERM, SIG_IGN);
  for (;;) pause();
}

}  // namespace
}  // namespace toolpost::sandbox::escape

int main(int count, char** arguments) {
  using namespace toolpost::sandbox::escape;
  if (count != 4) return 2;
  if (strcmp(arguments[1], "tree") == 0) return GrowTree(std::atoi(arguments[2]));
  targets.folder = arguments[1];
  targets.secret = targets.folder + "/secret";
  targets.stranger = std::atoi(arguments[2]);
  targets.memory_key = std::atoi(arguments[3]);
  for (const auto ways : {FileWays(), ProcessWays(), KernelWays()}) {
    for (const Way& way : ways) std::printf("%s: %s\n", way.name, Try(way) ? "ESCAPED" : "denied");
  }
  return 0;
}
