// Opaque list cursors: what `nextCursor` carries and `cursor` brings back.
//
// A cursor names its list and a position in it, so that one of another list is refused. What a
// position means is the list's business; a number that only grows (not an index) keeps pages free
// of gaps and repeats while entries come and go. A cursor grants nothing that the list itself does
// not show, so it is encoded, not signed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::mcp {

// base64url of `list:position`. `list` must not contain ':'.
std::string EncodeCursor(std::string_view list, std::uint64_t position);

// The position of a cursor of this list; 0 for an empty cursor, which asks for the first page.
// Anything EncodeCursor would not have written for this list, and a position above `limit`, is
// Code::kInvalidArgument.
Result<std::uint64_t> DecodeCursor(std::string_view list, std::string_view cursor,
                                   std::uint64_t limit);

}  // namespace toolpost::mcp
