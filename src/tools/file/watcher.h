// Notices changes of files by inotify and says so.
//
// The folder of each watched file is watched, so that files which are replaced, deleted or made
// later are noticed too; a folder is watched itself. Changes of one file within 50 ms are told
// once. One thread, started with the first watch. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "sandbox/descriptor.h"
#include "sandbox/roots.h"

namespace toolpost::tools::file {

class FileWatcher {
 public:
  static constexpr std::size_t kMaxWatched = 10'000;

  // Told the name of what changed; returns how many wanted to know. Nobody: the watch ends, unless
  // it was made in the last seconds.
  using Tell = std::function<std::size_t(std::string_view name)>;

  explicit FileWatcher(Tell tell) : tell_(std::move(tell)) {}
  ~FileWatcher() { Stop(); }
  FileWatcher(const FileWatcher&) = delete;
  FileWatcher& operator=(const FileWatcher&) = delete;

  // Watches the place under a name of the caller's choice. kUnavailable when there are too many
  // watches; the errors of confined_open.h when its folder cannot be opened.
  Result<void> Watch(const sandbox::Roots& roots, const sandbox::Location& location,
                     std::string_view name);
  // No Tell once this has returned.
  void Stop();
  std::size_t watched() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    std::string entry;  // in the folder; empty: the folder itself
    Clock::time_point since;
  };
  struct Folder {
    std::map<std::string, Watched, std::less<>> names;
  };

  Result<void> StartLocked();
  void Run();
  void Collect(std::set<std::string>& changed);
  void CollectEvent(int folder, std::uint32_t mask, std::string_view entry,
                    std::set<std::string>& changed);
  void Forget(const std::string& name);

  const Tell tell_;
  mutable std::mutex mutex_;
  std::map<int, Folder> folders_;  // by inotify's number
  std::size_t count_ = 0;
  bool stopped_ = false;
  sandbox::Descriptor inotify_;
  sandbox::Descriptor wake_;
  std::thread thread_;
};

}  // namespace toolpost::tools::file
