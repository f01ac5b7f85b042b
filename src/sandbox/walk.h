// Visits everything below a folder, in the order of names, never following links.
//
// Parents before children, siblings in byte order, so that a walk can be taken up again after any
// entry it has shown, whatever came or went meanwhile. One descriptor per level is open. Hidden
// places and file systems of the kernel are left out. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "sandbox/roots.h"

namespace toolpost::sandbox {

struct WalkEntry {
  std::string_view relative;  // below the start; valid during the visit
  std::string_view name;      // ends with a NUL
  unsigned char type = 0;     // DT_REG, DT_DIR, DT_LNK …, never DT_UNKNOWN
  std::size_t depth = 1;      // 1: directly in the start
  int directory = -1;         // its folder, for the …at functions
  bool seen = false;          // shown by an earlier walk; only whether to go into it matters
};

enum class Step { kInto, kOver, kStop };

struct WalkOptions {
  static constexpr std::size_t kMaxDepth = 128;
  static constexpr std::size_t kMaxEntries = 1'000'000;

  std::size_t max_depth = kMaxDepth;  // entries deeper down are not visited
  std::string after{};                // relative path of the last entry that was shown
  std::stop_token stop{};
};

struct WalkEnd {
  bool complete = true;      // false: kMaxDepth or kMaxEntries was reached
  std::uint64_t unread = 0;  // folders that could not be opened
};

// Visits what is below the folder at `location`. kCancelled when stopped by the token; errors of
// the folder itself are errors, those further down are counted.
Result<WalkEnd> Walk(const Roots& roots, const Location& location, const WalkOptions& options,
                     const std::function<Step(const WalkEntry&)>& visit);

}  // namespace toolpost::sandbox
