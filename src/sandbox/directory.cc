// readdir, sorted.
#include "sandbox/directory.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "sandbox/atomic_file.h"

namespace toolpost::sandbox {

int ReadDirectory(int directory, std::size_t limit, Temporary temporary,
                  std::vector<DirectoryEntry>& entries) {
  entries.clear();
  const int copy = fcntl(directory, F_DUPFD_CLOEXEC, 3);
  DIR* const stream = copy < 0 ? nullptr : fdopendir(copy);
  if (stream == nullptr) {
    const int error = errno;
    if (copy >= 0) close(copy);
    return error;
  }
  rewinddir(stream);
  int error = 0;
  while (true) {
    errno = 0;
    const dirent* entry = readdir(stream);
    if (entry == nullptr) {
      error = errno;
      break;
    }
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (temporary == Temporary::kLeftOut && IsTemporaryName(name)) continue;
    if (entries.size() >= limit) {
      error = EFBIG;
      break;
    }
    entries.push_back({std::string(name), entry->d_type});
  }
  closedir(stream);
  std::ranges::sort(entries, {}, &DirectoryEntry::name);
  return error;
}

Descriptor OpenChild(int directory, const std::string& name) {
  return Descriptor(openat(directory, name.c_str(),
                           O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace toolpost::sandbox
