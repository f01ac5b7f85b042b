// A BPF program made from a table.
#include "sandbox/seccomp.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace toolpost::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kOtherAbi = 0x40000000;  // x32
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kOtherAbi = 0;
#else
#error "seccomp.cc needs the audit architecture of this processor"
#endif

// Numbers above 423 are the same everywhere and newer than some headers.
constexpr std::uint32_t kRefused[] = {
    // other processes
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kcmp,
    438 /* pidfd_getfd */,
    440 /* process_madvise */,
    448 /* process_mrelease */,
    __NR_migrate_pages,
    __NR_move_pages,
    // mounts and namespaces
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_unshare,
    __NR_setns,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    431 /* fsconfig */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    467 /* open_tree_attr */,
    // the kernel itself
    __NR_bpf,
    __NR_perf_event_open,
    __NR_userfaultfd,
    __NR_add_key,
    __NR_request_key,
    __NR_keyctl,
    425 /* io_uring_setup */,
    426 /* io_uring_enter */,
    427 /* io_uring_register */,
    __NR_open_by_handle_at,
    __NR_name_to_handle_at,
    __NR_kexec_load,
    __NR_kexec_file_load,
    __NR_init_module,
    __NR_finit_module,
    __NR_delete_module,
    __NR_clock_settime,
    __NR_clock_adjtime,
    __NR_settimeofday,
    __NR_adjtimex,
    __NR_reboot,
    __NR_swapon,
    __NR_swapoff,
    __NR_acct,
    __NR_quotactl,
    443 /* quotactl_fd */,
    __NR_syslog,
    __NR_sethostname,
    __NR_setdomainname,
    __NR_vhangup,
    __NR_fanotify_init,
    459 /* lsm_get_self_attr */,
    460 /* lsm_set_self_attr */,
    __NR_lookup_dcookie,
    __NR_nfsservctl,
#if defined(__x86_64__)
    __NR_iopl,
    __NR_ioperm,
    __NR_modify_ldt,
    __NR_uselib,
    __NR__sysctl,
    __NR_sysfs,
    __NR_ustat,
    __NR_create_module,
    __NR_get_kernel_syms,
    __NR_query_module,
#endif
};

constexpr std::uint32_t kRefusedWhenShared[] = {
    __NR_fchmodat,       452 /* fchmodat2 */,
    __NR_fchownat,       __NR_setxattr,
    __NR_lsetxattr,      __NR_removexattr,
    __NR_lremovexattr,   __NR_utimensat,
    __NR_fchmod,         __NR_fchown,
    __NR_fsetxattr,      __NR_fremovexattr,
    __NR_setpriority,    __NR_sched_setscheduler,
    __NR_sched_setparam, __NR_sched_setattr,
#if defined(__x86_64__)
    __NR_chmod,          __NR_chown,
    __NR_lchown,         __NR_utime,
    __NR_utimes,         __NR_futimesat,
#endif
};
constexpr std::uint32_t kSignals[] = {
    __NR_kill, __NR_tkill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo,
    424 /* pidfd_send_signal */};

constexpr std::uint32_t kNewNamespaces = 0x7e020000 | 0x80;  // CLONE_NEW… and CLONE_NEWTIME
constexpr std::uint32_t kClone3 = 435;
constexpr std::uint32_t kTerminalInput = 0x5412;  // TIOCSTI
constexpr std::uint32_t kTerminalLinux = 0x541c;  // TIOCLINUX

constexpr std::uint32_t kFail = SECCOMP_RET_ERRNO | EPERM;

