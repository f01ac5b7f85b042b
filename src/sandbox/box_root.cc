// Mounts of one box.
#include "sandbox/box_root.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "sandbox/box_guards.h"
#include "sandbox/mount_calls.h"

namespace toolpost::sandbox {
namespace {

// Of the template, with something in them.
constexpr std::string_view kFilled[] = {"usr",   "bin",    "sbin", "lib", "lib32",
                                        "lib64", "libx32", "etc",  "tmp"};

// Makes the folders of `path` that are missing. Returns the last one.
Descriptor MakeFolders(int root, std::string_view path) {
  Descriptor at(fcntl(root, F_DUPFD_CLOEXEC, 3));
  for (const std::string_view piece : base::Split(path, '/')) {
    if (piece.empty()) continue;
    const std::string name(piece);
    mkdirat(at.get(), name.c_str(), 0755);  // it may be there
    at = Descriptor(openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!at) break;
  }
  return at;
}

const char* MountOwn(const BoxCommand& command) {
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) != 0)
    return "mount /proc";
  const std::string size =
      base::StrCat("mode=1777,nr_inodes=65536,size=", command.limits.temporary);
  if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, size.c_str()) != 0) return "mount /tmp";
  if (mkdir("/tmp/home", 0700) != 0) return "make the home folder";
  return nullptr;
}

// Room for the folders on the way, which the template has no right to know of.
bool MakeRoom(const BoxCommand& command) {
  std::vector<std::string> tops;
  for (const BoxFolder& folder : command.folders) {
    const std::string top = TopFolder(folder.path);
    if (top.size() + 1 == folder.path.size() ||
        std::ranges::find(kFilled, top) != std::end(kFilled) ||
        std::ranges::find(tops, top) != tops.end()) {
      continue;
    }
    if (mount("tmpfs", base::StrCat("/", top).c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
              "mode=755,size=64k,nr_inodes=1024") != 0) {
      return false;
    }
    tops.push_back(top);
  }
  return true;
}

const char* ShowFolders(int root, const BoxCommand& command, const std::vector<Descriptor>& trees) {
  if (!MakeRoom(command)) return "make room for the folders";
  std::vector<std::size_t> order(trees.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // A folder inside another comes after it.
  std::ranges::sort(order, {}, [&](std::size_t i) { return command.folders[i].path.size(); });
  for (const std::size_t i : order) {
    const Descriptor target = MakeFolders(root, command.folders[i].path);
    if (!target || !AttachTree(trees[i].get(), target.get())) return "show the folders";
  }
  return nullptr;
}

}  // namespace

std::string TopFolder(std::string_view path) {
  return std::string(path.substr(1, std::min(path.find('/', 1), path.size()) - 1));
}

const char* EnterBoxRoot(const BoxCommand& command, const std::vector<Descriptor>& trees) {
  if (const char* failed = MountOwn(command); failed != nullptr) return failed;
  const Descriptor root(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return "open the root";
  if (const char* failed = ShowFolders(root.get(), command, trees); failed != nullptr)
    return failed;
  if (const char* failed = GuardFolders(root.get(), command); failed != nullptr) return failed;
  return SetReadOnly(root.get()) ? nullptr : "make the root read-only";
}

}  // namespace toolpost::sandbox
