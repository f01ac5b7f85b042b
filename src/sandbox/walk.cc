// Iterative pre-order walk.
#include "sandbox/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/directory.h"
#include "sandbox/file_error.h"
#include "sandbox/path_text.h"

namespace toolpost::sandbox {
namespace {

struct Level {
  Descriptor folder;
  std::vector<DirectoryEntry> entries;
  std::size_t next = 0;
  std::size_t path_length = 0;  // of the relative path of the folder
};

unsigned char TypeOf(int folder, const DirectoryEntry& entry) {
  if (entry.type != DT_UNKNOWN) return entry.type;
  struct stat at {};
  if (fstatat(folder, entry.name.c_str(), &at, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
  return static_cast<unsigned char>(IFTODT(at.st_mode));
}

class Walker {
 public:
  Walker(const Location& location, const WalkOptions& options,
         const std::function<Step(const WalkEntry&)>& visit)
      : location_(location), options_(options), visit_(visit) {
    if (!options.after.empty()) {
      for (const std::string_view part : base::Split(options.after, '/')) resume_.push_back(part);
    }
  }

  int Enter(Descriptor folder) {
    Level level{.folder = std::move(folder), .path_length = path_.size()};
    const std::size_t room = WalkOptions::kMaxEntries - std::min(read_, WalkOptions::kMaxEntries);
    const int error = ReadDirectory(level.folder.get(), room, Temporary::kLeftOut, level.entries);
    if (error == EFBIG) end_.complete = false;
    if (error != 0 && error != EFBIG) return error;
    read_ += level.entries.size();
    SkipToResume(level);
    levels_.push_back(std::move(level));
    return 0;
  }

  Result<WalkEnd> Run() {
    while (!levels_.empty()) {
      if (options_.stop.stop_requested()) return Error::Cancelled();
      Level& level = levels_.back();
      if (level.next == level.entries.size()) {
        levels_.pop_back();
        continue;
      }
      path_.resize(level.path_length);
      if (!Visit(level, level.entries[level.next++])) break;
    }
    return end_;
  }

 private:
  // On the way to the entry to go on after, earlier siblings are done.
  void SkipToResume(Level& level) const {
    const std::size_t depth = levels_.size();
    if (depth >= resume_.size() || !IsWithin(options_.after, path_)) return;
    const auto at = std::ranges::lower_bound(
        level.entries, resume_[depth], {},
        [](const DirectoryEntry& entry) { return std::string_view(entry.name); });
    level.next = static_cast<std::size_t>(at - level.entries.begin());
  }

  bool Visit(Level& level, const DirectoryEntry& entry) {
    const std::size_t depth = levels_.size();
    if (!path_.empty()) path_.push_back('/');
    path_.append(entry.name);
    if (!location_.root->hidden.empty() &&
        IsHidden(*location_.root, JoinPath(location_.relative, path_)))
      return true;
    const int folder = level.folder.get();
    const WalkEntry shown{.relative = path_,
                          .name = entry.name,
                          .type = TypeOf(folder, entry),
                          .depth = depth,
                          .directory = folder,
                          .seen = !resume_.empty() && IsWithin(options_.after, path_)};
    const Step step = visit_(shown);
    if (step == Step::kStop) return false;
    if (step != Step::kInto || shown.type != DT_DIR) return true;
    if (depth >= WalkOptions::kMaxDepth) end_.complete = false;
    if (depth < std::min(options_.max_depth, WalkOptions::kMaxDepth)) Descend(folder, entry.name);
    return true;
  }

  void Descend(int folder, const std::string& name) {
    Descriptor child = OpenChild(folder, name);
    if (!child) {
      if (errno != ENOENT) ++end_.unread;
      return;
    }
    struct stat at {};
    if (fstat(child.get(), &at) != 0 ||
        (at.st_dev != location_.root->device && IsKernelWindow(child.get())))
      return;
    if (Enter(std::move(child)) != 0) ++end_.unread;
  }

  const Location& location_;
  const WalkOptions& options_;
  const std::function<Step(const WalkEntry&)>& visit_;
  std::vector<std::string_view> resume_;  // components of options_.after
  std::vector<Level> levels_;
  std::string path_;
  std::size_t read_ = 0;
  WalkEnd end_;
};

}  // namespace

Result<WalkEnd> Walk(const Roots& roots, const Location& location, const WalkOptions& options,
                     const std::function<Step(const WalkEntry&)>& visit) {
  ASSIGN_OR_RETURN(OpenFile start, OpenDirectory(roots, location, O_RDONLY));
  Walker walker(location, options, visit);
  if (const int error = walker.Enter(std::move(start.descriptor)); error != 0)
    return FileError(error, location.given);
  return walker.Run();
}

}  // namespace toolpost::sandbox