class Program {
 public:
  Program() {
    Load(offsetof(seccomp_data, arch));
    Skip(BPF_JEQ, kArchitecture, 1, 0);
    Return(SECCOMP_RET_KILL_PROCESS);
    Load(offsetof(seccomp_data, nr));
    if (kOtherAbi != 0) {
      Skip(BPF_JGE, kOtherAbi, 0, 1);
      Return(SECCOMP_RET_KILL_PROCESS);
    }
  }
  void Refuse(std::uint32_t call, std::uint32_t answer) {
    Skip(BPF_JEQ, call, 0, 1);
    Return(answer);
  }
  // Refuses the call when its argument compares (JEQ, JSET) with `value` as `refused_if` says.
  void RefuseArgument(std::uint32_t call, std::size_t argument, std::uint16_t comparison,
                      std::uint32_t value, bool refused_if) {
    Skip(BPF_JEQ, call, 0, 4);
    // The low half; what the kernel reads of these arguments is 32 bits wide.
    Load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    Skip(comparison, value, refused_if ? 0 : 1, refused_if ? 1 : 0);
    Return(kFail);
    Load(offsetof(seccomp_data, nr));
  }
  // Of socket(): nothing but TCP.
  void RefuseOtherThanTcp() {
    constexpr std::uint32_t kTypeBits = 0xf;  // the others are SOCK_CLOEXEC and SOCK_NONBLOCK
    Skip(BPF_JEQ, __NR_socket, 0, 9);
    Load(offsetof(seccomp_data, args));
    Skip(BPF_JEQ, AF_INET, 2, 0);
    Skip(BPF_JEQ, AF_INET6, 1, 0);
    Return(kFail);
    Load(offsetof(seccomp_data, args) + sizeof(std::uint64_t));
    code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, kTypeBits));
    Skip(BPF_JEQ, SOCK_STREAM, 1, 0);
    Return(kFail);
    Load(offsetof(seccomp_data, nr));
  }
  // All that is left: these calls fail, every other one is allowed. A search tree, because the
  // kernel runs the program for each call there is when it is installed.
  void Decide(std::span<const std::uint32_t> sorted) {
    constexpr std::size_t kLeaf = 3;
    if (sorted.size() <= kLeaf) {
      for (const std::uint32_t call : sorted) Refuse(call, kFail);
      return Return(SECCOMP_RET_ALLOW);
    }
    const std::size_t middle = sorted.size() / 2;
    const std::size_t node = code_.size();
    Skip(BPF_JGE, sorted[middle], 0, 0);
    Decide(sorted.first(middle));
    code_[node].jt = static_cast<std::uint8_t>(code_.size() - node - 1);
    Decide(sorted.subspan(middle));
  }
  bool Apply() {
    const sock_fprog program = {static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  void Load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void Skip(std::uint16_t comparison, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), yes, no, value});
  }
  void Return(std::uint32_t answer) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, answer)); }

  std::vector<sock_filter> code_;
};

}  // namespace

bool RestrictCalls(const SeccompOptions& options) {
  std::vector<std::uint32_t> refused(std::begin(kRefused), std::end(kRefused));
  Program program;
  program.Refuse(kClone3, SECCOMP_RET_ERRNO | ENOSYS);
  program.RefuseArgument(__NR_clone, 0, BPF_JSET, kNewNamespaces, true);
  // Pairs of connected sockets are pipes.
  program.RefuseArgument(__NR_socketpair, 0, BPF_JEQ, AF_UNIX, false);
  program.RefuseArgument(__NR_personality, 0, BPF_JEQ, 0xffffffff, false);
  program.RefuseArgument(__NR_ioctl, 1, BPF_JEQ, kTerminalInput, true);
  program.RefuseArgument(__NR_ioctl, 1, BPF_JEQ, kTerminalLinux, true);
  if (options.tcp) {
    program.RefuseOtherThanTcp();
  } else {
    refused.push_back(__NR_socket);
  }
  if (options.shared_machine) {
    refused.insert(refused.end(), std::begin(kRefusedWhenShared), std::end(kRefusedWhenShared));
    program.RefuseArgument(__NR_prlimit64, 0, BPF_JEQ, 0, false);
    if (options.landlock_version < 6)
      refused.insert(refused.end(), std::begin(kSignals), std::end(kSignals));
    if (options.landlock_version < 3) refused.push_back(__NR_truncate);
  }
  std::ranges::sort(refused);
  program.Decide(refused);
  return program.Apply();
}

}  // namespace toolpost::sandbox
