// Journals of folders with temporary files.
#include "sandbox/write_journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <array>
#include <utility>

#include "base/crypto.h"
#include "base/strings.h"
#include "sandbox/atomic_file.h"
#include "sandbox/confined_open.h"
#include "sandbox/path_text.h"

namespace toolpost::sandbox {
namespace {

constexpr std::string_view kPrefix = "file-writes-";
constexpr std::size_t kMaxNoted = 100'000;

// Makes what is missing of `path`; failures show when it is used.
void MakeFolders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1))
    mkdir(path.substr(0, slash).c_str(), 0700);
  mkdir(path.c_str(), 0700);
}

std::string ReadAll(int fd) {
  std::string text;
  std::array<char, 16'384> buffer{};
  ssize_t got = 0;
  while ((got = read(fd, buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

std::size_t CleanFolders(const Roots& roots, std::string_view folders) {
  std::size_t removed = 0;
  for (const std::string_view folder : base::Split(folders, '\n')) {
    if (folder.empty()) continue;
    const auto location = roots.Locate(folder, Access::kRead);
    if (!location || location->root->read_only) continue;
    const auto opened = OpenDirectory(roots, *location, O_RDONLY);
    if (opened) removed += RemoveLeftovers(opened->descriptor.get());
  }
  return removed;
}

}  // namespace

WriteJournal::~WriteJournal() {
  if (file_) unlink(path_.c_str());
}

void WriteJournal::Note(const Location& location) {
  std::string folder = JoinPath(location.root->path, location.parent());
  const std::lock_guard lock(mutex_);
  if (noted_.size() >= kMaxNoted || noted_.contains(folder)) return;
  Append(EncodePath(folder));
  noted_.insert(std::move(folder));
}

void WriteJournal::Append(const std::string& folder) {
  // A line end in a name would be two folders that are not ours.
  if (directory_.empty() || folder.find('\n') != std::string::npos) return;
  if (!file_) {
    MakeFolders(directory_);
    path_ = base::StrCat(directory_, "/", kPrefix, base::RandomHex(8));
    file_ = Descriptor(
        open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file_) return;
    flock(file_.get(), LOCK_EX | LOCK_NB);
  }
  const std::string line = folder + "\n";
  if (write(file_.get(), line.data(), line.size()) < 0) return;
}

std::size_t WriteJournal::CleanUp(const Roots& roots) {
  DIR* const entries = opendir(directory_.c_str());
  if (entries == nullptr) return 0;
  std::size_t removed = 0;
  while (const dirent* entry = readdir(entries)) {
    if (!std::string_view(entry->d_name).starts_with(kPrefix)) continue;
    const Descriptor file(
        openat(dirfd(entries), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file || flock(file.get(), LOCK_EX | LOCK_NB) != 0) continue;
    removed += CleanFolders(roots, ReadAll(file.get()));
    unlinkat(dirfd(entries), entry->d_name, 0);
  }
  closedir(entries);
  return removed;
}

}  // namespace toolpost::sandbox
