// The kernel's Landlock: a process gives up access to files for good, by itself, without
// privileges.
#pragma once

#include <span>
#include <string>

namespace toolpost::sandbox {

// Version of the interface; 0 when the kernel has none.
int LandlockVersion();

struct LandlockFolder {
  std::string path;  // left out when it does not exist
  bool writable = false;
  bool device = false;  // a device: written, never created
};

// Applies to the calling thread and everything it starts: files outside `folders` can be neither
// read nor written nor run; TCP (unless `tcp`), signals to and abstract sockets of processes
// outside are refused as far as the version knows how. Needs no_new_privs. False, with errno, when
// the kernel refuses.
bool RestrictFiles(std::span<const LandlockFolder> folders, bool tcp = false);

}  // namespace toolpost::sandbox
