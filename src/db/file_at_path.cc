// A descriptor of the file tells what happened to it; moving it changes its inode.
#include "db/file_at_path.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <utility>

namespace toolpost::db {
namespace {

constexpr std::chrono::seconds kWalkAfter{1};
// Times of inodes may be as coarse as that: two changes in a row can bear the same.
constexpr std::chrono::milliseconds kGrain{20};

bool Same(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool IsRecent(const timespec& time) {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec) + kGrain >
         since_epoch;
}

}  // namespace

// O_PATH: closing any other descriptor of a file ends the POSIX locks of the process on it.
FileAtPath::FileAtPath(std::string path)
    : path_(std::move(path)), file_(open(path_.c_str(), O_PATH | O_CLOEXEC)) {}

bool FileAtPath::StillThere() {
  struct stat opened {};
  if (fstat(file_.get(), &opened) != 0 || opened.st_nlink == 0) return false;
  const auto now = std::chrono::steady_clock::now();
  if (Same(opened.st_ctim, changed_) && now - walked_ < kWalkAfter) return true;
  struct stat found {};
  if (stat(path_.c_str(), &found) != 0) return false;
  if (found.st_dev != opened.st_dev || found.st_ino != opened.st_ino) return false;
  changed_ = IsRecent(opened.st_ctim) ? timespec{} : opened.st_ctim;
  walked_ = now;
  return true;
}

}  // namespace toolpost::db
