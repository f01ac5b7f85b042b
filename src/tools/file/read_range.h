// Parts of a file: bytes from an offset, or whole lines.
//
// Only what is asked for is read and held, so the size of the file does not matter; lines are found
// by passing over what stands before them. Sizes are counted while reading, never believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::tools::file {

struct Range {
  std::string bytes;
  std::uint64_t offset = 0;  // of the first byte in the file
  bool more = false;         // there is something after it
};

// At most `length` bytes from `offset` on. Beyond the end: nothing.
Result<Range> ReadBytes(int fd, std::uint64_t offset, std::uint64_t length, std::string_view given,
                        const std::stop_token& stop);

struct LineRange {
  Range range;
  std::int64_t first = 1;  // number of the first line
  std::int64_t count = 0;  // whole or cut lines in it
  bool cut = false;        // `limit` ended it before the last line asked for
};

// The lines `first` to `last` (from 1, inclusive), at most `limit` bytes of them: cut after a whole
// line unless the first alone is longer. With their line ends.
Result<LineRange> ReadLines(int fd, std::int64_t first, std::int64_t last, std::uint64_t limit,
                            std::string_view given, const std::stop_token& stop);

// Where the last `count` lines of the file begin. A line end at the very end begins no line.
Result<std::uint64_t> FindTail(int fd, std::uint64_t size, std::int64_t count,
                               std::string_view given, const std::stop_token& stop);

// Makes a range begin and end between characters of UTF-8, moving inwards by at most three bytes
// where it was cut inside one.
void TrimToCharacters(Range& range);

}  // namespace toolpost::tools::file
