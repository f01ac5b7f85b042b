// The user a command is to the kernel.
//
// Inside, every command is user and group 1000. Outside that is the server's own user, unless the
// server runs as root: then it is a user nobody else has, and the workspace is mounted so that its
// owner's files look like that user's (an id-mapped mount), which leaves new files with the owner.
// Where a file system cannot do that, the command is the owner of the first folder instead.
#pragma once

#include <sys/types.h>

#include <map>
#include <utility>

#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

inline constexpr uid_t kInnerId = 1000;
inline constexpr uid_t kCommandId = 61'100;  // outside, when the server is root

struct OuterIdentity {
  uid_t user = 0;
  gid_t group = 0;
};

// Writes the maps of the user namespace of process `pid`, a child of the caller's namespace: inner
// 1000 is `outer`. False, with errno, when the kernel refuses.
bool WriteIdMaps(pid_t pid, const OuterIdentity& outer);

// User namespaces that describe which owner appears as kCommandId. Used by the spawner only, which
// has one thread.
class IdMaps {
 public:
  // A descriptor for mount_setattr, owned here; -1, with errno, when there cannot be one.
  int For(const OuterIdentity& owner);

 private:
  std::map<std::pair<uid_t, gid_t>, Descriptor> known_;
};

}  // namespace toolpost::sandbox
