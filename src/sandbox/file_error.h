// What a failed system call on a caller's file means in words the caller can act on.
#pragma once

#include <string_view>

#include "toolpost/result.h"

namespace toolpost::sandbox {

// `error` is an errno value. `given` is the path as the caller wrote it. Unknown values become a
// general message; none of them names a resolved path.
Error FileError(int error, std::string_view given);

// The one answer for every place outside the roots, whether it exists or not.
Error OutsideRoots(std::string_view given);

}  // namespace toolpost::sandbox
