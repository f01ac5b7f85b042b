// Children as /proc lists them.
#include "sandbox/process_tree.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace toolpost::sandbox {

bool SignalChildren(int number) {
  // The main thread's list: processes here have no other thread.
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  bool any = false;
  pid_t pid = 0;
  char text[1024];
  for (ssize_t length; (length = read(list, text, sizeof text)) > 0;) {
    for (ssize_t i = 0; i < length; ++i) {
      if (text[i] >= '0' && text[i] <= '9') {
        pid = pid * 10 + (text[i] - '0');
      } else if (pid > 0) {
        kill(pid, number);
        any = true;
        pid = 0;
      }
    }
  }
  close(list);
  return any;
}

void EndChildren() {
  for (;;) {
    SignalChildren(SIGKILL);
    if (waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
  }
}

}  // namespace toolpost::sandbox
