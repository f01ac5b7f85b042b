// Finds options of GNU programs among arguments, in every spelling the programs take.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::tools::shell {

struct RefusedOption {
  std::string_view name;    // "--output" or "-o"
  std::string_view reason;  // "it writes a file"
};

struct OptionRules {
  std::span<const RefusedOption> refused;
  // Short options that take the rest of their bundle as a value.
  std::string_view with_value;
  // Whole long options that are allowed although a refused one begins with them.
  std::span<const std::string_view> allowed;
};

// Code::kPermissionDenied for the first refused option: `program` is named in the message. A long
// option is refused when a refused one begins with it, because GNU programs complete
// abbreviations. Values of options that stand as arguments of their own are looked at as well.
Result<void> CheckOptions(std::string_view program, std::span<const std::string> arguments,
                          const OptionRules& rules, std::size_t* steps = nullptr);

}  // namespace toolpost::tools::shell
