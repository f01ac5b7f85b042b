// Code points above U+FFFF become two units.
#include "db/odbc_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "db/statement_text.h"

namespace toolpost::db {
namespace {

bool IsHigh(char32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLow(char32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

std::string FromWide(std::span<const SQLWCHAR> wide) {
  std::string out;
  for (std::size_t i = 0; i < wide.size() && wide[i] != 0; ++i) {
    char32_t code = wide[i];
    if (IsHigh(code) && i + 1 < wide.size() && IsLow(wide[i + 1]))
      code = 0x10000 + ((code - 0xd800) << 10) + (wide[++i] - 0xdc00U);
    base::AppendUtf8(out, code);
  }
  return out;
}

std::vector<SQLWCHAR> ToWide(std::string_view utf8) {
  const auto ascii = std::find_if(utf8.begin(), utf8.end(),
                                  [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  std::vector<SQLWCHAR> out(utf8.begin(), ascii);
  utf8.remove_prefix(out.size());
  out.reserve(out.size() + utf8.size());
  while (!utf8.empty()) {
    const CodePoint point = FirstCodePoint(utf8);
    if (point.value < 0x10000) {
      out.push_back(static_cast<SQLWCHAR>(point.value));
    } else {
      out.push_back(static_cast<SQLWCHAR>(0xd800 + ((point.value - 0x10000) >> 10)));
      out.push_back(static_cast<SQLWCHAR>(0xdc00 + ((point.value - 0x10000) & 0x3ff)));
    }
    utf8.remove_prefix(point.bytes);
  }
  return out;
}

}  // namespace toolpost::db
