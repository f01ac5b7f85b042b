// A new thread inherits the mask of the one that starts it.
#include "base/quiet_thread.h"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <system_error>
#include <utility>

namespace toolpost::base {
namespace {

std::atomic<int> ending_elsewhere = 0;

}  // namespace

std::thread StartQuietThread(std::function<void()> run) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  try {
    thread = std::thread(std::move(run));
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

void EndElsewhere(std::function<void()> end) {
  ++ending_elsewhere;
  const auto run = [end = std::move(end)] {
    end();
    --ending_elsewhere;
  };
  std::thread thread = StartQuietThread(run);
  if (thread.joinable()) {
    thread.detach();
  } else {
    run();
  }
}

bool EndingElsewhere() { return ending_elsewhere > 0; }

}  // namespace toolpost::base
