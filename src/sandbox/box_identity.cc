// Maps of user namespaces.
#include "sandbox/box_identity.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace toolpost::sandbox {
namespace {

using base::StrCat;

bool WriteFile(const std::string& path, std::string_view text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// `owner` and kCommandId change places, every other id stays what it is. With `last` ids in all.
std::string SwapMap(std::uint64_t owner, std::uint64_t last) {
  if (owner == kCommandId) return StrCat("0 0 ", last, "\n");
  const std::uint64_t low = std::min<std::uint64_t>(owner, kCommandId);
  const std::uint64_t high = std::max<std::uint64_t>(owner, kCommandId);
  std::string map;
  const auto add = [&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
    if (count > 0) map.append(StrCat(from, " ", to, " ", count, "\n"));
  };
  add(0, 0, low);
  add(low, high, 1);
  add(low + 1, low + 1, high - low - 1);
  add(high, low, 1);
  add(high + 1, high + 1, last > high + 1 ? last - high - 1 : 0);
  return map;
}

// A child in a user namespace of its own, which waits to be killed.
pid_t StartHolder() {
  const pid_t pid =
      static_cast<pid_t>(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0));
  if (pid == 0) {
    for (;;) pause();
  }
  return pid;
}

Descriptor MakeMap(const OuterIdentity& owner) {
  const pid_t holder = StartHolder();
  if (holder < 0) return {};
  const std::string process = StrCat("/proc/", holder);
  Descriptor map;
  // A container may have fewer ids than the kernel.
  for (const std::uint64_t last : {std::uint64_t{4'294'967'295}, std::uint64_t{65'536}}) {
    if (WriteFile(process + "/uid_map", SwapMap(owner.user, last)) &&
        WriteFile(process + "/gid_map", SwapMap(owner.group, last))) {
      map = Descriptor(open((process + "/ns/user").c_str(), O_RDONLY | O_CLOEXEC));
      break;
    }
  }
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  return map;
}

}  // namespace

bool WriteIdMaps(pid_t pid, const OuterIdentity& outer) {
  const std::string process = StrCat("/proc/", pid);
  if (!WriteFile(process + "/uid_map", StrCat(kInnerId, " ", outer.user, " 1\n"))) return false;
  return WriteFile(process + "/gid_map", StrCat(kInnerId, " ", outer.group, " 1\n"));
}

int IdMaps::For(const OuterIdentity& owner) {
  const auto key = std::pair(owner.user, owner.group);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second.get();
  Descriptor map = MakeMap(owner);
  if (!map) return -1;
  return known_.emplace(key, std::move(map)).first->second.get();
}

}  // namespace toolpost::sandbox
