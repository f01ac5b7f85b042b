// A message around a long text.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/long_text.h"
#include "toolpost/result.h"

namespace toolpost::base {

struct LongMessage {
  std::string head;
  std::shared_ptr<const LongText> text;  // as the inside of a JSON string; null: none
  std::string tail;

  std::uint64_t size() const {
    return head.size() + (text == nullptr ? 0 : text->json_size()) + tail.size();
  }
  // Fills `out` from `offset` on; there must be as much. False if the disk fails.
  bool Read(std::uint64_t offset, std::span<char> out) const;
  // For those who need it in one piece. Code::kUnavailable if the disk fails.
  Result<std::string> Whole() const;
};

}  // namespace toolpost::base
