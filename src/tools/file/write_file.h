// Replaces the content of a file, for the tools that do so.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sandbox/confined_open.h"
#include "tools/file/file.h"
#include "tools/file/place.h"

namespace toolpost::tools::file {

// What has to be true of the old file: its SHA-256, or `none` if there must not be one. Absent:
// nothing.
using IfMatch = std::optional<std::string>;

struct Written {
  struct stat at {};
  bool replaced = false;  // there was a file before
  std::optional<std::string> created;
};

// Given the old content, the new one.
using Change = std::function<Result<std::string>(const std::string& old)>;

// Puts `content` in place, after the old content when `append`. Another caller of this process
// waits meanwhile; a change by anyone else between the check and the replacement is noticed
// (kConflict) but for the last instant. `place` must come from kWrite.
Result<Written> WriteContent(const FileServices& services, const Place& place,
                             std::string_view content, bool append, bool create_directories,
                             const IfMatch& if_match);

// Reads the file (at most `max_read` bytes, it must exist), calls `change` and writes what it
// returns unless `dry_run`.
Result<Written> RewriteFile(const FileServices& services, const Place& place, bool dry_run,
                            const IfMatch& if_match, const Change& change);

}  // namespace toolpost::tools::file
