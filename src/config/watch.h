// Tells when a file changed, however it was changed: written in place, replaced by rename, or
// through a symbolic link that now points elsewhere (as Kubernetes does).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "toolpost/result.h"

namespace toolpost::config {

// Owns one thread and one inotify descriptor on the directory of the file. Costs nothing unless
// started.
class FileWatch {
 public:
  // Calls `changed` on the watch's thread, once per burst of changes, after `quiet` without another
  // one (at most ten times that when they do not stop). Deleting the file is no change; creating it
  // again is one. `changed` may be slow; it must not destroy the watch. An exception of it is
  // logged. Code::kUnavailable when the directory cannot be watched.
  // Changes count from here: start the watch before reading the file, so that none falls between
  // the two.
  static Result<std::unique_ptr<FileWatch>> Start(
      const std::string& file, std::function<void()> changed,
      std::chrono::milliseconds quiet = std::chrono::milliseconds(100));
  // Waits for a running callback; none is called afterwards.
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

 private:
  struct State;
  explicit FileWatch(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace toolpost::config
