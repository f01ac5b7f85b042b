// Whether the file at a path is still the one it was.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

#include "base/descriptor.h"

namespace toolpost::db {

// Not thread-safe.
class FileAtPath {
 public:
  // The file that is there now. Takes no lock on it, and ends none of this process when it goes.
  explicit FileAtPath(std::string path);

  // False when it was removed, moved, or another one has taken its place: at once, unless a folder
  // above it was moved, which shows within a second. Cheap: the path is seldom walked.
  bool StillThere();

 private:
  std::string path_;
  base::Descriptor file_;
  timespec changed_{};  // when the inode was, last time the path led to it; zero: not sure
  std::chrono::steady_clock::time_point walked_;
};

}  // namespace toolpost::db
