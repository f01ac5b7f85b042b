// Files that only we may read: the SQLite database of our own state, and what lies beside it.
#pragma once

#include <string>

#include "toolpost/result.h"

namespace toolpost::db {

// Makes sure that `path` is a regular file of ours with mode 0600: creates it empty when `create`
// and it is missing, repairs the mode of one that is there. Refuses a symbolic link, anything but a
// regular file, and a file of another user with Code::kPermissionDenied; a directory that is
// missing or cannot be written with Code::kUnavailable. Messages name the file without its
// directory. A missing file without `create` is fine.
//
// Never opens the file: closing a descriptor would drop the locks that SQLite connections of this
// process hold on it.
Result<void> MakePrivate(const std::string& path, bool create);

}  // namespace toolpost::db
