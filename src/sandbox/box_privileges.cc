// Capabilities and resource limits.
#include "sandbox/box_privileges.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace toolpost::sandbox {

bool DropPrivileges() {
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                               SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                               SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED);
  // Fails after the last capability the kernel knows, and for users that have none.
  for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) return false;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

bool ApplyLimits(const BoxLimits& limits, std::chrono::milliseconds timeout) {
  const auto seconds = static_cast<std::uint64_t>(timeout.count() / 1000 + 1);
  const struct {
    __rlimit_resource resource;
    std::uint64_t value;
  } wanted[] = {{RLIMIT_CORE, 0},
                {RLIMIT_CPU, seconds},
                {RLIMIT_DATA, limits.memory},
                {RLIMIT_FSIZE, limits.file_size},
                {RLIMIT_NOFILE, limits.files},
                {RLIMIT_NPROC, limits.processes}};
  for (const auto& [resource, value] : wanted) {
    rlimit now{};
    if (getrlimit(resource, &now) != 0) return false;
    const rlim_t most = std::min<rlim_t>(now.rlim_max, value);
    const rlimit limit = {most, most};
    if (setrlimit(resource, &limit) != 0) return false;
  }
  return true;
}

}  // namespace toolpost::sandbox
