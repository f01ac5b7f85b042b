// A text that may be too long for memory: written as it comes, sent from where it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "toolpost/result.h"

namespace toolpost::base {

// Keeps some hundred kilobytes in memory and the rest in a file that has no name and ends with
// this object. One thread appends; once nobody does any more, all may read.
class LongText {
 public:
  // `directory` holds the file, if one is needed, and is made if it is not there.
  explicit LongText(std::string directory) : directory_(std::move(directory)) {}
  ~LongText();
  LongText(const LongText&) = delete;
  LongText& operator=(const LongText&) = delete;

  // `text` ends with a whole character. Code::kUnavailable: there is no room on the disk.
  Result<void> Append(std::string_view text);

  // What stands between the quotes of the text as a JSON string.
  std::uint64_t json_size() const { return in_file_ + tail_.size(); }
  // Fills `out` with that from `offset` on; there must be as much. False if the disk fails.
  bool ReadJson(std::uint64_t offset, std::span<char> out) const;

 private:
  Result<void> Spill();

  const std::string directory_;
  int file_ = -1;
  std::uint64_t in_file_ = 0;
  std::string tail_;    // what follows the file
  std::string quoted_;  // reused by Append()
};

}  // namespace toolpost::base
