// The life of a command, from inside.
#include "sandbox/box.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "sandbox/box_identity.h"
#include "sandbox/box_network.h"
#include "sandbox/box_privileges.h"
#include "sandbox/box_report.h"
#include "sandbox/box_root.h"
#include "sandbox/landlock.h"
#include "sandbox/process_tree.h"
#include "sandbox/seccomp.h"

namespace toolpost::sandbox {
namespace {

constexpr int kCannotRun = 126;

bool own_processes = false;  // everything but us may be signalled at once

void OnTerminate(int) {
  const int error = errno;
  if (own_processes) {
    kill(-1, SIGTERM);
  } else {
    SignalChildren(SIGTERM);
  }
  errno = error;
}
void OnKill(int) {
  EndChildren();
  _exit(kCannotRun);
}

void PrepareSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  struct sigaction action {};
  action.sa_handler = OnTerminate;
  action.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = OnKill;
  sigaction(SIGUSR1, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

const char* BecomeCommandUser() {
  // The group list is closed for users that may not change it; then it is not ours to empty.
  if (setgroups(0, nullptr) != 0 && errno != EPERM) return "leave groups";
  if (setresgid(kInnerId, kInnerId, kInnerId) != 0) return "set the group";
  if (setresuid(kInnerId, kInnerId, kInnerId) != 0) return "set the user";
  return nullptr;
}

std::vector<LandlockFolder> AllowedFolders(const BoxCommand& command) {
  std::vector<LandlockFolder> folders;
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    folders.push_back({device, false, true});
  for (const BoxFolder& folder : command.folders) folders.push_back({folder.path, folder.writable});
  if (command.layers.namespaces) {
    folders.push_back({"/", false});
    folders.push_back({"/tmp", true});
    return folders;
  }
  for (const char* system :
       {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache",
        "/etc/alternatives", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/localtime"}) {
    folders.push_back({system, false});
  }
  return folders;
}

const char* EnterNamespaces(const BoxCommand& command, const std::vector<Descriptor>& trees,
                            int status_socket) {
  if (const char* failed = BecomeCommandUser(); failed != nullptr) return failed;
  // The kernel forgets this when the user changes.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (command.network) {
    if (const char* failed = OfferProxy(status_socket); failed != nullptr) return failed;
  }
  return EnterBoxRoot(command, trees);
}

// Everything a process gives up by itself, for good.
const char* Confine(const BoxCommand& command) {
  if (!DropPrivileges()) return "drop privileges";
  if (command.layers.landlock && !RestrictFiles(AllowedFolders(command), command.network))
    return "apply Landlock";
  SeccompOptions calls;
  calls.shared_machine = !command.layers.namespaces;
  calls.tcp = command.network;
  calls.landlock_version = command.layers.landlock ? LandlockVersion() : 0;
  if (command.layers.seccomp && !RestrictCalls(calls)) return "apply seccomp";
  return nullptr;
}

const char* Enter(const BoxCommand& command, const std::vector<Descriptor>& trees,
                  int status_socket) {
  own_processes = command.layers.namespaces;
  if (!own_processes) prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (command.network && !own_processes) return errno = EPERM, "grant the network";
  const char* failed = own_processes ? EnterNamespaces(command, trees, status_socket) : nullptr;
  if (failed != nullptr) return failed;
  if (chdir(command.directory.empty() ? "/" : command.directory.c_str()) != 0)
    return "enter the working directory";
  return own_processes ? Confine(command) : nullptr;
}

[[noreturn]] void RunStage(const BoxCommand& command, std::size_t index, int input, int output,
                           const BoxPipes& pipes) {
  const BoxStage& stage = command.stages[index];
  signal(SIGTERM, SIG_DFL);
  signal(SIGUSR1, SIG_DFL);
  // Where the first process has to find and kill the others, it stays free to.
  if (const char* failed = own_processes ? nullptr : Confine(command); failed != nullptr) {
    SendSetupFailure(pipes.status.get(), failed, errno);
    _exit(kCannotRun);
  }
  dup2(input, 0);
  dup2(output, 1);
  dup2(pipes.error.get(), 2);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (stage.text) {
    for (std::string_view rest = *stage.text; !rest.empty();) {
      const ssize_t written = write(1, rest.data(), rest.size());
      if (written <= 0) _exit(1);
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    _exit(0);
  }
  std::vector<char*> arguments;
  for (const std::string& text : stage.arguments)
    arguments.push_back(const_cast<char*>(text.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (const std::string& text : command.environment)
    environment.push_back(const_cast<char*>(text.c_str()));
  environment.push_back(nullptr);
  const int error = ApplyLimits(command.limits, command.timeout) ? 0 : errno;
  if (error == 0) execve(stage.program.c_str(), arguments.data(), environment.data());
  BoxReport report;
  report.kind = BoxReport::kNotExecuted;
  report.index = static_cast<std::int32_t>(index);
  report.status = error == 0 ? errno : error;
  SendReport(pipes.status.get(), report);
  _exit(kCannotRun);
}

[[gnu::noinline]] pid_t StartStage(const BoxCommand& command, std::size_t index, int input,
                                   int output, const BoxPipes& pipes) {
  // Without a copy of our memory, except where the child writes and somebody must read meanwhile.
  const pid_t pid = command.stages[index].text ? fork() : vfork();
  if (pid == 0) RunStage(command, index, input, output, pipes);
  return pid;
}

// The process ids of the stages; shorter than the pipeline when one could not be started.
std::vector<pid_t> StartStages(const BoxCommand& command, const BoxPipes& pipes) {
  std::vector<pid_t> started;
  Descriptor input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  for (std::size_t i = 0; i < command.stages.size(); ++i) {
    int ends[2] = {-1, -1};
    const bool last = i + 1 == command.stages.size();
    if (!last && pipe2(ends, O_CLOEXEC) != 0) break;
    Descriptor next(ends[0]);
    const Descriptor output(last ? fcntl(pipes.output.get(), F_DUPFD_CLOEXEC, 3) : ends[1]);
    const pid_t pid = StartStage(command, i, input.get(), output.get(), pipes);
    if (pid < 0) break;
    started.push_back(pid);
    input = std::move(next);
  }
  return started;
}

void Await(const std::vector<pid_t>& stages, int status_socket) {
  std::size_t left = stages.size();
  while (left > 0) {
    int status = 0;
    const pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (stages[i] != pid) continue;
      BoxReport report;
      report.kind = BoxReport::kStageEnded;
      report.index = static_cast<std::int32_t>(i);
      report.status = status;
      SendReport(status_socket, report);
      --left;
    }
  }
}

// What the programs left behind, all of it.
void EndOthers() {
  if (!own_processes) return EndChildren();
  kill(-1, SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

}  // namespace

void RunBox(const BoxCommand& command, BoxPipes pipes, std::vector<Descriptor> trees) {
  setsid();
  PrepareSignals();
  prctl(PR_SET_PDEATHSIG, command.layers.namespaces ? SIGKILL : SIGUSR1);
  prctl(PR_SET_NAME, "toolpost-box");
  char go = 0;
  if (read(pipes.go.get(), &go, 1) != 1) _exit(kCannotRun);
  pipes.go = {};
  const char* failed = Enter(command, trees, pipes.status.get());
  if (failed != nullptr) {
    SendSetupFailure(pipes.status.get(), failed, errno);
    _exit(kCannotRun);
  }
  // Our memory is a copy of the spawner's: nobody in the box may look at it.
  prctl(PR_SET_DUMPABLE, 0);
  trees.clear();
  const std::vector<pid_t> stages = StartStages(command, pipes);
  pipes.output = {};
  pipes.error = {};
  if (stages.size() < command.stages.size()) {
    SendSetupFailure(pipes.status.get(), "start the programs", errno);
    EndChildren();
    _exit(kCannotRun);
  }
  Await(stages, pipes.status.get());
  EndOthers();
  // Taking the namespaces down takes longer than many a command; nobody need wait for that.
  SendReport(pipes.status.get(), {.kind = BoxReport::kEnded});
  _exit(0);
}

}  // namespace toolpost::sandbox
