// The mount system calls the box is built with, by descriptor instead of by path: nothing can be
// swapped between looking and mounting. Each returns -1 or false with errno.
#pragma once

#include <cstdint>

namespace toolpost::sandbox {

struct MountAttributes {
  bool read_only = false;
  bool no_devices = true;
  int id_map = -1;  // a user namespace; -1: ids as they are
};

// A detached copy of what is mounted at and below `place` (O_PATH), with attributes set.
int CopyTree(int place, const MountAttributes& attributes);
// Puts a detached copy over `target` (O_PATH).
bool AttachTree(int tree, int target);
// Changes the mount `place` is the root of.
bool SetReadOnly(int place);

}  // namespace toolpost::sandbox
