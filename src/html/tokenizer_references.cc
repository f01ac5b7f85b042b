// Character references in text and attributes.
#include "base/utf8.h"
#include "html/characters.h"
#include "html/charset.h"
#include "html/entities.h"
#include "html/tokenizer.h"

namespace toolpost::html {
namespace {

bool IsHexDigit(int c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

char32_t DigitValue(int c) {
  if (IsDigit(c)) return static_cast<char32_t>(c - '0');
  return static_cast<char32_t>((c | 0x20) - 'a' + 10);
}

}  // namespace

// Stands at "&". What is no reference stays as it is, beginning with the ampersand.
void Tokenizer::AppendReference(std::string& out, bool in_attribute) {
  if (Look(1) == '#') return AppendNumber(out);
  const EntityMatch match = FindEntity(input_.substr(at_ + 1));
  const int after = Look(1 + match.length);
  // "?a=b&copy=c" in a link is no copyright sign.
  const bool literal = in_attribute && match.length > 0 && Look(match.length) != ';' &&
                       (after == '=' || IsLetter(after) || IsDigit(after));
  if (match.length == 0 || literal) {
    out.push_back('&');
    return Skip(1);
  }
  out.append(match.value);
  Skip(1 + match.length);
}

void Tokenizer::AppendNumber(std::string& out) {
  const bool hex = Look(2) == 'x' || Look(2) == 'X';
  const std::size_t first = hex ? 3 : 2;
  std::size_t end = first;
  char32_t code = 0;
  for (int c = Look(end); hex ? IsHexDigit(c) : IsDigit(c); c = Look(++end)) {
    if (code <= 0x10FFFF) code = code * (hex ? 16 : 10) + DigitValue(c);
  }
  if (end == first) {
    out.push_back('&');
    return Skip(1);
  }
  if (code == 0) code = 0xFFFD;
  base::AppendUtf8(out, code < 0x100 ? FromWindows1252(static_cast<unsigned char>(code)) : code);
  Skip(end + (Look(end) == ';' ? 1 : 0));
}

}  // namespace toolpost::html
