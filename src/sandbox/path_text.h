// Paths as text: what a caller may write, and how names that are not UTF-8 travel in JSON.
//
// File names are bytes. A byte that is not part of valid UTF-8 is written `\xHH` (lower-case hex),
// and so is a backslash that would otherwise be read as such an escape; every other name is
// unchanged. Reading undoes exactly that, so every name survives the way out and back. Escapes for
// other bytes (`\x2f`, `\x00`, `\x41`) are no escapes: they stand for themselves. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::sandbox {

inline constexpr std::size_t kMaxPath = 4096;      // bytes
inline constexpr std::size_t kMaxComponent = 255;  // bytes

// The bytes a caller means. Code::kInvalidArgument for an empty path, one over kMaxPath, a
// component over kMaxComponent, a NUL, or text that is not UTF-8.
Result<std::string> DecodePath(std::string_view given);

// Bytes as text that DecodePath turns back into them.
std::string EncodePath(std::string_view bytes);

// `path` without `.`, `..`, empty components and slashes at the ends; nothing when it climbs above
// its start. An absolute path is taken as relative to `/`.
std::optional<std::string> NormalizePath(std::string_view path);

// True if `path` is `folder` or lies below it, by components. Both absolute and normal, or both
// relative and normal; the empty relative path holds everything.
bool IsWithin(std::string_view path, std::string_view folder);

// `folder/name`, or `name` when folder is empty.
std::string JoinPath(std::string_view folder, std::string_view name);

}  // namespace toolpost::sandbox
