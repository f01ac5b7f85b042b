// Plan, then unlink level by level.
#include "sandbox/remove_tree.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/directory.h"
#include "sandbox/file_error.h"
#include "sandbox/path_text.h"
#include "sandbox/protected_names.h"

namespace toolpost::sandbox {
namespace {

struct Level {
  Descriptor folder;
  std::string name;
  std::vector<DirectoryEntry> entries;
  std::size_t next = 0;
  std::size_t path_length = 0;
};

Error Refused(std::string_view given, std::string_view why) {
  return {Code::kPermissionDenied, base::StrCat(given, why, "; nothing was deleted"), {}};
}

// One pass over the tree: looks only, or deletes.
class Remover {
 public:
  Remover(const Location& location, std::stop_token stop, const RemovalLimits& limits,
          bool removing)
      : location_(location), stop_(std::move(stop)), limits_(limits), removing_(removing) {}

  Result<Removal> Run(const Parent& parent) {
    RETURN_IF_ERROR(Handle(parent.directory.get(), parent.name));
    while (!levels_.empty()) {
      if (stop_.stop_requested()) return Stopped(Error::Cancelled());
      Level& level = levels_.back();
      path_.resize(level.path_length);
      if (level.next == level.entries.size()) {
        RETURN_IF_ERROR(Leave(parent.directory.get()));
        continue;
      }
      const std::string name = level.entries[level.next++].name;
      if (!path_.empty()) path_.push_back('/');
      path_.append(name);
      RETURN_IF_ERROR(Handle(level.folder.get(), name));
    }
    return std::move(removal_);
  }

 private:
  Error Stopped(Error error) const {
    if (removing_ && removal_.files + removal_.folders > 0) {
      error.code = error.code == Code::kCancelled ? Code::kCancelled : Code::kConflict;
      error.message.append(base::StrCat(" (", removal_.files + removal_.folders,
                                        " entries were deleted before that)"));
    }
    return error;
  }

  void Count(const struct stat& at) {
    if (removal_.shown.size() < Removal::kMaxShown) removal_.shown.push_back(path_);
    if (S_ISDIR(at.st_mode)) {
      ++removal_.folders;
    } else {
      ++removal_.files;
      removal_.bytes += static_cast<std::uint64_t>(at.st_size);
    }
  }

  // One entry: looks at it, unlinks it, or goes into it.
  Result<void> Handle(int folder, const std::string& name) {
    struct stat at {};
    if (fstatat(folder, name.c_str(), &at, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT && !levels_.empty()) return {};
      return Stopped(FileError(errno, location_.given));
    }
    const std::string relative = JoinPath(location_.relative, path_);
    if (IsProtected(relative)) {
      return Refused(location_.given,
                     base::StrCat(" holds ", EncodePath(path_), ", which is protected"));
    }
    if (S_ISDIR(at.st_mode)) return Enter(folder, name, at);
    if (removing_ && unlinkat(folder, name.c_str(), 0) != 0 && errno != ENOENT)
      return Stopped(FileError(errno, location_.given));
    Count(at);
    return CheckSize();
  }

  Result<void> CheckSize() const {
    if (removal_.files + removal_.folders <= limits_.entries) return {};
    return Stopped(Error{Code::kTooLarge,
                         base::StrCat(location_.given, " holds more than ", limits_.entries,
                                      " entries; delete it in parts"),
                         {}});
  }

  Result<void> Enter(int folder, const std::string& name, const struct stat& at) {
    if (levels_.size() >= limits_.depth) {
      return Stopped(Error{Code::kTooLarge,
                           base::StrCat(location_.given, " is more than ", limits_.depth,
                                        " levels deep; delete it in parts"),
                           {}});
    }
    Level level{.folder = OpenChild(folder, name), .name = name, .path_length = path_.size()};
    struct stat opened {};
    if (!level.folder || fstat(level.folder.get(), &opened) != 0)
      return Stopped(FileError(errno, location_.given));
    if (opened.st_ino != at.st_ino || opened.st_dev != at.st_dev) {
      return Stopped(Error{
          Code::kConflict, base::StrCat(location_.given, " changed while it was deleted"), {}});
    }
    if (device_ == 0) device_ = at.st_dev;
    if (at.st_dev != device_) {
      return Stopped(Refused(
          location_.given,
          base::StrCat(" holds ", EncodePath(path_), ", where another file system is mounted")));
    }
    const int error =
        ReadDirectory(level.folder.get(), limits_.entries + 1, Temporary::kShown, level.entries);
    if (error != 0 && error != EFBIG) return Stopped(FileError(error, location_.given));
    if (!removing_) Count(at);
    levels_.push_back(std::move(level));
    return CheckSize();
  }

  Result<void> Leave(int top) {
    const Level done = std::move(levels_.back());
    levels_.pop_back();
    if (!removing_) return {};
    const int folder = levels_.empty() ? top : levels_.back().folder.get();
    struct stat at {};
    if (fstat(done.folder.get(), &at) != 0) return Stopped(FileError(errno, location_.given));
    if (unlinkat(folder, done.name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
      if (errno == ENOTEMPTY) {
        return Stopped(
            Error{Code::kConflict, base::StrCat(location_.given, " was written to meanwhile"), {}});
      }
      return Stopped(FileError(errno, location_.given));
    }
    Count(at);
    return {};
  }

  const Location& location_;
  const std::stop_token stop_;
  const RemovalLimits limits_;
  const bool removing_;
  std::vector<Level> levels_;
  std::string path_;  // of the current entry, relative to the place
  dev_t device_ = 0;
  Removal removal_;
};

}  // namespace

Result<void> CheckMovable(const Location& location) {
  if (!HoldsOther(*location.root, location.relative)) return {};
  return Error{
      Code::kPermissionDenied,
      base::StrCat(location.given, location.relative.empty()
                                       ? " is a root folder, which is neither moved nor deleted"
                                       : " holds a folder that is neither moved nor deleted"),
      {}};
}

Result<Removal> PlanRemoval(const Roots& roots, const Location& location, std::stop_token stop,
                            const RemovalLimits& limits) {
  RETURN_IF_ERROR(CheckMovable(location));
  ASSIGN_OR_RETURN(const Parent parent, OpenParent(roots, location, false));
  return Remover(location, std::move(stop), limits, false).Run(parent);
}

Result<Removal> RemoveTree(const Roots& roots, const Location& location, std::stop_token stop,
                           const RemovalLimits& limits) {
  RETURN_IF_ERROR(PlanRemoval(roots, location, stop, limits));
  ASSIGN_OR_RETURN(const Parent parent, OpenParent(roots, location, false));
  return Remover(location, std::move(stop), limits, true).Run(parent);
}

}  // namespace toolpost::sandbox
