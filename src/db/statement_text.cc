// Checks on bytes and characters.
#include "db/statement_text.h"

#include <algorithm>
#include <string>

#include "base/strings.h"

namespace toolpost::db {
namespace {

struct Range {
  std::uint32_t first, last;
};
// White space that does not look like it or cannot be seen, and controls of the text's direction.
constexpr Range kInvisible[] = {
    {0x80, 0xA0},     {0xAD, 0xAD},     {0x34F, 0x34F},    {0x61C, 0x61C},   {0x115F, 0x1160},
    {0x1680, 0x1680}, {0x17B4, 0x17B5}, {0x180B, 0x180F},  {0x2000, 0x200F}, {0x2028, 0x202F},
    {0x205F, 0x206F}, {0x3000, 0x3000}, {0x3164, 0x3164},  {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xE0000, 0xE0FFF}};

constexpr std::uint32_t kJoiner = 0x200D;

// A variation selector or joiner behind a character beyond ASCII, or in a keycap.
bool IsPartOfEmoji(std::uint32_t before, std::uint32_t point, std::string_view rest) {
  const auto selects = [](std::uint32_t one) { return one >= 0xFE00 && one <= 0xFE0F; };
  if (!selects(point) && point != kJoiner) return false;
  if (rest.starts_with("\xE2\x83\xA3")) return selects(point);
  return before >= 0x80 && before != kJoiner && !(selects(before) && selects(point));
}

std::string Hexadecimal(std::uint32_t point) {
  char digits[8];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, point, 16).ptr);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
  return "U+" + std::string(text.size() < 4 ? 4 - text.size() : 0, '0') + text;
}

}  // namespace

CodePoint FirstCodePoint(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length =
      std::max<std::size_t>(base::Utf8SequenceLength(text.data(), text.data() + text.size()), 1);
  std::uint32_t point = byte(0) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3Fu);
  return {point, length};
}

Result<void> CheckStatementBytes(std::string_view sql) {
  if (sql.size() > kLongestStatement) {
    return Error::InvalidParams(base::StrCat("The statement has ", sql.size(), " bytes; at most ",
                                             kLongestStatement,
                                             " are allowed: pass values as parameters"));
  }
  if (!base::IsValidUtf8(sql)) return Error::InvalidParams("The statement is not valid UTF-8");
  for (const char c : sql) {
    if ((c >= 0 && c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7F) {
      return Error::InvalidParams(
          "The statement contains a control character; only tab and line breaks are allowed");
    }
  }
  return {};
}

Result<void> RefuseInvisible(std::string_view text, bool emoji) {
  std::uint32_t before = 0;
  while (!text.empty()) {
    const CodePoint point = FirstCodePoint(text);
    text.remove_prefix(point.bytes);
    const bool visible = emoji && IsPartOfEmoji(before, point.value, text);
    before = point.value;
    for (const Range& range : kInvisible) {
      if (visible || point.value < range.first || point.value > range.last) continue;
      return Error::InvalidParams(
          base::StrCat("The statement contains the invisible or look-alike character ",
                       Hexadecimal(point.value), " outside a string literal: remove it"));
    }
  }
  return {};
}

}  // namespace toolpost::db
