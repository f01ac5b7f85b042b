// Temporary file, flush, rename.
#include "sandbox/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>
#include <vector>

#include "base/crypto.h"
#include "base/strings.h"
#include "sandbox/file_error.h"

namespace toolpost::sandbox {
namespace {

constexpr std::string_view kPrefix = ".toolpost-";
constexpr std::string_view kSuffix = ".tmp";
constexpr std::size_t kRandomBytes = 16;
constexpr mode_t kPermissions = 0777;

// umask() cannot be read without changing it under the feet of other threads.
mode_t ReadUmask() {
  constexpr mode_t kUsual = 022;
  const Descriptor status(open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text{};
  const ssize_t length = status ? read(status.get(), text.data(), text.size()) : 0;
  const std::string_view all(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::size_t at = all.find("Umask:\t");
  if (at == std::string_view::npos) return kUsual;
  unsigned mask = kUsual;
  std::from_chars(all.data() + at + 7, all.data() + all.size(), mask, 8);
  return mask;
}

mode_t NewFileMode() {
  static const mode_t kMode = 0666 & ~ReadUmask();
  return kMode;
}

}  // namespace

AtomicFile::AtomicFile(const Parent& parent, std::string given, std::string name, Descriptor file)
    : parent_(&parent),
      given_(std::move(given)),
      temporary_(std::move(name)),
      file_(std::move(file)) {}

Result<AtomicFile> AtomicFile::Create(const Parent& parent, std::string given) {
  std::string name = base::StrCat(kPrefix, base::RandomHex(kRandomBytes), kSuffix);
  Descriptor file(openat(parent.directory.get(), name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return FileError(errno, given);
  // Nobody else knows the name yet; a file system without locks only loses the clean-up's caution.
  flock(file.get(), LOCK_EX | LOCK_NB);
  return AtomicFile(parent, std::move(given), std::move(name), std::move(file));
}

AtomicFile::~AtomicFile() {
  if (file_ && !temporary_.empty()) unlinkat(parent_->directory.get(), temporary_.c_str(), 0);
}

Result<void> AtomicFile::Write(std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = write(file_.get(), data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError(errno, given_);
    data.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> AtomicFile::CopyFrom(int source, std::uint64_t size) {
  off_t from = 0;
  while (size > 0) {
    const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(size, 1u << 30));
    const ssize_t copied = copy_file_range(source, &from, file_.get(), nullptr, step, 0);
    if (copied > 0) {
      size -= static_cast<std::uint64_t>(copied);
      continue;
    }
    if (copied == 0) break;
    if (errno == EINTR) continue;
    std::vector<char> buffer(std::size_t{64} * 1024);
    const ssize_t got =
        pread(source, buffer.data(), std::min<std::uint64_t>(buffer.size(), size), from);
    if (got < 0) return FileError(errno, given_);
    if (got == 0) break;
    RETURN_IF_ERROR(Write({buffer.data(), static_cast<std::size_t>(got)}));
    from += got;
    size -= static_cast<std::uint64_t>(got);
  }
  if (size > 0)
    return Error{Code::kConflict, base::StrCat(given_, " changed while it was copied"), {}};
  return {};
}

Result<struct stat> AtomicFile::Commit(const struct stat* replaced) {
  if (replaced != nullptr) {
    // Only root may give files away; for others the file stays ours.
    if (fchown(file_.get(), replaced->st_uid, replaced->st_gid) != 0) errno = 0;
  }
  const mode_t mode = replaced != nullptr ? replaced->st_mode & kPermissions : NewFileMode();
  struct stat at {};
  if (fchmod(file_.get(), mode) != 0 || fsync(file_.get()) != 0) return FileError(errno, given_);
  const int directory = parent_->directory.get();
  if (renameat(directory, temporary_.c_str(), directory, parent_->name.c_str()) != 0)
    return FileError(errno, given_);
  temporary_.clear();
  // The new content is in place; that its name survives a power cut is all a failure here loses.
  fsync(directory);
  if (fstat(file_.get(), &at) != 0) return FileError(errno, given_);
  return at;
}

bool IsTemporaryName(std::string_view name) {
  if (name.size() != kPrefix.size() + 2 * kRandomBytes + kSuffix.size()) return false;
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
  return std::ranges::all_of(name.substr(kPrefix.size(), 2 * kRandomBytes), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

std::size_t RemoveLeftovers(int directory) {
  DIR* const entries = fdopendir(fcntl(directory, F_DUPFD_CLOEXEC, 3));
  if (entries == nullptr) return 0;
  rewinddir(entries);
  std::size_t removed = 0;
  while (const dirent* entry = readdir(entries)) {
    if (!IsTemporaryName(entry->d_name)) continue;
    const Descriptor file(openat(directory, entry->d_name,
                                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat at {};
    if (!file || fstat(file.get(), &at) != 0 || !S_ISREG(at.st_mode)) continue;
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) continue;
    if (unlinkat(directory, entry->d_name, 0) == 0) ++removed;
  }
  closedir(entries);
  return removed;
}

}  // namespace toolpost::sandbox
