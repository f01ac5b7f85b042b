// The group file system, file by file.
#include "sandbox/control_groups.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "base/strings.h"

namespace toolpost::sandbox {
namespace {

using base::StrCat;

constexpr std::string_view kPrefix = "toolpost-box-";
constexpr const char* kServer = "toolpost-server";

bool WriteAt(int directory, const char* name, std::string_view text) {
  const Descriptor file(openat(directory, name, O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string ReadAt(int directory, const char* name) {
  const Descriptor file(openat(directory, name, O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  for (ssize_t length; file && (length = read(file.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(length));
  return text;
}

std::vector<pid_t> ProcessesOf(int directory) {
  std::istringstream lines(ReadAt(directory, "cgroup.procs"));
  std::vector<pid_t> processes;
  for (pid_t process; lines >> process;) processes.push_back(process);
  return processes;
}

bool HasWord(std::string_view text, std::string_view word) {
  std::istringstream words{std::string(text)};
  for (std::string each; words >> each;) {
    if (each == word) return true;
  }
  return false;
}

// Where the version 2 file system is mounted, and which part of it.
struct GroupMount {
  std::string root;
  std::string place;
};
std::optional<GroupMount> FindMount() {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    if (line.find(" - cgroup2 ") == line.npos) continue;
    std::istringstream words(line);
    std::string skipped;
    GroupMount found;
    if (words >> skipped >> skipped >> skipped >> found.root >> found.place) return found;
  }
  return std::nullopt;
}

// The path of this process in the hierarchy of version 2; empty: it has none.
std::string OwnPath() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return {};
}

}  // namespace

void ControlGroups::Find() {
  const auto mount = FindMount();
  std::string path = OwnPath();
  if (!mount || path.empty()) return;
  if (mount->root != "/") {
    if (!path.starts_with(mount->root)) return;
    path.erase(0, mount->root.size());
  }
  own_ =
      Descriptor(open(StrCat(mount->place, "/", path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

void ControlGroups::Use(Descriptor group, std::vector<std::string> needed) {
  own_ = std::move(group);
  needed_ = std::move(needed);
}

const char* ControlGroups::Enable() {
  if (!tried_) {
    tried_ = true;
    errno = ENOTSUP;
    failed_ = own_ ? HandOnControllers() : "find a control group (version 2)";
    error_ = errno;
    if (failed_ == nullptr) RemoveStale();
  }
  return errno = error_, failed_;
}

const char* ControlGroups::HandOnControllers() {
  const std::string offered = ReadAt(own_.get(), "cgroup.controllers");
  std::string wanted;
  for (const std::string& name : needed_) {
    if (!HasWord(offered, name)) return errno = ENOTSUP, "limit memory by control group";
    wanted.append(wanted.empty() ? "+" : " +").append(name);
  }
  if (faccessat(own_.get(), "cgroup.procs", W_OK, AT_EACCESS) != 0)
    return "write the control group";
  const std::string handed_on = ReadAt(own_.get(), "cgroup.subtree_control");
  const bool ready = std::ranges::all_of(
      needed_, [&](const std::string& name) { return HasWord(handed_on, name); });
  if (ready) return nullptr;
  // The root of the hierarchy may hold processes and groups.
  const bool root = faccessat(own_.get(), "cgroup.type", F_OK, 0) != 0;
  if (!root && !IsOursAlone()) return errno = EBUSY, "share the control group with others";
  if (!root && !MoveDown()) return "move down in the control group";
  return WriteAt(own_.get(), "cgroup.subtree_control", wanted) ? nullptr
                                                               : "hand on the controllers";
}

bool ControlGroups::IsOursAlone() const {
  return std::ranges::all_of(ProcessesOf(own_.get()), [](pid_t process) {
    return process == getpid() || process == getppid();
  });
}

bool ControlGroups::MoveDown() {
  if (mkdirat(own_.get(), kServer, 0755) != 0 && errno != EEXIST) return false;
  const Descriptor below(openat(own_.get(), kServer, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return below && std::ranges::all_of(ProcessesOf(own_.get()), [&](pid_t process) {
           return WriteAt(below.get(), "cgroup.procs", StrCat(process));
         });
}

BoxGroup ControlGroups::Make(const BoxLimits& limits) {
  RemoveEmpty();
  BoxGroup group;
  group.name = StrCat(kPrefix, getpid(), "-", ++made_);
  if (mkdirat(own_.get(), group.name.c_str(), 0755) != 0) return {};
  group.directory =
      Descriptor(openat(own_.get(), group.name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int directory = group.directory.get();
  bool limited = group.directory.get() >= 0;
  for (const std::string& name : needed_) {
    if (name == "memory") {
      limited = limited && WriteAt(directory, "memory.max", StrCat(limits.total_memory));
      // Not everywhere; what runs out of memory ends as a whole.
      (void)WriteAt(directory, "memory.swap.max", "0");
      (void)WriteAt(directory, "memory.oom.group", "1");
    }
    if (name == "pids")
      limited = limited && WriteAt(directory, "pids.max", StrCat(limits.processes + 1));
  }
  if (limited) return group;
  const int error = errno;
  End(std::move(group));
  errno = error;
  return {};
}

void ControlGroups::End(BoxGroup group) {
  if (group.name.empty()) return;
  (void)WriteAt(group.directory.get(), "cgroup.kill", "1");
  ending_.push_back(std::move(group.name));
  RemoveEmpty();
}

void ControlGroups::RemoveEmpty() {
  std::erase_if(ending_, [&](const std::string& name) {
    return unlinkat(own_.get(), name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT;
  });
}

// Names hold the process that made them.
void ControlGroups::RemoveStale() {
  const int copy = openat(own_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(copy < 0 ? nullptr : fdopendir(copy), closedir);
  while (const dirent* entry = list ? readdir(list.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    pid_t maker = 0;
    if (!name.starts_with(kPrefix)) continue;
    (void)std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), maker);
    if (maker == getpid() || (maker > 0 && (kill(maker, 0) == 0 || errno == EPERM))) continue;
    const Descriptor group(openat(own_.get(), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    (void)WriteAt(group.get(), "cgroup.kill", "1");
    ending_.emplace_back(name);
  }
  RemoveEmpty();
}

}  // namespace toolpost::sandbox
