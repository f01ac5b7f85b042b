// Check, temporary file, rename.
#include "tools/file/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/strings.h"
#include "sandbox/atomic_file.h"
#include "sandbox/file_error.h"
#include "tools/file/content.h"
#include "tools/file/metadata.h"
#include "tools/file/read_range.h"

namespace toolpost::tools::file {
namespace {

constexpr std::uint64_t kMaxAppend = std::uint64_t{256} << 20;  // append copies: see AtomicFile

// The file that will be replaced.
class Target {
 public:
  static Result<Target> Open(const FileServices& services, const Place& place, bool create) {
    Target target(place);
    ASSIGN_OR_RETURN(target.parent_, sandbox::OpenParent(*place.roots, place.location, create));
    struct stat folder {};
    if (fstat(target.parent_.directory.get(), &folder) != 0)
      return sandbox::FileError(errno, place.location.given);
    target.lock_ =
        std::unique_lock(services.locks->For(folder.st_dev, folder.st_ino, target.parent_.name));
    RETURN_IF_ERROR(target.Look());
    return target;
  }

  const sandbox::Parent& parent() const { return parent_; }
  const struct stat* old() const { return exists_ ? &old_ : nullptr; }
  const std::string& given() const { return place_->location.given; }

  Result<sandbox::OpenFile> OpenOld() const {
    ASSIGN_OR_RETURN(sandbox::OpenFile file,
                     sandbox::OpenRegular(*place_->roots, place_->location));
    if (!IsOld(file.at)) return Changed();
    return file;
  }

  Result<void> Check(const IfMatch& if_match, std::uint64_t max_read) const {
    if (!if_match) return {};
    const std::string& expected = *if_match;
    if (expected == "none") {
      if (!exists_) return {};
      return Error{Code::kConflict, base::StrCat(given(), " exists already"), {}};
    }
    if (!exists_) return Error{Code::kConflict, base::StrCat(given(), " does not exist"), {}};
    ASSIGN_OR_RETURN(const sandbox::OpenFile file, OpenOld());
    ASSIGN_OR_RETURN(const Range all, ReadBytes(file.descriptor.get(), 0, max_read, given(), {}));
    if (all.more) {
      return Error{
          Code::kTooLarge,
          base::StrCat(given(), " is larger than ifMatch can check (", max_read, " bytes)"),
          {}};
    }
    if (Digest(all.bytes) == expected) return {};
    return Error{Code::kConflict,
                 base::StrCat(given(), " has changed: its SHA-256 is not ifMatch. Read it again"),
                 {}};
  }

  // Nobody replaced or changed the file since Open.
  Result<void> Unchanged() const {
    struct stat now {};
    const bool exists =
        fstatat(parent_.directory.get(), parent_.name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists != exists_ || (exists && !IsOld(now))) return Changed();
    return {};
  }

 private:
  explicit Target(const Place& place) : place_(&place) {}

  bool IsOld(const struct stat& at) const {
    return at.st_ino == old_.st_ino && at.st_dev == old_.st_dev && at.st_size == old_.st_size &&
           at.st_mtim.tv_sec == old_.st_mtim.tv_sec && at.st_mtim.tv_nsec == old_.st_mtim.tv_nsec;
  }

  Error Changed() const {
    return {Code::kConflict, base::StrCat(given(), " was changed by someone else meanwhile"), {}};
  }

  Result<void> Look() {
    const int folder = parent_.directory.get();
    const char* const name = parent_.name.c_str();
    if (fstatat(folder, name, &old_, AT_SYMLINK_NOFOLLOW) != 0) {
      return errno == ENOENT ? Result<void>() : sandbox::FileError(errno, given());
    }
    exists_ = true;
    if (S_ISLNK(old_.st_mode)) return sandbox::FileError(ELOOP, given());
    if (S_ISDIR(old_.st_mode)) return sandbox::FileError(EISDIR, given());
    if (!S_ISREG(old_.st_mode))
      return Error::InvalidParams(
          base::StrCat(given(), " is no regular file; only such can be written"));
    // A rename would not ask for the file's own permission.
    if (faccessat(folder, name, W_OK, AT_EACCESS) != 0) return sandbox::FileError(errno, given());
    return {};
  }

  const Place* place_;
  sandbox::Parent parent_;
  std::unique_lock<std::mutex> lock_;
  struct stat old_ {};
  bool exists_ = false;
};

Result<Written> Put(const FileServices& services, const Place& place, const Target& target,
                    std::string_view content, bool append) {
  services.journal->Note(place.location);
  ASSIGN_OR_RETURN(sandbox::AtomicFile file,
                   sandbox::AtomicFile::Create(target.parent(), target.given()));
  if (append && target.old() != nullptr) {
    ASSIGN_OR_RETURN(const sandbox::OpenFile old, target.OpenOld());
    const auto size = static_cast<std::uint64_t>(old.at.st_size);
    if (size > kMaxAppend) {
      return Error{Code::kTooLarge,
                   base::StrCat(target.given(), " is too large to append to (more than ",
                                kMaxAppend >> 20, " MiB): appending makes a copy"),
                   {}};
    }
    RETURN_IF_ERROR(file.CopyFrom(old.descriptor.get(), size));
  }
  RETURN_IF_ERROR(file.Write(content));
  RETURN_IF_ERROR(target.Unchanged());
  Written written{.replaced = target.old() != nullptr};
  ASSIGN_OR_RETURN(written.at, file.Commit(target.old()));
  written.created = CreatedTime(file.descriptor());
  return written;
}

}  // namespace

Result<Written> WriteContent(const FileServices& services, const Place& place,
                             std::string_view content, bool append, bool create_directories,
                             const IfMatch& if_match) {
  ASSIGN_OR_RETURN(const Target target, Target::Open(services, place, create_directories));
  RETURN_IF_ERROR(target.Check(if_match, services.max_read));
  return Put(services, place, target, content, append);
}

Result<Written> RewriteFile(const FileServices& services, const Place& place, bool dry_run,
                            const IfMatch& if_match, const Change& change) {
  ASSIGN_OR_RETURN(const Target target, Target::Open(services, place, false));
  if (target.old() == nullptr) return sandbox::FileError(ENOENT, target.given());
  RETURN_IF_ERROR(target.Check(if_match, services.max_read));
  ASSIGN_OR_RETURN(const sandbox::OpenFile file, target.OpenOld());
  ASSIGN_OR_RETURN(const Range old,
                   ReadBytes(file.descriptor.get(), 0, services.max_read, target.given(), {}));
  if (old.more) {
    return Error{Code::kTooLarge,
                 base::StrCat(target.given(), " is larger than the ", services.max_read,
                              " bytes that can be edited"),
                 {}};
  }
  ASSIGN_OR_RETURN(const std::string content, change(old.bytes));
  if (dry_run) return Written{.at = file.at, .replaced = true};
  return Put(services, place, target, content, false);
}

}  // namespace toolpost::tools::file
