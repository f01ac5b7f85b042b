// open_tree, mount_setattr and move_mount.
#include "sandbox/mount_calls.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>

namespace toolpost::sandbox {

int CopyTree(int place, const MountAttributes& attributes) {
  const int tree =
      open_tree(place, "", AT_EMPTY_PATH | AT_RECURSIVE | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  if (tree < 0) return -1;
  mount_attr change{};
  change.attr_set = MOUNT_ATTR_NOSUID | (attributes.no_devices ? MOUNT_ATTR_NODEV : 0) |
                    (attributes.read_only ? MOUNT_ATTR_RDONLY : 0);
  if (attributes.id_map >= 0) {
    change.attr_set |= MOUNT_ATTR_IDMAP;
    change.userns_fd = static_cast<std::uint64_t>(attributes.id_map);
  }
  if (mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change) == 0)
    return tree;
  const int error = errno;
  close(tree);
  errno = error;
  return -1;
}

bool AttachTree(int tree, int target) {
  return move_mount(tree, "", target, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0;
}

bool SetReadOnly(int place) {
  mount_attr change{};
  change.attr_set = MOUNT_ATTR_RDONLY;
  return mount_setattr(place, "", AT_EMPTY_PATH, &change, sizeof change) == 0;
}

}  // namespace toolpost::sandbox
