// Deletes a folder with everything in it, or nothing.
//
// First everything is looked at: too many entries, too deep, another file system, a protected name,
// a root or a hidden place inside, and nothing is deleted. Then entries are unlinked through the
// descriptors of their folders; links are removed, never followed. Each folder must still be the
// one that was looked at, by device and inode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "sandbox/roots.h"

namespace toolpost::sandbox {

struct RemovalLimits {
  std::size_t depth = 128;
  std::size_t entries = 100'000;
};

struct Removal {
  static constexpr std::size_t kMaxShown = 100;

  std::uint64_t files = 0;  // everything that is no folder
  std::uint64_t folders = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> shown;  // the first kMaxShown, relative to the place; "" is the place
};

// Refuses a root, and folders that hold another root or something hidden.
Result<void> CheckMovable(const Location& location);

// What RemoveTree would delete. `location` must come from Locate with kWrite; a file or link counts
// as itself.
Result<Removal> PlanRemoval(const Roots& roots, const Location& location, std::stop_token stop,
                            const RemovalLimits& limits = {});

// Deletes it. When it fails or is stopped halfway the message says how much is gone.
Result<Removal> RemoveTree(const Roots& roots, const Location& location, std::stop_token stop,
                           const RemovalLimits& limits = {});

}  // namespace toolpost::sandbox
