// flock on a file that is never removed: removing it would let two processes lock two files of one
// name.
#include "store/serving_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/strings.h"
#include "db/private_file.h"

namespace toolpost::store {
namespace {

constexpr std::string_view kName = "serve.lock";

Error Held(int descriptor) {
  char text[24];
  const ssize_t size = pread(descriptor, text, sizeof text, 0);
  std::string_view holder(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  holder = holder.substr(0, holder.find_first_not_of("0123456789"));
  const std::string who = holder.empty() ? "another process" : base::StrCat("process ", holder);
  return {Code::kConflict,
          base::StrCat("This state directory is in use: ", who,
                       " is serving from it. Stop that one, or give this one another with "
                       "--state-dir"),
          {}};
}

}  // namespace

ServingLock::~ServingLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<void> ServingLock::Take(const std::string& directory) {
  if (descriptor_ >= 0) return {};
  const std::string path = base::StrCat(directory, "/", kName);
  RETURN_IF_ERROR(db::MakePrivate(path, true));
  const int descriptor = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) {
    return Error::Unavailable(base::StrCat(kName, " cannot be opened: ", std::strerror(errno)));
  }
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    Error error =
        errno == EWOULDBLOCK
            ? Held(descriptor)
            : Error::Unavailable(base::StrCat(kName, " cannot be locked: ", std::strerror(errno)));
    close(descriptor);
    return error;
  }
  // Over what is there: truncating would make the file system wait for its disk. The rest of a
  // longer number stays behind the end of the line.
  const std::string holder = base::StrCat(getpid(), "\n");
  if (pwrite(descriptor, holder.data(), holder.size(), 0) != static_cast<ssize_t>(holder.size())) {
    Error error =
        Error::Unavailable(base::StrCat(kName, " cannot be written: ", std::strerror(errno)));
    close(descriptor);
    return error;
  }
  descriptor_ = descriptor;
  return {};
}

}  // namespace toolpost::store
