// Spilled results on disk, indexed in memory.
#include "mcp/result_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

// Empty if the environment names no place.
std::filesystem::path DefaultStateDirectory() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::filesystem::path(state) / "toolpost";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".local/state/toolpost";
}

Error CannotStore(std::string_view step, std::string_view reason) {
  base::Log(base::Severity::kWarning, "cannot keep a full result",
            {{"step", step}, {"reason", reason}});
  return Error::Unavailable("The full result could not be kept");
}

Error CannotStore(std::string_view step) { return CannotStore(step, std::strerror(errno)); }

Error Gone() {
  return {
      Code::kResourceNotFound, "No such result: it expired, or was never kept for this caller", {}};
}

Descriptor OpenDirectory(const std::filesystem::path& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool ReadAll(int fd, std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = read(fd, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

// A living process holds a lock on its folder; what can be locked is left over.
void RemoveLeftovers(const std::filesystem::path& results) {
  std::error_code error;
  std::vector<std::filesystem::path> folders;
  for (std::filesystem::directory_iterator it(results, error), end; !error && it != end;
       it.increment(error)) {
    folders.push_back(it->path());
  }
  for (const auto& folder : folders) {
    const Descriptor fd = OpenDirectory(folder);
    if (fd && flock(fd.get(), LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(folder, error);
  }
}

}  // namespace

struct ResultStore::Impl {
  struct Entry {
    std::string owner;
    std::string mime_type;
    std::size_t size = 0;
    base::WallTime expires;
  };
  struct Folder {
    std::filesystem::path path;
    Descriptor fd;
  };

  std::filesystem::path state_directory;
  std::chrono::seconds keep;
  std::size_t max_total_bytes;

  std::mutex folder_mutex;
  std::shared_ptr<const Folder> folder;  // null before the first Put

  std::mutex mutex;
  std::unordered_map<std::string, Entry> entries;
  std::deque<std::string> by_age;  // oldest first; all are kept equally long
  std::size_t total_bytes = 0;

  Result<std::shared_ptr<const Folder>> OpenFolder();
  Result<std::shared_ptr<const Folder>> MakeFolder(const std::filesystem::path& results);
  Result<void> Write(const Folder& in, const std::string& id, std::string_view text) const;
  // Forgets what expired and, oldest first, what exceeds the limit. The caller removes the files
  // after unlocking.
  std::vector<std::string> Evict(base::WallTime now);
  void Unlink(const std::vector<std::string>& ids);
};

Result<std::shared_ptr<const ResultStore::Impl::Folder>> ResultStore::Impl::OpenFolder() {
  const std::lock_guard lock(folder_mutex);
  if (folder) return folder;
  const auto state = state_directory.empty() ? DefaultStateDirectory() : state_directory;
  if (state.empty()) return CannotStore("find state directory", "HOME is not set");
  const std::filesystem::path results = state / "results";
  std::error_code error;
  std::filesystem::create_directories(results.parent_path(), error);
  if (error) return CannotStore("create state directory", error.message());
  if (mkdir(results.c_str(), 0700) != 0 && errno != EEXIST)
    return CannotStore("create results folder");
  RemoveLeftovers(results);
  auto made = MakeFolder(results);
  if (made) folder = *made;
  return made;
}

Result<std::shared_ptr<const ResultStore::Impl::Folder>> ResultStore::Impl::MakeFolder(
    const std::filesystem::path& results) {
  // Another process may take the new folder for a leftover before it is locked: then make another
  // one.
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto path = results / base::StrCat(getpid(), "-", base::RandomHex(8));
    if (mkdir(path.c_str(), 0700) != 0) return CannotStore("create own folder");
    Descriptor fd = OpenDirectory(path);
    struct stat by_name {};
    struct stat by_fd {};
    if (fd && flock(fd.get(), LOCK_EX | LOCK_NB) == 0 && stat(path.c_str(), &by_name) == 0 &&
        fstat(fd.get(), &by_fd) == 0 && by_name.st_ino == by_fd.st_ino) {
      return std::make_shared<const Folder>(Folder{path, std::move(fd)});
    }
  }
  return CannotStore("lock own folder");
}

Result<void> ResultStore::Impl::Write(const Folder& in, const std::string& id,
                                      std::string_view text) const {
  const Descriptor fd(
      openat(in.fd.get(), id.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return CannotStore("create file");
  if (!WriteAll(fd.get(), text)) {
    auto failed = CannotStore("write file");
    unlinkat(in.fd.get(), id.c_str(), 0);
    return failed;
  }
  return {};
}

std::vector<std::string> ResultStore::Impl::Evict(base::WallTime now) {
  std::vector<std::string> gone;
  while (!by_age.empty()) {
    const auto entry = entries.find(by_age.front());
    if (entry->second.expires > now && total_bytes <= max_total_bytes) break;
    total_bytes -= entry->second.size;
    entries.erase(entry);
    gone.push_back(std::move(by_age.front()));
    by_age.pop_front();
  }
  return gone;
}

void ResultStore::Impl::Unlink(const std::vector<std::string>& ids) {
  if (ids.empty()) return;
  const auto in = OpenFolder();
  if (!in) return;
  for (const std::string& id : ids) unlinkat((*in)->fd.get(), id.c_str(), 0);
}

ResultStore::ResultStore(std::string state_directory, std::chrono::seconds keep,
                         std::size_t max_total_bytes)
    : impl_(std::make_unique<Impl>()) {
  impl_->state_directory = std::move(state_directory);
  impl_->keep = keep;
  impl_->max_total_bytes = max_total_bytes;
}

ResultStore::~ResultStore() {
  if (!impl_->folder) return;
  std::error_code ignored;
  std::filesystem::remove_all(impl_->folder->path, ignored);
}

std::chrono::seconds ResultStore::keep() const { return impl_->keep; }

Result<std::string> ResultStore::Put(const Principal& owner, std::string_view mime_type,
                                     std::string_view text) {
  if (text.size() > impl_->max_total_bytes) {
    return Error{Code::kTooLarge, "The full result is too large to be kept", {}};
  }
  ASSIGN_OR_RETURN(const auto in, impl_->OpenFolder());
  std::string id = base::RandomHex(16);
  RETURN_IF_ERROR(impl_->Write(*in, id, text));
  std::vector<std::string> gone;
  {
    const base::WallTime now = base::Now();
    const std::lock_guard lock(impl_->mutex);
    impl_->by_age.push_back(id);
    impl_->entries.emplace(
        id, Impl::Entry{owner.id, std::string(mime_type), text.size(), now + impl_->keep});
    impl_->total_bytes += text.size();
    gone = impl_->Evict(now);
  }
  impl_->Unlink(gone);
  return std::string(kUriPrefix) + id;
}

Result<ResultStore::Stored> ResultStore::Get(const Principal& reader, std::string_view uri) const {
  if (!uri.starts_with(kUriPrefix)) return Gone();
  const std::string id(uri.substr(kUriPrefix.size()));
  Stored stored;
  std::vector<std::string> gone;
  bool found = false;
  {
    const std::lock_guard lock(impl_->mutex);
    gone = impl_->Evict(base::Now());
    const auto entry = impl_->entries.find(id);
    found = entry != impl_->entries.end() && entry->second.owner == reader.id;
    if (found) {
      stored.mime_type = entry->second.mime_type;
      stored.text.resize(entry->second.size);
    }
  }
  impl_->Unlink(gone);
  if (!found) return Gone();
  ASSIGN_OR_RETURN(const auto in, impl_->OpenFolder());
  const Descriptor fd(openat(in->fd.get(), id.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd || !ReadAll(fd.get(), stored.text)) return Gone();
  return stored;
}

}  // namespace toolpost::mcp
