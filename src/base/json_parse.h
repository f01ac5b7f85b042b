// Strict JSON parsing of untrusted text.
#pragma once

#include <cstddef>
#include <string_view>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::base {

inline constexpr std::size_t kMaxJsonDepth = 64;

// Parses one JSON text (RFC 8259, nothing after it but white space) into values allocated from
// `storage`. Refused with Code::kParse and the byte offset: duplicate keys, invalid UTF-8, lone
// surrogates in escapes, depth over `max_depth`, NaN/Infinity, integers outside 64 bits, numbers
// outside the range of a double, a byte order mark. Integers become int64 (or uint64 above
// INT64_MAX); doubles are converted exactly (from_chars).
Result<Json> ParseJson(std::string_view text, boost::json::storage_ptr storage = {},
                       std::size_t max_depth = kMaxJsonDepth);

}  // namespace toolpost::base
