// Values of settings on their way from a layer into a Config, and back into text.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "toolpost/result.h"

namespace toolpost::config {

// A value without a type of its own: from a variable, a flag, or a string with `${…}` in it. Any
// option reads it.
struct Text {
  std::string text;
};
// Something no option takes, such as a date or a table.
struct Other {
  std::string what;                // "a date"
  std::optional<double> number{};  // of a number with a fraction
};
// std::string is a string of a file: it does not stand for a number or a boolean.
using Value = std::variant<std::string, std::vector<std::string>, std::int64_t, bool, Text, Other>;

// Stores the value in the member of the option. Code::kInvalidArgument: "http.port must be a whole
// number from 0 to 65535, not "x"".
Result<void> Assign(const Option& option, const Value& value, Config& config);

// What is shown of a secret that is set.
inline constexpr std::string_view kSecretIsSet = "(set)";

bool SameValue(const Option& option, const Config& a, const Config& b);
// The value of the option as TOML; kSecretIsSet for a secret that is set.
std::string Render(const Option& option, const Config& config);

// Digits and a unit: ms, s, m, h, d (none: seconds). Empty if it is not one, or too large to count.
std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text);
// In the largest unit that divides it: "15m", "1500ms", "0s".
std::string FormatDuration(std::chrono::milliseconds duration);
// Digits and a unit: B, KiB, MiB, GiB, kB, MB, GB in any case (none: bytes).
std::optional<std::uint64_t> ParseSize(std::string_view text);
std::string FormatSize(std::uint64_t bytes);
// As a TOML string with quotes; `${` is escaped so that it reads back as itself.
std::string QuoteToml(std::string_view text);

}  // namespace toolpost::config
