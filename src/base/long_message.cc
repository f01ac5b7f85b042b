// Three parts read as one.
#include "base/long_message.h"

#include <algorithm>
#include <cstddef>

namespace toolpost::base {

bool LongMessage::Read(std::uint64_t offset, std::span<char> out) const {
  std::uint64_t begin = 0;  // of the part
  const auto take = [&](std::uint64_t size, const auto& read) {
    const std::uint64_t end = begin + size;
    if (offset < end && !out.empty()) {
      const auto share =
          out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), end - offset)));
      if (!read(offset - begin, share)) return false;
      offset += share.size();
      out = out.subspan(share.size());
    }
    begin = end;
    return true;
  };
  const auto copy = [](const std::string& part) {
    return [&part](std::uint64_t from, std::span<char> share) {
      part.copy(share.data(), share.size(), static_cast<std::size_t>(from));
      return true;
    };
  };
  take(head.size(), copy(head));
  const auto read_text = [this](std::uint64_t from, std::span<char> share) {
    return text->ReadJson(from, share);
  };
  if (text != nullptr && !take(text->json_size(), read_text)) return false;
  take(tail.size(), copy(tail));
  return out.empty();
}

Result<std::string> LongMessage::Whole() const {
  std::string whole(static_cast<std::size_t>(size()), '\0');
  if (!Read(0, whole)) return Error::Unavailable("The result could not be read from disk");
  return whole;
}

}  // namespace toolpost::base
