// openat2, and a walk for kernels without it.
#include "sandbox/open_beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>

namespace toolpost::sandbox {
namespace {

constexpr int kMaxTries = 16;

// A walk that meets a link says so, as openat2 does.
Opened OpenComponent(int directory, const std::string& name, int flags) {
  Descriptor fd(openat(directory, name.c_str(), flags | O_NOFOLLOW));
  const int error = errno;
  if (!fd) {
    struct stat at {};
    const bool link = (error == ENOTDIR || error == ELOOP) &&
                      fstatat(directory, name.c_str(), &at, AT_SYMLINK_NOFOLLOW) == 0 &&
                      S_ISLNK(at.st_mode);
    return {{}, link ? ELOOP : error};
  }
  if ((flags & O_PATH) != 0) {
    struct stat at {};
    if (fstat(fd.get(), &at) != 0) return {{}, errno};
    if (S_ISLNK(at.st_mode)) return {{}, ELOOP};
  }
  return {std::move(fd), 0};
}

Opened Walk(int directory, std::string_view relative, int flags) {
  Descriptor held;
  while (true) {
    const std::size_t slash = relative.find('/');
    const std::string name(relative.substr(0, slash));
    if (name == "..") return {{}, EXDEV};
    const int from = held ? held.get() : directory;
    if (slash == std::string_view::npos) return OpenComponent(from, name, flags);
    Opened next = OpenComponent(from, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!next.descriptor) return next;
    held = std::move(next.descriptor);
    relative.remove_prefix(slash + 1);
  }
}

std::atomic<bool> kernel_lacks_openat2{false};

}  // namespace

Opened OpenBeneath(int directory, const std::string& relative, int flags, const Beneath& how) {
  flags |= O_CLOEXEC;
  if ((flags & O_PATH) == 0) flags |= O_NOCTTY;
  const char* const path = relative.empty() ? "." : relative.c_str();
  if (how.walk || kernel_lacks_openat2) return Walk(directory, path, flags);
  open_how request{};
  request.flags = static_cast<std::uint64_t>(flags);
  request.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  if (!how.follow_links) request.resolve |= RESOLVE_NO_SYMLINKS;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const long fd = syscall(SYS_openat2, directory, path, &request, sizeof request);
    if (fd >= 0) return {Descriptor(static_cast<int>(fd)), 0};
    if (errno == ENOSYS) {
      kernel_lacks_openat2 = true;
      return Walk(directory, path, flags);
    }
    if (errno != EAGAIN && errno != EINTR) return {{}, errno};
  }
  return {{}, EAGAIN};
}

}  // namespace toolpost::sandbox
