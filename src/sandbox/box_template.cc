// A root made once and shared, read-only, by all boxes.
#include "sandbox/box_template.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "sandbox/descriptor.h"
#include "sandbox/mount_calls.h"

namespace toolpost::sandbox {
namespace {

struct MadeFile {
  const char* path;
  std::string_view text;
};
constexpr MadeFile kMadeFiles[] = {
    {"etc/passwd", "command:x:1000:1000::/tmp/home:/usr/sbin/nologin\n"},
    {"etc/group", "command:x:1000:\n"},
    {"etc/hosts", "127.0.0.1 localhost\n"},
    {"etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"},
    // The least of git's configuration files: a repository's own wins.
    {"etc/gitconfig-box",
     "[user]\n\tname = toolpost\n\temail = toolpost@localhost\n[safe]\n\tdirectory = *\n"}};
// Of this machine, read-only; links are made anew.
constexpr const char* kSystem[] = {"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"};
constexpr const char* kSettings[] = {"etc/ld.so.cache", "etc/alternatives", "etc/localtime",
                                     "etc/ssl/certs"};
constexpr const char* kDevices[] = {"null", "zero", "full", "random", "urandom"};
constexpr const char* kLinks[][2] = {{"/proc/self/fd", "dev/fd"},
                                     {"/proc/self/fd/0", "dev/stdin"},
                                     {"/proc/self/fd/1", "dev/stdout"},
                                     {"/proc/self/fd/2", "dev/stderr"},
                                     {"/tmp", "dev/shm"},
                                     {"/tmp", "var/tmp"}};

Descriptor Pin(int directory, const char* path) {
  return Descriptor(openat(directory, path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
}

bool MakeFile(int root, const char* path, std::string_view text) {
  const Descriptor file(openat(root, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
  return file && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Shows `name` of this machine at the same place below `root`; a link becomes the same link.
bool ShowSystem(int root, const char* name, bool device) {
  const std::string source = base::StrCat("/", name);
  struct stat at {};
  if (lstat(source.c_str(), &at) != 0) return errno == ENOENT;
  if (S_ISLNK(at.st_mode)) {
    std::string target(4096, '\0');
    const ssize_t length = readlink(source.c_str(), target.data(), target.size());
    if (length <= 0) return false;
    target.resize(static_cast<std::size_t>(length));
    return symlinkat(target.c_str(), root, name) == 0;
  }
  if (S_ISDIR(at.st_mode) ? mkdirat(root, name, 0755) != 0 : !MakeFile(root, name, ""))
    return false;
  const Descriptor from = Pin(AT_FDCWD, source.c_str());
  const Descriptor tree(CopyTree(from.get(), {.read_only = !device, .no_devices = !device}));
  const Descriptor to = Pin(root, name);
  return tree && to && AttachTree(tree.get(), to.get());
}

const char* BuildSystem(int root) {
  for (const char* folder : {"etc", "etc/ssl", "dev", "tmp", "var", "run"}) {
    if (mkdirat(root, folder, 0755) != 0) return "make folders";
  }
  for (const char* name : kSystem) {
    if (!ShowSystem(root, name, false)) return "show the system's programs";
  }
  for (const MadeFile& file : kMadeFiles) {
    if (!MakeFile(root, file.path, file.text)) return "make /etc";
  }
  // What hidden places are covered with.
  const Descriptor empty(openat(root, "etc/empty", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0));
  if (!empty || mkdirat(root, "etc/nothing", 0) != 0) return "make empty places";
  for (const char* name : kSettings) {
    if (!ShowSystem(root, name, false)) return "show settings";
  }
  for (const char* name : kDevices) {
    if (!ShowSystem(root, base::StrCat("dev/", name).c_str(), true)) return "show devices";
  }
  for (const auto& [target, path] : kLinks) {
    if (symlinkat(target, root, path) != 0) return "make links";
  }
  return nullptr;
}

}  // namespace

const char* EnterTemplate() {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return "leave propagation";
  if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m,nr_inodes=8192") != 0)
    return "mount a root";
  const Descriptor root(open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root || fchdir(root.get()) != 0) return "enter the root";
  if (const char* failed = BuildSystem(root.get()); failed != nullptr) return failed;
  // The kernel lets a box mount a /proc of its own only where it can see one already.
  if (!ShowSystem(root.get(), "proc", false)) return "show /proc";
  // man pivot_root: with one folder for both, the old root ends up on top and can be let go of.
  if (syscall(SYS_pivot_root, ".", ".") != 0) return "change the root";
  if (umount2(".", MNT_DETACH) != 0) return "leave the old root";
  return chdir("/") == 0 ? nullptr : "enter the new root";
}

}  // namespace toolpost::sandbox
