// Ways to files.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "sandbox/escape_ways.h"

namespace toolpost::sandbox::escape {
namespace {

bool Reads(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  char byte = 0;
  return file >= 0 && read(file, &byte, 1) == 1;
}
bool Writes(const std::string& path, const char* text = "x") {
  const int file = open(path.c_str(), O_WRONLY | O_NONBLOCK);
  return file >= 0 && write(file, text, strlen(text)) > 0;
}
bool Creates(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600) >= 0;
}
bool Lists(const std::string& path) {
  DIR* const folder = opendir(path.c_str());
  if (folder == nullptr) return false;
  for (const dirent* entry; (entry = readdir(folder)) != nullptr;) {
    if (entry->d_name[0] != '.') return true;
  }
  return false;
}
bool LinksThrough() {
  unlink("way-out");
  return symlink(targets.secret.c_str(), "way-out") == 0 && Reads("way-out");
}

bool OpensByHandle() {
  alignas(file_handle) unsigned char space[sizeof(file_handle) + 128] = {};
  auto* const handle = reinterpret_cast<file_handle*>(space);
  handle->handle_bytes = 128;
  int mount_id = 0;
  return name_to_handle_at(AT_FDCWD, ".", handle, &mount_id, 0) == 0 &&
         open_by_handle_at(open(".", O_RDONLY), handle, O_RDONLY) >= 0;
}

constexpr Way kWays[] = {
    // files outside
    {"read secret", [] { return Reads(targets.secret); }},
    {"write secret", [] { return Writes(targets.secret); }},
    {"stat secret",
     [] {
       struct stat at {};
       return stat(targets.secret.c_str(), &at) == 0;
     }},
    {"list outside", [] { return Lists(targets.folder); }},
    {"create outside", [] { return Creates(targets.folder + "/made"); }},
    {"make folder outside", [] { return mkdir((targets.folder + "/folder").c_str(), 0700) == 0; }},
    {"remove secret", [] { return unlink(targets.secret.c_str()) == 0; }},
    {"rename secret", [] { return rename(targets.secret.c_str(), "taken") == 0; }},
    {"hard link secret", [] { return link(targets.secret.c_str(), "linked") == 0; }},
    {"symbolic link to secret", LinksThrough},
    {"chmod secret", [] { return chmod(targets.secret.c_str(), 0777) == 0; }},
    {"chown secret", [] { return chown(targets.secret.c_str(), getuid(), getgid()) == 0; }},
    {"setxattr secret", [] { return setxattr(targets.secret.c_str(), "user.x", "x", 1, 0) == 0; }},
    {"truncate secret", [] { return truncate(targets.secret.c_str(), 0) == 0; }},
    {"touch secret", [] { return utimensat(AT_FDCWD, targets.secret.c_str(), nullptr, 0) == 0; }},
    {"secret by own root", [] { return Reads("/proc/self/root" + targets.secret); }},
    {"secret by first process", [] { return Reads("/proc/1/root" + targets.secret); }},
    {"secret by its folder", [] { return Reads("/proc/1/cwd/../.." + targets.secret); }},
    {"secret by dots", [] { return Reads("../../../../../../../../.." + targets.secret); }},
    {"secret by thread", [] { return Reads("/proc/thread-self/root" + targets.secret); }},
    {"file handle", OpensByHandle},
    {"read shadow", [] { return Reads("/etc/shadow"); }},
    {"list root's home", [] { return Lists("/root"); }},
    {"list homes", [] { return Lists("/home"); }},
    {"list logs", [] { return Lists("/var/log"); }},
    {"list sys", [] { return Lists("/sys"); }},
    {"create in usr", [] { return Creates("/usr/bin/made"); }},
    {"create in etc", [] { return Creates("/etc/made"); }},
    {"write passwd", [] { return Writes("/etc/passwd"); }},
    {"create in root", [] { return Creates("/made"); }},
    {"create in dev", [] { return Creates("/dev/made"); }},
    // what git obeys
    {"write git config", [] { return Writes(".git/config"); }},
    {"replace git config",
     [] { return Creates(".git/new") && rename(".git/new", ".git/config") == 0; }},
    {"remove git config", [] { return unlink(".git/config") == 0; }},
    {"make git hook", [] { return Creates(".git/hooks/pre-commit"); }},
    {"move git hooks", [] { return rename(".git/hooks", ".git/old") == 0; }},
    {"move git folder", [] { return rename(".git", "other") == 0; }},
    {"write git of the way", [] { return Writes("../.git/config"); }},
    {"write submodule config", [] { return Writes("../.git/modules/m/config"); }},
    {"read hidden file", [] { return Reads("../hidden/key"); }},
    {"list hidden folder", [] { return Lists("../hidden"); }},
    {"replace hidden folder", [] { return rename("../hidden", "../shown") == 0; }},
    {"write read-only folder", [] { return Creates("../../library/made"); }},
    // kernel's files
    {"write core pattern", [] { return Writes("/proc/sys/kernel/core_pattern"); }},
    {"sysrq", [] { return Writes("/proc/sysrq-trigger", "h"); }},
    {"first process's environment", [] { return Reads("/proc/1/environ"); }},
    {"first process's memory", [] { return open("/proc/1/mem", O_RDWR) >= 0; }},
    {"first process's descriptors", [] { return Lists("/proc/1/fd"); }},
    {"stranger's environment",
     [] { return Reads("/proc/" + std::to_string(targets.stranger) + "/environ"); }},
    {"kcore", [] { return Reads("/proc/kcore"); }},
    {"kernel log", [] { return Reads("/dev/kmsg"); }},
    {"memory device", [] { return Reads("/dev/mem"); }},
    {"terminal", [] { return open("/dev/tty", O_RDWR) >= 0; }},
    {"make device", [] { return mknod("disk", S_IFBLK | 0600, makedev(8, 0)) == 0; }},
    {"make device in tmp", [] { return mknod("/tmp/disk", S_IFCHR | 0600, makedev(1, 1)) == 0; }},
};

}  // namespace

std::span<const Way> FileWays() { return kWays; }

}  // namespace toolpost::sandbox::escape
