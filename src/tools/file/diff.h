// The difference of two texts as a unified diff.
#pragma once

#include <string>
#include <string_view>

namespace toolpost::tools::file {

// Hunks with three lines of context, without the two header lines; empty when the texts are equal.
// The shortest difference by lines (Myers) as long as it is small; a larger one becomes a single
// hunk. Time and memory are bounded by the size of the texts and a constant.
std::string UnifiedDiff(std::string_view before, std::string_view after);

}  // namespace toolpost::tools::file
