// A program that tries to get out of the box it runs in, by every way on a list, and says which
// worked. Run by escape_test.cc with neither parser nor policy before it.
//
// escape_probe OUTSIDE PID KEY: a folder outside that holds the file `secret`, a process outside
// and the key of a shared memory segment outside. The working directory is the workspace. One line
// per way: its name and `denied` or `ESCAPED`.
//
// escape_probe tree COUNT MARK: so many processes, each in a session of its own and deaf to
// SIGTERM; says `ready` and waits. MARK is there to find them by.
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string outside;
std::string secret;
pid_t stranger = 0;
int memory_key = 0;

bool Reads(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  char byte = 0;
  return file >= 0 && read(file, &byte, 1) == 1;
}
bool Writes(const std::string& path, const char* text = "x") {
  const int file = open(path.c_str(), O_WRONLY | O_NONBLOCK);
  return file >= 0 && write(file, text, strlen(text)) > 0;
}
bool Creates(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600) >= 0;
}
bool Lists(const std::string& path) {
  DIR* const folder = opendir(path.c_str());
  if (folder == nullptr) return false;
  for (const dirent* entry; (entry = readdir(folder)) != nullptr;) {
    if (entry->d_name[0] != '.') return true;
  }
  return false;
}
bool Call(long result) { return result >= 0; }

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

bool Connects(const char* path, bool abstract) {
  const int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connection < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path + (abstract ? 1 : 0), path, sizeof address.sun_path - 2);
  return connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

bool ForksMoreThan(int most) {
  int started = 0;
  for (; started < most + 50; ++started) {
    const pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      pause();
      _exit(0);
    }
  }
  return started > most;
}

bool WritesLargeFile() {
  signal(SIGXFSZ, SIG_IGN);
  const int file = open("large", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const bool grew = ftruncate(file, 300LL << 20) == 0;
  unlink("large");
  return grew;
}

bool Allocates(std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
         MAP_FAILED;
}

bool FillsTemporary() {
  static char block[1 << 20];
  const int file = open("/tmp/large", O_WRONLY | O_CREAT, 0600);
  int written = 0;
  signal(SIGXFSZ, SIG_IGN);
  // Two files, because one alone stops at its own limit.
  const int other = open("/tmp/larger", O_WRONLY | O_CREAT, 0600);
  for (; written < 300; ++written) {
    if (write(written < 150 ? file : other, block, sizeof block) != sizeof block) break;
  }
  unlink("/tmp/large");
  unlink("/tmp/larger");
  return written >= 300;
}

bool RaisesLimit(int resource) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource>(resource), &limit);
  limit.rlim_max += 1;
  return setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
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

bool LinksThrough() {
  unlink("way-out");
  return symlink(secret.c_str(), "way-out") == 0 && Reads("way-out");
}

