// Ranges of invisible characters.
#include "html/invisible.h"

#include <algorithm>
#include <iterator>

#include "base/strings.h"
#include "html/characters.h"

namespace toolpost::html {
namespace {

struct Range {
  char32_t first, last;
};

constexpr Range kInvisible[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},       {0xAD, 0xAD},       {0x034F, 0x034F},  {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200B},  {0x200E, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

char32_t CodeOf(std::string_view character) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(character[i]));
  };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
             (byte(3) & 0x3F);
  }
}

}  // namespace

bool IsInvisible(std::string_view character) {
  if (character.size() == 1) {
    const auto c = static_cast<unsigned char>(character[0]);
    return c < 0x20 || c == 0x7F;
  }
  const char32_t code = CodeOf(character);
  return std::any_of(std::begin(kInvisible), std::end(kInvisible),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

std::size_t CountInvisible(std::string_view text) {
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const std::size_t length = std::max<std::size_t>(base::Utf8SequenceLength(at, end), 1);
    const bool space = IsSpace(static_cast<unsigned char>(*at));
    count += !space && IsInvisible({at, length}) ? 1 : 0;
    at += length;
  }
  return count;
}

}  // namespace toolpost::html
