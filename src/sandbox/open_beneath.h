// Opens a path below a directory descriptor so that the kernel, not we, keeps it below.
#pragma once

#include <string>

#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

struct Beneath {
  bool follow_links = false;  // symbolic links that stay below; relative ones only
  bool walk = false;          // as if the kernel had no openat2
};

struct Opened {
  Descriptor descriptor;
  int error = 0;  // errno when there is no descriptor
};

// openat2 with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS, and RESOLVE_NO_SYMLINKS unless links are
// followed; a resolution that raced with a rename is tried again. Where the kernel lacks openat2
// each component is opened on its own without following links (`follow_links` then has no effect).
// EXDEV: leads outside; ELOOP: a link that is not followed. `relative` empty: the directory itself.
// O_CLOEXEC and O_NOCTTY are added to `flags`. Never creates.
Opened OpenBeneath(int directory, const std::string& relative, int flags, const Beneath& how);

}  // namespace toolpost::sandbox
