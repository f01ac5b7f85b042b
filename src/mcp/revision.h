// The five protocol revisions, in order, so that `revision >= Revision::k2025_06_18` reads as it
// sounds.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace toolpost::mcp {

enum class Revision { k2024_11_05, k2025_03_26, k2025_06_18, k2025_11_25, k2026_07_28 };

inline constexpr std::size_t kRevisionCount = 5;
inline constexpr Revision kNewestLegacy = Revision::k2025_11_25;
inline constexpr Revision kModernRevision = Revision::k2026_07_28;

inline constexpr std::array<std::string_view, kRevisionCount> kRevisionNames = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

constexpr std::string_view NameOf(Revision revision) {
  return kRevisionNames[static_cast<std::size_t>(revision)];
}

constexpr std::optional<Revision> RevisionFrom(std::string_view name) {
  for (std::size_t i = 0; i < kRevisionCount; ++i) {
    if (kRevisionNames[i] == name) return static_cast<Revision>(i);
  }
  return std::nullopt;
}

}  // namespace toolpost::mcp
