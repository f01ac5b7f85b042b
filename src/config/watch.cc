// File watching with inotify.
#include "config/watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::config {
namespace {

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM |
                                  IN_CREATE | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;

// What tells one version of a file from another; empty while there is no file.
using Identity = std::optional<std::array<std::int64_t, 7>>;

Identity IdentityOf(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return std::nullopt;
  return std::array<std::int64_t, 7>{static_cast<std::int64_t>(info.st_dev),
                                     static_cast<std::int64_t>(info.st_ino),
                                     static_cast<std::int64_t>(info.st_size),
                                     info.st_mtim.tv_sec,
                                     info.st_mtim.tv_nsec,
                                     info.st_ctim.tv_sec,
                                     info.st_ctim.tv_nsec};
}

Error CannotWatch(const std::string& file, int error) {
  return Error::Unavailable(base::StrCat("Cannot watch ", file,
                                         " for changes: ", std::generic_category().message(error)));
}

}  // namespace

struct FileWatch::State {
  std::string file;
  std::function<void()> changed;
  std::chrono::milliseconds quiet{};
  int notify = -1;
  int wake = -1;  // eventfd: readable when the watch ends
  Identity last;
  std::thread thread;

  ~State() {
    if (notify >= 0) ::close(notify);
    if (wake >= 0) ::close(wake);
  }

  enum class Woken { kEvent, kTimeout, kStop };

  // A negative timeout waits for ever.
  Woken Wait(std::chrono::milliseconds timeout) const {
    std::array<pollfd, 2> fds = {{{notify, POLLIN, 0}, {wake, POLLIN, 0}}};
    while (true) {
      const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(timeout.count()));
      if (ready < 0 && errno == EINTR) continue;
      if (ready < 0 || fds[1].revents != 0) return Woken::kStop;
      return ready == 0 ? Woken::kTimeout : Woken::kEvent;
    }
  }

  // What happened does not matter: the identity of the file tells.
  void Drain() const {
    alignas(inotify_event) std::array<char, 4096> buffer;
    while (::read(notify, buffer.data(), buffer.size()) > 0) {
    }
  }

  void Notify() {
    Identity now = IdentityOf(file);
    if (now == last) return;
    last = now;
    if (!now) return;
    std::string detail = "unknown exception";
    try {
      changed();
      return;
    } catch (const std::exception& exception) {
      detail = exception.what();
    } catch (...) {
    }
    base::Log(base::Severity::kError, "file watch callback threw", {{"detail", detail}});
  }

  void Run() {
    while (Wait(std::chrono::milliseconds(-1)) == Woken::kEvent) {
      const auto latest = std::chrono::steady_clock::now() + 10 * quiet;
      Woken woken = Woken::kEvent;
      while (woken == Woken::kEvent) {
        Drain();
        if (std::chrono::steady_clock::now() >= latest) break;
        woken = Wait(quiet);
      }
      if (woken == Woken::kStop) return;
      Notify();
    }
  }
};

FileWatch::FileWatch(std::unique_ptr<State> state) : state_(std::move(state)) {
  state_->thread = std::thread([state = state_.get()] { state->Run(); });
}

FileWatch::~FileWatch() {
  const std::uint64_t one = 1;
  // Cannot fail: the counter of a fresh eventfd has room.
  [[maybe_unused]] const ssize_t written = ::write(state_->wake, &one, sizeof one);
  state_->thread.join();
}

Result<std::unique_ptr<FileWatch>> FileWatch::Start(const std::string& file,
                                                    std::function<void()> changed,
                                                    std::chrono::milliseconds quiet) {
  auto state = std::make_unique<State>();
  state->file = file;
  state->changed = std::move(changed);
  state->quiet = quiet;
  state->notify = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (state->notify < 0) return CannotWatch(file, errno);
  state->wake = ::eventfd(0, EFD_CLOEXEC);
  if (state->wake < 0) return CannotWatch(file, errno);
  const std::filesystem::path directory = std::filesystem::path(file).parent_path();
  const std::string watched = directory.empty() ? "." : directory.string();
  if (::inotify_add_watch(state->notify, watched.c_str(), kEvents) < 0)
    return CannotWatch(file, errno);
  state->last = IdentityOf(file);
  return std::unique_ptr<FileWatch>(new FileWatch(std::move(state)));
}

}  // namespace toolpost::config
