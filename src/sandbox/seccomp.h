// The system calls a command may not make.
#pragma once

namespace toolpost::sandbox {

struct SeccompOptions {
  // Without namespaces of its own a process shares names, ids and signals with everything else of
  // its user: calls that Landlock does not cover are refused then, too.
  bool shared_machine = false;
  // TCP sockets may be made: the network around the process is its own and empty.
  bool tcp = false;
  int landlock_version = 0;
};

// Applies to the calling thread and everything it starts, for good. Most calls are allowed; those
// that reach the kernel's administration, other processes, the network or new namespaces fail with
// EPERM (clone3 with ENOSYS, so that libraries use clone). Calls of another architecture end the
// process. Needs no_new_privs. False, with errno, when the kernel refuses.
bool RestrictCalls(const SeccompOptions& options);

}  // namespace toolpost::sandbox
