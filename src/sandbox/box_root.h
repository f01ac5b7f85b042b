// The file system a command sees: the template's, a /proc and /tmp of its own, and the folders it
// works in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sandbox/box_command.h"
#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

// Completes the root of the calling process, which must be in a copy of the template's mount
// namespace (box_template.h) and a process namespace of its own, with the capabilities to mount
// there. `trees` are detached copies of `command.folders`, in order; the template has a folder for
// the first component of each. Null on success, else what failed, with errno.
const char* EnterBoxRoot(const BoxCommand& command, const std::vector<Descriptor>& trees);

// The first component of an absolute path.
std::string TopFolder(std::string_view path);

}  // namespace toolpost::sandbox
