// List cursors.
#include "mcp/paging.h"

#include <charconv>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kMaxCursor = 128;

Error UnknownCursor() { return Error::InvalidParams("Unknown cursor: ask again without cursor"); }

}  // namespace

std::string EncodeCursor(std::string_view list, std::uint64_t position) {
  return base::ToBase64Url(base::StrCat(list, ':', position));
}

Result<std::uint64_t> DecodeCursor(std::string_view list, std::string_view cursor,
                                   std::uint64_t limit) {
  if (cursor.empty()) return std::uint64_t{0};
  if (cursor.size() > kMaxCursor) return UnknownCursor();
  const auto decoded = base::FromBase64Url(cursor);
  if (!decoded) return UnknownCursor();
  std::string_view text = *decoded;
  if (!text.starts_with(list) || text.substr(list.size(), 1) != ":") return UnknownCursor();
  text.remove_prefix(list.size() + 1);
  std::uint64_t position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || end != text.data() + text.size() || position > limit) {
    return UnknownCursor();
  }
  // Refuses other spellings of the same number, such as leading zeros.
  if (EncodeCursor(list, position) != cursor) return UnknownCursor();
  return position;
}

}  // namespace toolpost::mcp
