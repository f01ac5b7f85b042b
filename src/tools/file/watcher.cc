// inotify on folders.
#include "tools/file/watcher.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/file_error.h"

namespace toolpost::tools::file {
namespace {

constexpr std::uint32_t kEvents =
    IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB;
constexpr int kGatherMilliseconds = 50;
// A subscription is recorded a moment after its watch.
constexpr std::chrono::seconds kNewborn{10};

Error TooMany() {
  return Error::Unavailable("Too many files are watched; unsubscribe from some first");
}

}  // namespace

Result<void> FileWatcher::Watch(const sandbox::Roots& roots, const sandbox::Location& location,
                                std::string_view name) {
  std::string entry;
  auto folder = sandbox::OpenDirectory(roots, location, O_PATH);
  if (!folder) {
    if (location.relative.empty()) return std::move(folder).error();
    sandbox::Location above = location;
    above.relative = location.parent();
    entry = location.name();
    folder = sandbox::OpenDirectory(roots, above, O_PATH);
    if (!folder) return std::move(folder).error();
  }
  const std::string path = base::StrCat("/proc/self/fd/", folder->descriptor.get());
  const std::lock_guard lock(mutex_);
  if (stopped_ || count_ >= kMaxWatched) return TooMany();
  RETURN_IF_ERROR(StartLocked());
  const int number = inotify_add_watch(inotify_.get(), path.c_str(), kEvents | IN_ONLYDIR);
  if (number < 0) return errno == ENOSPC ? TooMany() : sandbox::FileError(errno, location.given);
  auto& names = folders_[number].names;
  if (names.insert_or_assign(std::string(name), Watched{std::move(entry), Clock::now()}).second)
    ++count_;
  return {};
}

Result<void> FileWatcher::StartLocked() {
  if (thread_.joinable()) return {};
  inotify_ = sandbox::Descriptor(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  wake_ = sandbox::Descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!inotify_ || !wake_) return Error::Unavailable("The system cannot watch more files");
  thread_ = std::thread([this] { Run(); });
  return {};
}

void FileWatcher::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (!thread_.joinable()) return;
    const std::uint64_t one = 1;
    if (write(wake_.get(), &one, sizeof one) < 0) return;
  }
  thread_.join();
}

std::size_t FileWatcher::watched() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void FileWatcher::Run() {
  std::array<pollfd, 2> waiting = {
      {{.fd = wake_.get(), .events = POLLIN}, {.fd = inotify_.get(), .events = POLLIN}}};
  while (true) {
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    if (waiting[0].revents != 0) return;
    // What follows at once belongs to the same change.
    if (poll(waiting.data(), 1, kGatherMilliseconds) > 0) return;
    std::set<std::string> changed;
    Collect(changed);
    for (const std::string& name : changed) {
      if (tell_(name) == 0) Forget(name);
    }
  }
}

void FileWatcher::Collect(std::set<std::string>& changed) {
  alignas(inotify_event) std::array<char, 65'536> buffer{};
  const std::lock_guard lock(mutex_);
  while (true) {
    const ssize_t length = read(inotify_.get(), buffer.data(), buffer.size());
    if (length <= 0) return;
    for (ssize_t at = 0; at < length;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      CollectEvent(event->wd, event->mask, event->len > 0 ? event->name : "", changed);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  }
}

void FileWatcher::CollectEvent(int folder, std::uint32_t mask, std::string_view entry,
                               std::set<std::string>& changed) {
  // Events were lost: everything may have changed.
  const bool all = (mask & IN_Q_OVERFLOW) != 0;
  for (const auto& [number, watched] : folders_) {
    if (!all && number != folder) continue;
    for (const auto& [name, what] : watched.names) {
      if (all || what.entry.empty() || what.entry == entry || (mask & IN_IGNORED) != 0)
        changed.insert(name);
    }
  }
  if ((mask & IN_IGNORED) == 0) return;
  const auto gone = folders_.find(folder);
  if (gone == folders_.end()) return;
  count_ -= gone->second.names.size();
  folders_.erase(gone);
}

void FileWatcher::Forget(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto newborn = Clock::now() - kNewborn;
  for (auto folder = folders_.begin(); folder != folders_.end();) {
    auto& names = folder->second.names;
    const auto found = names.find(name);
    if (found != names.end() && found->second.since < newborn) {
      names.erase(found);
      --count_;
    }
    if (!names.empty()) {
      ++folder;
      continue;
    }
    inotify_rm_watch(inotify_.get(), folder->first);
    folder = folders_.erase(folder);
  }
}

}  // namespace toolpost::tools::file
