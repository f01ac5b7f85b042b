// Ends the process with its parent.
#include "cli/parent.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace toolpost::cli {
namespace {

pid_t parent = 0;

// The kernel sends the signal when the *thread* that started us ends; clients start servers from
// short-lived threads too. Only a changed parent means that the process is gone.
void OnParentSignal(int) {
  if (getppid() != parent) _exit(0);
}

}  // namespace

void EndWithParent() {
  parent = getppid();
  struct sigaction action {};
  action.sa_handler = OnParentSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  OnParentSignal(SIGUSR1);  // it may have ended before prctl
}

}  // namespace toolpost::cli
