// Places in the shown folders that a command may not change or see.
//
// What git obeys or runs (`.git/config`, `.git/config.worktree`, `.git/hooks`,
// `.git/info/attributes`) is mounted read-only, and `.git` itself cannot be moved away, in every
// writable folder and on the way from it to the working directory, also of submodules one level
// deep. `.git/hooks` is made if a repository lacks it. Where there is no `.git` nothing is
// protected: `git init` works. Hidden places are covered by something empty that nobody may read.
#pragma once

#include "sandbox/box_command.h"

namespace toolpost::sandbox {

// `root` is the new root, with the folders already shown in it. Null on success, else what failed,
// with errno.
const char* GuardFolders(int root, const BoxCommand& command);

}  // namespace toolpost::sandbox
