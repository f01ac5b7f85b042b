// Ways through sockets, memory, the kernel itself and its limits.
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sandbox/escape_ways.h"

namespace toolpost::sandbox::escape {
namespace {

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

constexpr Way kWays[] = {
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
    {"connect by path", [] { return Connects((targets.folder + "/socket").c_str(), false); }},
    {"connect by name", [] { return Connects("toolpost-escape", true); }},
    // memory and queues outside
    {"shared memory outside", [] { return Call(shmget(targets.memory_key, 1, 0)); }},
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

}  // namespace

std::span<const Way> KernelWays() { return kWays; }

}  // namespace toolpost::sandbox::escape
