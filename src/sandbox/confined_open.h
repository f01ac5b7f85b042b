// Opens places below roots: the kernel keeps them inside (open_beneath.h), and nothing but regular
// files and folders is ever opened, so that no FIFO, device or socket can block or be operated.
//
// All functions are thread-safe. Errors are those of file_error.h, in the caller's words.
#pragma once

#include <sys/stat.h>

#include <string>

#include "sandbox/descriptor.h"
#include "sandbox/roots.h"

namespace toolpost::sandbox {

struct OpenFile {
  Descriptor descriptor;
  struct stat at {};
};

// A regular file for reading. In two steps: the place is pinned without opening it, looked at, and
// only then opened. kInvalidArgument: a folder, FIFO, device or socket; kPermissionDenied: a link,
// or a file system that is a window into the kernel (/proc, /sys).
Result<OpenFile> OpenRegular(const Roots& roots, const Location& location);

// A folder; `flags` besides O_DIRECTORY, such as O_RDONLY or O_PATH.
Result<OpenFile> OpenDirectory(const Roots& roots, const Location& location, int flags);

// Whatever is there, pinned but not opened; a link at the end is the link itself.
Result<OpenFile> Pin(const Roots& roots, const Location& location);

// True for file systems that are windows into the kernel rather than files.
bool IsKernelWindow(int fd);

struct Parent {
  Descriptor directory;  // open for reading, so that it can be synced
  std::string name;      // of the entry in it
};

// The folder that holds (or would hold) the place, for changing its entry: `location` must come
// from Locate with kWrite. Missing folders are made when `create`. The root itself has no parent:
// kPermissionDenied.
Result<Parent> OpenParent(const Roots& roots, const Location& location, bool create);

}  // namespace toolpost::sandbox
