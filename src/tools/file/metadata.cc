// Types, times and names of files.
#include "tools/file/metadata.h"

#include <dirent.h>
#include <fcntl.h>

#include <chrono>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::tools::file {

FileType TypeOfMode(mode_t mode) {
  if (S_ISREG(mode)) return FileType::kFile;
  if (S_ISDIR(mode)) return FileType::kDirectory;
  return S_ISLNK(mode) ? FileType::kSymlink : FileType::kOther;
}

FileType TypeOfEntry(unsigned char type) {
  if (type == DT_REG) return FileType::kFile;
  if (type == DT_DIR) return FileType::kDirectory;
  return type == DT_LNK ? FileType::kSymlink : FileType::kOther;
}

std::string IsoTime(const timespec& time) {
  const auto since = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  return base::ToIso8601(
      base::WallTime(std::chrono::duration_cast<base::WallTime::duration>(since)));
}

std::optional<std::string> CreatedTime(int fd) {
  struct statx at {};
  if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &at) != 0 || (at.stx_mask & STATX_BTIME) == 0)
    return std::nullopt;
  return IsoTime({.tv_sec = at.stx_btime.tv_sec, .tv_nsec = at.stx_btime.tv_nsec});
}

std::optional<std::string> NameBase64(std::string_view name) {
  if (base::IsValidUtf8(name)) return std::nullopt;
  return base::ToBase64(name);
}

}  // namespace toolpost::tools::file