bool OpensByHandle() {
  alignas(file_handle) unsigned char space[sizeof(file_handle) + 128] = {};
  auto* const handle = reinterpret_cast<file_handle*>(space);
  handle->handle_bytes = 128;
  int mount_id = 0;
  return name_to_handle_at(AT_FDCWD, ".", handle, &mount_id, 0) == 0 &&
         open_by_handle_at(open(".", O_RDONLY), handle, O_RDONLY) >= 0;
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

struct Way {
  const char* name;
  bool (*works)();
};

const Way kWays[] = {
    // files outside
    {"read secret", [] { return Reads(secret); }},
    {"write secret", [] { return Writes(secret); }},
    {"stat secret",
     [] {
       struct stat at {};
       return stat(secret.c_str(), &at) == 0;
     }},
    {"list outside", [] { return Lists(outside); }},
    {"create outside", [] { return Creates(outside + "/made"); }},
    {"make folder outside", [] { return mkdir((outside + "/folder").c_str(), 0700) == 0; }},
    {"remove secret", [] { return unlink(secret.c_str()) == 0; }},
    {"rename secret", [] { return rename(secret.c_str(), "taken") == 0; }},
    {"hard link secret", [] { return link(secret.c_str(), "linked") == 0; }},
    {"symbolic link to secret", LinksThrough},
    {"chmod secret", [] { return chmod(secret.c_str(), 0777) == 0; }},
    {"chown secret", [] { return chown(secret.c_str(), getuid(), getgid()) == 0; }},
    {"setxattr secret", [] { return setxattr(secret.c_str(), "user.x", "x", 1, 0) == 0; }},
    {"truncate secret", [] { return truncate(secret.c_str(), 0) == 0; }},
    {"touch secret", [] { return utimensat(AT_FDCWD, secret.c_str(), nullptr, 0) == 0; }},
    {"secret by own root", [] { return Reads("/proc/self/root" + secret); }},
    {"secret by first process", [] { return Reads("/proc/1/root" + secret); }},
    {"secret by its folder", [] { return Reads("/proc/1/cwd/../.." + secret); }},
    {"secret by dots", [] { return Reads("../../../../../../../../.." + secret); }},
    {"secret by thread", [] { return Reads("/proc/thread-self/root" + secret); }},
    {"file handle", OpensByHandle},
    {"read shadow", [] { return Reads("/etc/shadow"); }},
    {"list root's home", [] { return Lists("/root"); }},
    {"list homes", [] { return Lists("/home"); }},
    {"list logs", [] { return Lists("/var/log"); }},
    {"list sys", [] { return Lists("/sys"); }},
    {"create in usr", [] { return Creates("/usr/bin/made"); }},
    {"create in etc", [] { return Creates("/etc/made"); }},
    {"write passwd", [] { return Writes("/etc/passwd"); }},
    {"create in root", [] { return Creates("/made"); }},
    {"create in dev", [] { return Creates("/dev/made"); }},
    // what git obeys
    {"write git config", [] { return Writes(".git/config"); }},
    {"replace git config",
     [] { return Creates(".git/new") && rename(".git/new", ".git/config") == 0; }},
    {"remove git config", [] { return unlink(".git/config") == 0; }},
    {"make git hook", [] { return Creates(".git/hooks/pre-commit"); }},
    {"move git hooks", [] { return rename(".git/hooks", ".git/old") == 0; }},
    {"move git folder", [] { return rename(".git", "other") == 0; }},
    {"write git of the way", [] { return Writes("../.git/config"); }},
    {"write submodule config", [] { return Writes("../.git/modules/m/config"); }},
    {"read hidden file", [] { return Reads("../hidden/key"); }},
    {"list hidden folder", [] { return Lists("../hidden"); }},
    {"replace hidden folder", [] { return rename("../hidden", "../shown") == 0; }},
    {"write read-only folder", [] { return Creates("../../library/made"); }},
    // kernel's files
    {"write core pattern", [] { return Writes("/proc/sys/kernel/core_pattern"); }},
    {"sysrq", [] { return Writes("/proc/sysrq-trigger", "h"); }},
    {"first process's environment", [] { return Reads("/proc/1/environ"); }},
    {"first process's memory", [] { return open("/proc/1/mem", O_RDWR) >= 0; }},
    {"first process's descriptors", [] { return Lists("/proc/1/fd"); }},
    {"stranger's environment",
     [] { return Reads("/proc/" + std::to_string(stranger) + "/environ"); }},
    {"kcore", [] { return Reads("/proc/kcore"); }},
    {"kernel log", [] { return Reads("/dev/kmsg"); }},
    {"memory device", [] { return Reads("/dev/mem"); }},
    {"terminal", [] { return open("/dev/tty", O_RDWR) >= 0; }},
    {"make device", [] { return mknod("disk", S_IFBLK | 0600, makedev(8, 0)) == 0; }},
    {"make device in tmp", [] { return mknod("/tmp/disk", S_IFCHR | 0600, makedev(1, 1)) == 0; }},
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
    {"signal stranger", [] { return kill(stranger, 0) == 0; }},
    {"pidfd of stranger", [] { return Call(syscall(434, stranger, 0)); }},
    {"limits of stranger",
     [] {
       rlimit l{};
       return prlimit(stranger, RLIMIT_NOFILE, nullptr, &l) == 0;
     }},
    {"priority of stranger",
     [] { return setpriority(PRIO_PROCESS, static_cast<id_t>(stranger), 5) == 0; }},
    {"processors of stranger",
     [] {
       cpu_set_t set;
       return sched_getaffinity(stranger, sizeof set, &set) == 0;
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
    // network
    {"socket IPv4", [] { return Call(socket(AF_INET, SOCK_STREAM, 0)); }},
    {"socket IPv4 UDP", [] { return Call(socket(AF_INET, SOCK_DGRAM, 0)); }},
    {"socket IPv6", [] { return Call(socket(AF_INET6, SOCK_STREAM, 0)); }},
    {"socket raw", [] { return Call(socket(AF_INET, SOCK_RAW, 1)); }},
    {"socket packet", [] { return Call(socket(AF_PACKET, SOCK_RAW, 0)); }},
    {"socket netlink", [] { return Call(socket(AF_NETLINK, SOCK_RAW, 0)); }},
    {"socket unix", [] { return Call(socket(AF_UNIX, SOCK_STREAM, 0)); }},
    {"socket vsock", [] { return Call(socket(40, SOCK_STREAM, 0)); }},
    {"socket crypto", [] { return Call(socket(38, SOCK_SEQPACKET, 0)); }},
    {"pair of others",
     [] {
       int two[2];
       return socketpair(AF_TIPC, SOCK_STREAM, 0, two) == 0;
     }},
    {"connect by path", [] { return Connects((outside + "/socket").c_str(), false); }},
    {"connect by name", [] { return Connects("toolpost-escape", true); }},
    // memory and queues outside
    {"shared memory outside", [] { return Call(shmget(memory_key, 1, 0)); }},
    // the kernel itself
    {"bpf",
     [] {
       char attr[128] = {};
       return Call(syscall(SYS_bpf, 5, attr, sizeof attr)) || errno != EPERM;
     }},
    {"perf",
     [] {
       perf_event_attr attr{};
       attr.size = sizeof attr;
       return Call(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
     }},
    {"userfaultfd", [] { return Call(syscall(SYS_userfaultfd, 1)); }},
    {"io_uring",
     [] {
       char params[120] = {};
       return Call(syscall(425, 1, params));
     }},
    {"add key", [] { return Call(syscall(SYS_add_key, "user", "x", "y", 1, -3)); }},
    {"key control", [] { return Call(syscall(SYS_keyctl, 0, -3, 1)); }},
    {"load module", [] { return Call(syscall(SYS_init_module, "", 0, "")) || errno != EPERM; }},
    {"remove module", [] { return Call(syscall(SYS_delete_module, "x", 0)) || errno != EPERM; }},
    {"kexec", [] { return Call(syscall(SYS_kexec_load, 0, 0, nullptr, 0)) || errno != EPERM; }},
    {"reboot", [] { return Call(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0)); }},
    {"swap", [] { return Call(syscall(SYS_swapoff, "x")) || errno != EPERM; }},
    {"kernel messages", [] { return Call(syscall(SYS_syslog, 10, nullptr, 0)); }},
    {"set clock",
     [] {
       timespec t{1, 0};
       return Call(syscall(SYS_clock_settime, 0, &t));
     }},
    {"set host name", [] { return sethostname("x", 1) == 0; }},
    {"accounting", [] { return Call(syscall(SYS_acct, nullptr)); }},
    {"fanotify", [] { return Call(syscall(SYS_fanotify_init, 0, 0)); }},
    {"quota", [] { return Call(syscall(SYS_quotactl, 0, "x", 0, nullptr)) || errno != EPERM; }},
    {"type into the terminal",
     [] {
       char c = 'x';
       return ioctl(0, TIOCSTI, &c) == 0 || errno != EPERM;
     }},
    // limits
    {"raise open files", [] { return RaisesLimit(RLIMIT_NOFILE); }},
    {"raise memory", [] { return RaisesLimit(RLIMIT_DATA); }},
    {"raise processes", [] { return RaisesLimit(RLIMIT_NPROC); }},
    {"core file", [] { return RaisesLimit(RLIMIT_CORE); }},
    {"many processes", [] { return ForksMoreThan(128); }},
    {"large file", WritesLargeFile},
    {"much memory", [] { return Allocates(std::size_t{2} << 30); }},
    {"full temporary folder", FillsTemporary},
};

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

int main(int count, char** arguments) {
  if (count != 4) return 2;
  if (strcmp(arguments[1], "tree") == 0) return GrowTree(std::atoi(arguments[2]));
  outside = arguments[1];
  secret = outside + "/secret";
  stranger = std::atoi(arguments[2]);
  memory_key = std::atoi(arguments[3]);
  for (const Way& way : kWays) std::printf("%s: %s\n", way.name, Try(way) ? "ESCAPED" : "denied");
  return 0;
}
