// System calls of the audit log.
#include "telemetry/audit_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "base/strings.h"

namespace toolpost::telemetry {
namespace {

constexpr mode_t kFileMode = 0600;

Error Failure(std::string_view what, std::string_view name = {}) {
  const int cause = errno;
  return Error::Unavailable(base::StrCat("cannot ", what, name.empty() ? "" : " ", name, ": ",
                                         std::generic_category().message(cause)));
}

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Result<AuditFile> AuditFile::Open(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, kFileMode);
  if (fd < 0) return Failure("open", FileName(path));
  return AuditFile(fd);
}

void AuditFile::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Result<std::uint64_t> AuditFile::Size() const {
  struct stat status {};
  if (fstat(fd_, &status) != 0) return Failure("ask for the size of a file");
  return static_cast<std::uint64_t>(status.st_size);
}

Result<void> AuditFile::WriteAt(std::uint64_t offset, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Failure("write");
    offset += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::string> AuditFile::ReadAt(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got =
        pread(fd_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failure("read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

Result<void> AuditFile::Truncate(std::uint64_t size) const {
  if (ftruncate(fd_, static_cast<off_t>(size)) != 0) return Failure("cut a file");
  return {};
}

Result<void> AuditFile::Sync() const {
  if (fdatasync(fd_) != 0) return Failure("sync a file");
  return {};
}

Result<std::optional<std::string>> ReadWholeFile(const std::string& path) {
  auto file = AuditFile::Open(path, O_RDONLY);
  if (!file) {
    if (access(path.c_str(), F_OK) != 0 && errno == ENOENT) return std::optional<std::string>();
    return std::move(file).error();
  }
  ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
  ASSIGN_OR_RETURN(std::string text, file->ReadAt(0, size));
  return std::optional<std::string>(std::move(text));
}

Result<void> ReplaceFile(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  ASSIGN_OR_RETURN(AuditFile file, AuditFile::Open(fresh, O_WRONLY | O_CREAT | O_TRUNC));
  RETURN_IF_ERROR(file.WriteAt(0, text));
  RETURN_IF_ERROR(file.Sync());
  if (rename(fresh.c_str(), path.c_str()) != 0) return Failure("rename", FileName(path));
  return SyncDirectory(path.substr(0, path.rfind('/')));
}

Result<void> SyncDirectory(const std::string& directory) {
  ASSIGN_OR_RETURN(const AuditFile file, AuditFile::Open(directory, O_RDONLY | O_DIRECTORY));
  if (fsync(file.get()) != 0) return Failure("sync the audit directory");
  return {};
}

Result<void> MakeAuditDirectory(const std::string& directory) {
  for (std::size_t slash = directory.find('/', 1);; slash = directory.find('/', slash + 1)) {
    if (mkdir(directory.substr(0, slash).c_str(), 0700) != 0 && errno != EEXIST) {
      return Failure("create the audit directory");
    }
    if (slash == std::string::npos) break;
  }
  if (mkdir((directory + "/live").c_str(), 0700) != 0 && errno != EEXIST) {
    return Failure("create a folder in the audit directory");
  }
  return {};
}

std::vector<std::string> NamesIn(const std::string& directory) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(directory.c_str()), &closedir);
  if (!entries) return names;
  while (const dirent* entry = readdir(entries.get())) names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

Result<AuditFile> LockDirectory(const std::string& directory, Sharing sharing) {
  const bool exclusive = sharing == Sharing::kExclusive;
  ASSIGN_OR_RETURN(AuditFile file, AuditFile::Open(directory + "/audit.lock",
                                                   exclusive ? O_RDWR | O_CREAT : O_RDONLY));
  while (flock(file.get(), exclusive ? LOCK_EX : LOCK_SH) != 0) {
    if (errno != EINTR) return Failure("lock the audit directory");
  }
  return file;
}

bool TryLock(const AuditFile& file) { return flock(file.get(), LOCK_EX | LOCK_NB) == 0; }

}  // namespace toolpost::telemetry
