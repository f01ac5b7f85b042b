// Landlock by system call: Debian 12's headers know version 2, running kernels more.
#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "sandbox/descriptor.h"

namespace toolpost::sandbox {
namespace {

constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr std::uint32_t kVersionQuery = 1;
constexpr int kRulePathBeneath = 1;

constexpr std::uint64_t kExecute = 1 << 0;
constexpr std::uint64_t kWriteFile = 1 << 1;
constexpr std::uint64_t kReadFile = 1 << 2;
constexpr std::uint64_t kReadDir = 1 << 3;
constexpr std::uint64_t kRefer = 1 << 13;     // version 2
constexpr std::uint64_t kTruncate = 1 << 14;  // version 3
constexpr std::uint64_t kIoctlDev = 1 << 15;  // version 5
constexpr std::uint64_t kVersion1 = (1 << 13) - 1;
constexpr std::uint64_t kTcp = 3;     // version 4: bind and connect
constexpr std::uint64_t kScopes = 3;  // version 6: abstract sockets and signals

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t net = 0;
  std::uint64_t scopes = 0;
};

struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};

std::uint64_t FileRights(int version) {
  return kVersion1 | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0) |
         (version >= 5 ? kIoctlDev : 0);
}

bool Allow(int ruleset, const LandlockFolder& folder, std::uint64_t rights) {
  const Descriptor place(open(folder.path.c_str(), O_PATH | O_CLOEXEC));
  struct stat at {};
  if (!place || fstat(place.get(), &at) != 0) return true;
  PathBeneath rule;
  rule.parent = place.get();
  rule.allowed = kExecute | kReadFile | kReadDir;
  if (folder.device) rule.allowed = kReadFile | kWriteFile | (rights & (kTruncate | kIoctlDev));
  if (folder.writable) rule.allowed = rights;
  // The kernel refuses rights of folders for files.
  if (!S_ISDIR(at.st_mode))
    rule.allowed &= kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDev;
  return syscall(kAddRule, ruleset, kRulePathBeneath, &rule, 0) == 0;
}

}  // namespace

int LandlockVersion() {
  const long version = syscall(kCreateRuleset, nullptr, 0, kVersionQuery);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool RestrictFiles(std::span<const LandlockFolder> folders, bool tcp) {
  const int version = LandlockVersion();
  RulesetAttributes attributes;
  attributes.files = FileRights(version);
  if (version >= 4 && !tcp) attributes.net = kTcp;
  if (version >= 6) attributes.scopes = kScopes;
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const Descriptor ruleset(static_cast<int>(syscall(kCreateRuleset, &attributes, size, 0)));
  if (!ruleset) return false;
  for (const LandlockFolder& folder : folders) {
    if (!Allow(ruleset.get(), folder, attributes.files)) return false;
  }
  return syscall(kRestrictSelf, ruleset.get(), 0) == 0;
}

}  // namespace toolpost::sandbox
