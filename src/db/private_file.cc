// Ownership and mode of a file through an O_PATH descriptor.
#include "db/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::db {
namespace {

constexpr mode_t kMode = 0600;

Error Unusable(const std::string& name, int reason) {
  base::Log(base::Severity::kWarning, "file not usable",
            {{"file", name}, {"detail", std::string_view(std::strerror(reason))}});
  switch (reason) {
    case ENOENT:
      return Error::Unavailable(base::StrCat("The directory of ", name, " does not exist"));
    case EACCES:
    case EPERM:
    case EROFS:
      return Error::Unavailable(base::StrCat(
          name, " cannot be written: check that this user may write the directory it is in"));
    case ENOSPC:
    case EDQUOT:
      return Error::Unavailable(base::StrCat(name, " cannot be written: the disk is full"));
    default:
      return Error::Unavailable(base::StrCat(name, " cannot be opened: ", std::strerror(reason)));
  }
}

Error Refused(const std::string& name, std::string_view reason) {
  return {Code::kPermissionDenied, base::StrCat(name, " ", reason), {}};
}

Result<void> CheckAndRepair(int descriptor, const std::string& name) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return Unusable(name, errno);
  if (S_ISLNK(status.st_mode)) {
    return Refused(name, "is a symbolic link: name the directory of the file itself");
  }
  if (!S_ISREG(status.st_mode)) return Refused(name, "is not a regular file: move it away");
  if (status.st_uid != geteuid()) {
    return Refused(name, "belongs to another user: run as that user, or use another directory");
  }
  if ((status.st_mode & 07777) == kMode) return {};
  // chmod by descriptor: fchmod refuses O_PATH descriptors.
  const std::string link = base::StrCat("/proc/self/fd/", descriptor);
  if (chmod(link.c_str(), kMode) != 0) return Unusable(name, errno);
  return {};
}

}  // namespace

Result<void> MakePrivate(const std::string& path, bool create) {
  const std::string name = std::filesystem::path(path).filename().string();
  if (create && mknod(path.c_str(), S_IFREG | kMode, 0) != 0 && errno != EEXIST) {
    return Unusable(name, errno);
  }
  const int descriptor = open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT && !create) return {};
    return Unusable(name, errno);
  }
  Result<void> checked = CheckAndRepair(descriptor, name);
  close(descriptor);
  return checked;
}

}  // namespace toolpost::db
