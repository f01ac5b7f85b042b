// Read-only and covered places.
#include "sandbox/box_guards.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/strings.h"
#include "sandbox/descriptor.h"
#include "sandbox/mount_calls.h"
#include "sandbox/open_beneath.h"
#include "sandbox/path_text.h"

namespace toolpost::sandbox {
namespace {

constexpr const char* kReadOnly[] = {"config", "config.worktree", "hooks", "info/attributes"};

Descriptor Pin(int root, const std::string& path) {
  return std::move(OpenBeneath(root, path, O_PATH | O_NOFOLLOW, {}).descriptor);
}

// Mounts the place over itself.
bool Cover(int root, const std::string& path, bool read_only) {
  const Descriptor place = Pin(root, path);
  if (!place) return true;
  const Descriptor tree(CopyTree(place.get(), {.read_only = read_only}));
  return tree && AttachTree(tree.get(), place.get());
}

bool GuardSettings(int root, const std::string& git) {
  for (const char* name : kReadOnly) {
    if (!Cover(root, JoinPath(git, name), true)) return false;
  }
  return true;
}

// Submodules keep theirs in `.git/modules/NAME`.
bool GuardModules(int root, const std::string& git) {
  const std::string modules = JoinPath(git, "modules");
  Opened opened = OpenBeneath(root, modules, O_RDONLY | O_DIRECTORY, {});
  DIR* const list = opened.descriptor ? fdopendir(opened.descriptor.get()) : nullptr;
  if (list == nullptr) return true;
  opened.descriptor.Release();
  bool guarded = true;
  while (const dirent* entry = guarded ? readdir(list) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") guarded = GuardSettings(root, JoinPath(modules, name));
  }
  closedir(list);
  return guarded;
}

bool GuardRepository(int root, const std::string& folder) {
  const std::string git = JoinPath(folder, ".git");
  const Descriptor place = Pin(root, git);
  struct stat at {};
  if (!place || fstat(place.get(), &at) != 0) return true;
  // As a file it points to another repository.
  if (S_ISREG(at.st_mode)) return Cover(root, git, true);
  if (!S_ISDIR(at.st_mode)) return true;
  if (faccessat(place.get(), "HEAD", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
    mkdirat(place.get(), "hooks", 0755);  // it may be there
  // A mount point cannot be renamed, so that no other `.git` comes in its place.
  if (!Cover(root, git, false)) return false;
  return GuardSettings(root, git) && GuardModules(root, git);
}

bool Hide(int root, const std::string& path) {
  const Descriptor place = Pin(root, path);
  struct stat at {};
  if (!place || fstat(place.get(), &at) != 0) return true;
  const Descriptor empty = Pin(root, S_ISDIR(at.st_mode) ? "etc/nothing" : "etc/empty");
  const Descriptor tree(CopyTree(empty.get(), {.read_only = true}));
  return tree && AttachTree(tree.get(), place.get());
}

}  // namespace

const char* GuardFolders(int root, const BoxCommand& command) {
  for (const BoxFolder& folder : command.folders) {
    if (!folder.writable) continue;
    std::string at = folder.path.substr(1);
    if (!GuardRepository(root, at)) return "protect the repository";
    if (!IsWithin(command.directory, folder.path) || command.directory == folder.path) continue;
    for (const std::string_view piece :
         base::Split(std::string_view(command.directory).substr(folder.path.size() + 1), '/')) {
      at = JoinPath(at, piece);
      if (!GuardRepository(root, at)) return "protect the repository";
    }
  }
  for (const std::string& path : command.hidden) {
    if (!Hide(root, path.substr(1))) return "hide places";
  }
  return nullptr;
}

}  // namespace toolpost::sandbox
