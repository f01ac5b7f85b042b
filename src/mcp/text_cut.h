// Cutting UTF-8 text to a number of characters (code points), at a line end where there is a near
// one. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolpost::mcp {

// The longest prefix whose JSON spelling, without quotes, has at most `characters` characters;
// shortened to the last line end if that keeps at least half of it. Never ends inside a character.
std::string_view PrefixWithinJson(std::string_view text, std::size_t characters);

// Head and tail of `text` around a line that says how many characters are missing; about
// `characters` long, never longer.
std::string HeadAndTail(std::string_view text, std::size_t characters);

}  // namespace toolpost::mcp
