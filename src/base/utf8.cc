// Up to four bytes, six bits in each but the first.
#include "base/utf8.h"

namespace toolpost::base {

void AppendUtf8(std::string& out, char32_t code) {
  if (code < 0x80) return out.push_back(static_cast<char>(code));
  if ((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) code = 0xFFFD;
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | (code >> shift & 0x3F)));
  };
  if (code < 0x800) {
    out.push_back(static_cast<char>(0xC0 | code >> 6));
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | code >> 12));
    tail(6);
  } else {
    out.push_back(static_cast<char>(0xF0 | code >> 18));
    tail(12);
    tail(6);
  }
  tail(0);
}

}  // namespace toolpost::base
