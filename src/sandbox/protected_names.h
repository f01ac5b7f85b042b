// Names that other programs execute or obey, and that tools therefore never write, move or delete:
// writing `.git/config` or a hook is running code with the next `git status`.
//
// By name, not by what is there: a `.git/hooks` that does not exist yet is protected too. Names are
// compared as bytes, at any depth: `.git` itself (as a file it points to another repository), and
// below it `config`, `config.worktree`, `hooks` and `info/attributes`, also of submodules and
// linked work trees. The shell's sandbox mounts the same places read-only.
#pragma once

#include <string_view>

namespace toolpost::sandbox {

// `relative` is a normal path (path_text.h). True if the place must not be written, moved or
// deleted as a file.
bool IsProtected(std::string_view relative);

// True if the place lies below a `.git`: a folder moved there would bring its own `config` and
// `hooks`.
bool IsInsideGit(std::string_view relative);

}  // namespace toolpost::sandbox
