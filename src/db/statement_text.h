// What is refused in the text of a statement before anybody asks what it means.
#pragma once

#include <cstdint>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::db {

inline constexpr std::size_t kLongestStatement = 100'000;  // bytes

// Refuses what is longer than kLongestStatement, not UTF-8, or has control characters other than
// tab, CR and LF.
Result<void> CheckStatementBytes(std::string_view sql);

// Refuses characters that cannot be seen or look like a space, and controls of the direction of
// text. For valid UTF-8 outside string literals. With `emoji`, what they are made of is let
// through.
Result<void> RefuseInvisible(std::string_view text, bool emoji = false);

// The first character of `text`, which is valid UTF-8 and not empty.
struct CodePoint {
  std::uint32_t value;
  std::size_t bytes;
};
CodePoint FirstCodePoint(std::string_view text);

}  // namespace toolpost::db
