// The few file operations the audit log is made of. Failures are errors whose message names the
// file and the cause, for the log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::telemetry {

// Owns a file descriptor.
class AuditFile {
 public:
  AuditFile() = default;
  explicit AuditFile(int fd) : fd_(fd) {}
  AuditFile(AuditFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  AuditFile& operator=(AuditFile&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~AuditFile() { Close(); }

  // `flags` as for open(2); close-on-exec, no symbolic links, new files 0600.
  static Result<AuditFile> Open(const std::string& path, int flags);

  bool is_open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  void Close();
  Result<std::uint64_t> Size() const;
  Result<void> WriteAt(std::uint64_t offset, std::string_view bytes) const;
  // Up to `size` bytes; fewer only at the end of the file.
  Result<std::string> ReadAt(std::uint64_t offset, std::size_t size) const;
  Result<void> Truncate(std::uint64_t size) const;
  Result<void> Sync() const;  // fdatasync

 private:
  int fd_ = -1;
};

// The whole file, or nothing if there is none.
Result<std::optional<std::string>> ReadWholeFile(const std::string& path);
// Writes a new file beside `path` and renames it over it: readers see the old or the new text.
Result<void> ReplaceFile(const std::string& path, std::string_view text);
Result<void> SyncDirectory(const std::string& directory);
// Creates `directory` (0700) and its `live` folder.
Result<void> MakeAuditDirectory(const std::string& directory);
// Names in a directory, sorted; empty if there is none.
std::vector<std::string> NamesIn(const std::string& directory);

enum class Sharing { kExclusive, kShared };
// The lock of all processes on the names, the key and the index of a log. The kernel drops it with
// the process.
Result<AuditFile> LockDirectory(const std::string& directory, Sharing sharing);
// Takes `file` for this process if nobody else has it.
bool TryLock(const AuditFile& file);

}  // namespace toolpost::telemetry
