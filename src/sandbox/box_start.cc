// Namespaces of the spawner and of each box.
#include "sandbox/box_start.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "sandbox/box_report.h"
#include "sandbox/box_root.h"
#include "sandbox/box_template.h"
#include "sandbox/mount_calls.h"

namespace toolpost::sandbox {
namespace {

constexpr int kShared = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP;
constexpr std::uint64_t kOwn = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC;

bool WriteOwn(const char* path, std::string_view text) {
  const Descriptor file(open(path, O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Without privileges the namespaces are only to be had inside a user namespace.
bool UnshareAsUser(const OuterIdentity& self) {
  // Else the maps of this process and its children belong to root, if it was ever another user.
  prctl(PR_SET_DUMPABLE, 1);
  if (unshare(CLONE_NEWUSER | kShared) != 0) return false;
  (void)WriteOwn("/proc/self/setgroups", "deny");
  return WriteOwn("/proc/self/uid_map", base::StrCat(self.user, " ", self.user, " 1\n")) &&
         WriteOwn("/proc/self/gid_map", base::StrCat(self.group, " ", self.group, " 1\n"));
}

pid_t Clone(std::uint64_t flags, const BoxGroup& group, int& process) {
  clone_args arguments{};
  arguments.flags = flags | CLONE_PIDFD;
  if (group.directory) {
    arguments.flags |= CLONE_INTO_CGROUP;
    arguments.cgroup = static_cast<std::uint64_t>(group.directory.get());
  }
  arguments.pidfd = reinterpret_cast<std::uint64_t>(&process);
  arguments.exit_signal = SIGCHLD;
  return static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
}

// The folder as it was when the server looked; something else in its place is not taken.
Descriptor OpenFolder(const BoxFolder& folder, struct stat& at) {
  Descriptor place(open(folder.path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!place || fstat(place.get(), &at) != 0) return {};
  if (at.st_dev == folder.device && at.st_ino == folder.inode) return place;
  errno = ESTALE;
  return {};
}

bool IsShowable(std::string_view path) {
  if (!path.starts_with('/') || path.size() < 2) return false;
  for (const std::string_view system : {"/proc", "/sys", "/dev"}) {
    if (path == system || path.starts_with(base::StrCat(system, "/"))) return false;
  }
  return true;
}

}  // namespace

const char* BoxStarter::MakeNamespaces() {
  privileged_ = self_.user == 0 && unshare(kShared) == 0;
  if (!privileged_ && !UnshareAsUser(self_)) return "make namespaces";
  constexpr std::string_view kName = "sandbox";
  if (sethostname(kName.data(), kName.size()) != 0) return "name the box";
  if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
    return "keep mounts to ourselves";
  machine_ = Descriptor(open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC));
  if (!machine_ || unshare(CLONE_NEWNS) != 0) return "make a mount namespace";
  const char* failed = EnterTemplate();
  const int error = errno;
  if (failed == nullptr) template_ = Descriptor(open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC));
  if (failed == nullptr && !template_) failed = "open the mount namespace";
  Enter(machine_);
  return errno = error, failed;
}

const char* BoxStarter::Prepare() {
  if (!prepared_) {
    prepared_ = true;
    self_ = {geteuid(), getegid()};
    groups_.Find();
    failed_ = MakeNamespaces();
    error_ = errno;
  }
  return errno = error_, failed_;
}

bool BoxStarter::Enter(const Descriptor& mounts) { return setns(mounts.get(), CLONE_NEWNS) == 0; }

const char* BoxStarter::CopyFolders(const BoxCommand& command, std::vector<Descriptor>& trees,
                                    OuterIdentity& outer) {
  outer = privileged_ ? OuterIdentity{kCommandId, kCommandId} : self_;
  bool mapped = privileged_;
  for (std::size_t i = 0; i < command.folders.size(); ++i) {
    const BoxFolder& folder = command.folders[i];
    struct stat at {};
    if (!IsShowable(folder.path)) return errno = EPERM, "show a folder of the system";
    const Descriptor place = OpenFolder(folder, at);
    if (!place) return "open a folder";
    MountAttributes attributes{.read_only = !folder.writable};
    if (mapped) attributes.id_map = id_maps_.For({at.st_uid, at.st_gid});
    Descriptor tree(mapped && attributes.id_map < 0 ? -1 : CopyTree(place.get(), attributes));
    if (!tree && mapped) {
      // This file system shows owners as they are, so all folders are shown that way.
      mapped = false;
      struct stat first {};
      if (!OpenFolder(command.folders[0], first)) return "open a folder";
      outer = {first.st_uid, first.st_gid};
      trees.clear();
      i = static_cast<std::size_t>(-1);
      continue;
    }
    if (!tree) return "copy a folder";
    trees.push_back(std::move(tree));
  }
  return nullptr;
}

RunningBox BoxStarter::Start(const BoxCommand& command, BoxPipes pipes,
                             std::span<const int> foreign) {
  const bool namespaces = command.layers.namespaces;
  std::vector<Descriptor> trees;
  OuterIdentity outer;
  const char* failed = namespaces ? Prepare() : nullptr;
  if (failed == nullptr && namespaces) failed = CopyFolders(command, trees, outer);
  BoxGroup group;
  if (failed == nullptr && command.layers.cgroup) {
    failed = groups_.Enable();
    if (failed == nullptr) group = groups_.Make(command.limits);
    if (failed == nullptr && !group.directory) failed = "make a control group";
  }
  int go[2] = {-1, -1};
  if (failed == nullptr && pipe2(go, O_CLOEXEC) != 0) failed = "make a pipe";
  if (failed != nullptr) {
    SendSetupFailure(pipes.status.get(), failed, errno);
    groups_.End(std::move(group));
    return {};
  }
  pipes.go = Descriptor(go[0]);
  const Descriptor ready(go[1]);

  if (namespaces && !Enter(template_)) {
    SendSetupFailure(pipes.status.get(), "enter the template", errno);
    groups_.End(std::move(group));
    return {};
  }
  // In the shared root only the names of first components appear.
  for (const BoxFolder& folder : command.folders) {
    if (namespaces) mkdir(base::StrCat("/", TopFolder(folder.path)).c_str(), 0755);
  }
  int process = -1;
  const std::uint64_t own = kOwn | (command.network ? CLONE_NEWNET : 0);
  const pid_t pid = Clone(namespaces ? own : 0, group, process);
  const int error = errno;
  if (pid == 0) {
    for (const int each : foreign) close(each);
    close(go[1]);
    RunBox(command, std::move(pipes), std::move(trees));
  }
  if (namespaces) Enter(machine_);
  const char* const unready = pid < 0                                  ? "start a process"
                              : namespaces && !WriteIdMaps(pid, outer) ? "map user ids"
                                                                       : nullptr;
  if (pid < 0) errno = error;
  if (unready == nullptr) {
    (void)!write(ready.get(), "g", 1);
  } else {
    SendSetupFailure(pipes.status.get(), unready, errno);
  }
  if (pid < 0) groups_.End(std::exchange(group, {}));
  return {Descriptor(process), std::move(pipes.status), namespaces, std::move(group)};
}

void SignalBox(const RunningBox& box, BoxSignal signal) {
  int number = SIGTERM;
  // Without a process namespace the first process has to find the others.
  if (signal == BoxSignal::kKill) number = box.own_processes ? SIGKILL : SIGUSR1;
  syscall(SYS_pidfd_send_signal, box.process.get(), number, nullptr, 0);
}

}  // namespace toolpost::sandbox
