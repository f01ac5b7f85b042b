// One pass over the text, in and out of literals, quoted names and comments.
#include "db/select_guard_sqlite_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace toolpost::db {
namespace {

// U+00A0, U+00AD, U+034F, U+061C, U+115F.., U+1680, U+180E, U+2000-200F, U+2028-202F, U+205F-206F,
// U+3000, U+3164, U+FEFF, U+FFA0, tags.
bool IsInvisible(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 17> kRanges = {{
      {0x80, 0xA0},
      {0xAD, 0xAD},
      {0x34F, 0x34F},
      {0x61C, 0x61C},
      {0x115F, 0x1160},
      {0x1680, 0x1680},
      {0x17B4, 0x17B5},
      {0x180B, 0x180F},
      {0x2000, 0x200F},
      {0x2028, 0x202F},
      {0x205F, 0x206F},
      {0x2800, 0x2800},
      {0x3000, 0x3000},
      {0x3164, 0x3164},
      {0xFEFF, 0xFEFF},
      {0xFFA0, 0xFFA0},
      {0xE0000, 0xE0FFF},
  }};
  return std::any_of(kRanges.begin(), kRanges.end(),
                     [&](const auto& range) { return c >= range.first && c <= range.second; });
}

Error TextRefused(std::string_view what, std::size_t at) {
  return Error::InvalidParams(base::StrCat("The statement has ", what, " at byte ", at + 1,
                                           ": write it without, or pass it as a parameter"));
}

char32_t Decode(std::string_view text, std::size_t at, std::size_t length) {
  char32_t c = static_cast<unsigned char>(text[at]) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i)
    c = (c << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  return c;
}

}  // namespace

Result<void> CheckSqliteText(std::string_view sql) {
  if (sql.size() > kMaxSqliteTextBytes) {
    return Error::InvalidParams(base::StrCat("The statement has ", sql.size(), " bytes; at most ",
                                             kMaxSqliteTextBytes,
                                             " are allowed: pass large values as parameters"));
  }
  const char* const end = sql.data() + sql.size();
  bool literal = false;
  char quote = 0;  // of an identifier, or of a comment: '-' and '*'
  for (std::size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    const char next = at + 1 < sql.size() ? sql[at + 1] : '\0';
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F)
      return TextRefused("a control character", at);
    const std::size_t length = base::Utf8SequenceLength(sql.data() + at, end);
    if (length == 0) return TextRefused("bytes that are not UTF-8", at);
    if (length > 1 && !literal && IsInvisible(Decode(sql, at, length)))
      return TextRefused("an invisible or look-alike character outside of a string literal", at);
    if (literal) {
      if (c == '\'') literal = false;  // a doubled one opens it again
    } else if (quote == '-') {
      if (c == '\n') quote = 0;
    } else if (quote == '*') {
      if (c == '*' && next == '/') quote = 0, ++at;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'') {
      literal = true;
    } else if (c == '"' || c == '`') {
      quote = c;
    } else if (c == '[') {
      quote = ']';
    } else if (c == '-' && next == '-') {
      quote = '-';
    } else if (c == '/' && next == '*') {
      quote = '*', ++at;
    }
    at += length;
  }
  return {};
}

}  // namespace toolpost::db
