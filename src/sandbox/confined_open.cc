// Two-step opens below roots.
#include "sandbox/confined_open.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <array>
#include <cerrno>
#include <climits>

#include "base/strings.h"
#include "sandbox/file_error.h"
#include "sandbox/open_beneath.h"
#include "sandbox/path_text.h"

namespace toolpost::sandbox {
namespace {

std::string ProcLink(int fd) { return base::StrCat("/proc/self/fd/", fd); }

Opened OpenAt(const Roots& roots, const Root& root, const std::string& relative, int flags) {
  return OpenBeneath(root.directory.get(), relative, flags,
                     {.follow_links = roots.follow_links(), .walk = roots.walk()});
}

// Where a followed link led decides, not its name.
Result<void> CheckReal(const Roots& roots, int fd, std::string_view name, std::string_view given,
                       Access access) {
  std::array<char, PATH_MAX> real{};
  const ssize_t length = readlink(ProcLink(fd).c_str(), real.data(), real.size());
  if (length <= 0 || static_cast<std::size_t>(length) >= real.size())
    return FileError(EACCES, given);
  const std::string path(real.data(), static_cast<std::size_t>(length));
  RETURN_IF_ERROR(roots.Place(JoinPath(path, name), given, access));
  return {};
}

Result<OpenFile> Examine(const Roots& roots, const Location& location, Opened opened) {
  if (!opened.descriptor) return FileError(opened.error, location.given);
  OpenFile file{.descriptor = std::move(opened.descriptor)};
  if (fstat(file.descriptor.get(), &file.at) != 0) return FileError(errno, location.given);
  if (file.at.st_dev != location.root->device && IsKernelWindow(file.descriptor.get())) {
    return Error{Code::kPermissionDenied,
                 base::StrCat(location.given,
                              " is on a file system of the kernel, which the file tools do not "
                              "touch"),
                 {}};
  }
  if (roots.follow_links())
    RETURN_IF_ERROR(CheckReal(roots, file.descriptor.get(), {}, location.given, Access::kRead));
  return file;
}

Error NotRegular(const struct stat& at, std::string_view given) {
  if (S_ISDIR(at.st_mode)) return FileError(EISDIR, given);
  if (S_ISLNK(at.st_mode)) return FileError(ELOOP, given);
  return Error::InvalidParams(base::StrCat(given, " is a ",
                                           S_ISFIFO(at.st_mode)   ? "FIFO"
                                           : S_ISSOCK(at.st_mode) ? "socket"
                                                                  : "device",
                                           "; only regular files can be used"));
}

}  // namespace

bool IsKernelWindow(int fd) {
  struct statfs at {};
  if (fstatfs(fd, &at) != 0) return true;
  switch (static_cast<unsigned long>(at.f_type)) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case BPF_FS_MAGIC:
    case DEVPTS_SUPER_MAGIC:
    case BINFMTFS_MAGIC:
    case SELINUX_MAGIC:
      return true;
    default:
      return false;
  }
}

Result<OpenFile> Pin(const Roots& roots, const Location& location) {
  if (location.relative.empty())
    return Examine(roots, location, OpenAt(roots, *location.root, "", O_PATH | O_DIRECTORY));
  Opened folder =
      OpenAt(roots, *location.root, std::string(location.parent()), O_PATH | O_DIRECTORY);
  if (!folder.descriptor) return FileError(folder.error, location.given);
  Descriptor entry(openat(folder.descriptor.get(), std::string(location.name()).c_str(),
                          O_PATH | O_NOFOLLOW | O_CLOEXEC));
  const int error = errno;
  return Examine(roots, location, {std::move(entry), error});
}

Result<OpenFile> OpenRegular(const Roots& roots, const Location& location) {
  const int follow = roots.follow_links() ? 0 : O_NOFOLLOW;
  ASSIGN_OR_RETURN(
      OpenFile pinned,
      Examine(roots, location, OpenAt(roots, *location.root, location.relative, O_PATH | follow)));
  if (!S_ISREG(pinned.at.st_mode)) return NotRegular(pinned.at, location.given);
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file(open(ProcLink(pinned.descriptor.get()).c_str(), kFlags));
  if (file) return OpenFile{.descriptor = std::move(file), .at = pinned.at};
  if (errno != ENOENT) return FileError(errno, location.given);
  // No /proc: open by name again, which must give what was pinned.
  Opened again = OpenAt(roots, *location.root, location.relative, kFlags | follow);
  if (!again.descriptor) return FileError(again.error, location.given);
  struct stat at {};
  if (fstat(again.descriptor.get(), &at) != 0 || at.st_ino != pinned.at.st_ino ||
      at.st_dev != pinned.at.st_dev)
    return FileError(EAGAIN, location.given);
  return OpenFile{.descriptor = std::move(again.descriptor), .at = at};
}

Result<OpenFile> OpenDirectory(const Roots& roots, const Location& location, int flags) {
  return Examine(roots, location,
                 OpenAt(roots, *location.root, location.relative, flags | O_DIRECTORY));
}

namespace {

// Opens `path` below the root, making what is missing. Every step starts at the root again, so that
// no step can lead further than the kernel allows.
Opened MakeDirectories(const Roots& roots, const Root& root, const std::string& path) {
  Opened opened = OpenAt(roots, root, path, O_RDONLY | O_DIRECTORY);
  if (opened.error != ENOENT) return opened;
  Opened above = OpenAt(roots, root, "", O_RDONLY | O_DIRECTORY);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    Opened next = OpenAt(roots, root, path.substr(0, end), O_RDONLY | O_DIRECTORY);
    if (next.error == ENOENT) {
      const std::string name = path.substr(begin, end - begin);
      if (!above.descriptor) return above;
      if (mkdirat(above.descriptor.get(), name.c_str(), 0777) != 0 && errno != EEXIST)
        return {{}, errno};
      next = OpenAt(roots, root, path.substr(0, end), O_RDONLY | O_DIRECTORY);
    }
    if (!next.descriptor) return next;
    above = std::move(next);
    begin = end + 1;
  }
  return above;
}

}  // namespace

Result<Parent> OpenParent(const Roots& roots, const Location& location, bool create) {
  if (location.relative.empty()) {
    return Error{Code::kPermissionDenied,
                 base::StrCat(location.given,
                              " is a root folder, which the file tools do not move, replace or "
                              "delete"),
                 {}};
  }
  const std::string path(location.parent());
  Opened opened = create ? MakeDirectories(roots, *location.root, path)
                         : OpenAt(roots, *location.root, path, O_RDONLY | O_DIRECTORY);
  if (!opened.descriptor && opened.error == ENOENT && !create) {
    return Error::NotFound(base::StrCat("The folder of ", location.given, " does not exist"));
  }
  Parent parent{.directory = {}, .name = std::string(location.name())};
  ASSIGN_OR_RETURN(OpenFile folder, Examine(roots, location, std::move(opened)));
  if (roots.follow_links()) {
    RETURN_IF_ERROR(
        CheckReal(roots, folder.descriptor.get(), parent.name, location.given, Access::kWrite));
  }
  parent.directory = std::move(folder.descriptor);
  return parent;
}

}  // namespace toolpost::sandbox
