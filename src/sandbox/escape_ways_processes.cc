// Ways through mounts, namespaces, privileges and other processes.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "sandbox/escape_ways.h"

namespace toolpost::sandbox::escape {
namespace {

// Whether programs here may change who runs them.
bool ObeysSetUserId(const char* place) {
  struct statvfs at {};
  return statvfs(place, &at) != 0 || (at.f_flag & ST_NOSUID) == 0;
}

long Clone(unsigned long flags) {
  const long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) _exit(0);
  return pid;
}
long Clone3(unsigned long long flags) {
  struct {
    unsigned long long flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
  } arguments = {flags, 0, 0, 0, SIGCHLD, 0, 0, 0};
  const long pid = syscall(435, &arguments, sizeof arguments);
  if (pid == 0) _exit(0);
  return pid;
}

bool HasCapabilities() {
  FILE* const status = fopen("/proc/self/status", "r");
  char line[256];
  while (status != nullptr && fgets(line, sizeof line, status) != nullptr) {
    if (strncmp(line, "Cap", 3) == 0 && strpbrk(line, "123456789abcdef") > strchr(line, ':'))
      return true;
  }
  return status == nullptr;
}

// A system call of the 32-bit or x32 interface: the process does not survive it.
bool OtherInterface() {
#if defined(__x86_64__)
  long result = 0;
  asm volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid */) : "memory");
  return result > 0;
#else
  return false;
#endif
}

constexpr Way kWays[] = {
    // mounts and namespaces
    {"mount tmpfs", [] { return mount("x", "/tmp", "tmpfs", 0, nullptr) == 0; }},
    {"mount bind", [] { return mount("/proc", "/tmp", nullptr, MS_BIND, nullptr) == 0; }},
    {"mount proc", [] { return mount("x", "/tmp", "proc", 0, nullptr) == 0; }},
    {"remount writable",
     [] { return mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0; }},
    {"unmount tmp", [] { return umount2("/tmp", MNT_DETACH) == 0; }},
    {"unmount git config", [] { return umount2(".git/config", MNT_DETACH) == 0; }},
    {"pivot_root", [] { return Call(syscall(SYS_pivot_root, ".", ".")); }},
    {"chroot", [] { return chroot(".") == 0; }},
    {"unshare user", [] { return unshare(CLONE_NEWUSER) == 0; }},
    {"unshare mounts", [] { return unshare(CLONE_NEWNS) == 0; }},
    {"unshare network", [] { return unshare(CLONE_NEWNET) == 0; }},
    {"clone user", [] { return Call(Clone(CLONE_NEWUSER)); }},
    {"clone processes", [] { return Call(Clone(CLONE_NEWPID)); }},
    {"clone3 user", [] { return Call(Clone3(CLONE_NEWUSER)); }},
    {"setns", [] { return setns(open("/proc/1/ns/mnt", O_RDONLY), 0) == 0; }},
    {"fsopen", [] { return Call(syscall(430, "tmpfs", 0)); }},
    {"open_tree", [] { return Call(syscall(428, AT_FDCWD, "/", 1)); }},
    {"mount_setattr",
     [] {
       mount_attr attr{};
       return Call(syscall(442, AT_FDCWD, "/", 0, &attr, sizeof attr));
     }},
    // privileges
    {"capabilities", HasCapabilities},
    {"setuid root", [] { return setuid(0) == 0; }},
    {"setgid root", [] { return setgid(0) == 0; }},
    {"setresuid overflow", [] { return setresuid(65534, 65534, 65534) == 0; }},
    {"set-user-id in usr", [] { return ObeysSetUserId("/usr/bin"); }},
    {"set-user-id in tmp", [] { return ObeysSetUserId("/tmp"); }},
    {"set-user-id in workspace", [] { return ObeysSetUserId("."); }},
    {"new privileges",
     [] {
       return prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ||
              prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
     }},
    {"secure bits", [] { return prctl(PR_SET_SECUREBITS, 0) == 0; }},
    {"personality", [] { return Call(syscall(SYS_personality, 0x0040000)); }},
    {"other interface", OtherInterface},
    // processes
    {"trace first process", [] { return ptrace(PTRACE_SEIZE, 1, 0, 0) == 0; }},
    {"be traced", [] { return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0; }},
    {"signal stranger", [] { return kill(targets.stranger, 0) == 0; }},
    {"pidfd of stranger", [] { return Call(syscall(434, targets.stranger, 0)); }},
    {"limits of stranger",
     [] {
       rlimit l{};
       return prlimit(targets.stranger, RLIMIT_NOFILE, nullptr, &l) == 0;
     }},
    {"priority of stranger",
     [] { return setpriority(PRIO_PROCESS, static_cast<id_t>(targets.stranger), 5) == 0; }},
    {"processors of stranger",
     [] {
       cpu_set_t set;
       return sched_getaffinity(targets.stranger, sizeof set, &set) == 0;
     }},
    {"read first process",
     [] {
       char to;
       iovec l{&to, 1};
       iovec r{reinterpret_cast<void*>(0x400000), 1};
       return process_vm_readv(1, &l, 1, &r, 1, 0) == 1;
     }},
    {"compare with first process", [] { return Call(syscall(SYS_kcmp, getpid(), 1, 0, 1, 1)); }},
    {"descriptor of first process", [] { return Call(syscall(438, syscall(434, 1, 0), 1, 0)); }},
    {"raise priority", [] { return setpriority(PRIO_PROCESS, 0, -20) == 0; }},
    {"real time",
     [] {
       sched_param p{};
       p.sched_priority = 50;
       return sched_setscheduler(0, SCHED_FIFO, &p) == 0;
     }},
};

}  // namespace

std::span<const Way> ProcessWays() { return kWays; }

}  // namespace toolpost::sandbox::escape
