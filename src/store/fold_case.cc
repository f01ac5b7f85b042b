// Simple case folding with the tables of the C library.
#include "store/fold_case.h"

#include <locale.h>
#include <wctype.h>

#include "base/strings.h"

namespace toolpost::store {
namespace {

// `length` bytes of well-formed UTF-8.
wint_t Decode(const char* at, std::size_t length) {
  wint_t code = static_cast<unsigned char>(*at) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i)
    code = (code << 6) | (static_cast<unsigned char>(at[i]) & 0x3FU);
  return code;
}

void Append(std::string& out, wint_t code) {
  if (code < 0x80) return out.push_back(static_cast<char>(code));
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out.push_back(static_cast<char>(kLead[more] | (code >> (6 * more))));
  for (int i = more - 1; i >= 0; --i)
    out.push_back(static_cast<char>(0x80U | ((code >> (6 * i)) & 0x3FU)));
}

}  // namespace

std::string FoldCase(std::string_view text) {
  // The process's own locale may know ASCII only.
  static const locale_t kUnicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  std::string folded;
  folded.reserve(text.size());
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const std::size_t length = base::Utf8SequenceLength(at, end);
    if (length <= 1 || kUnicode == nullptr) {
      folded.push_back(base::ToLower(*at++));
    } else {
      Append(folded, towlower_l(Decode(at, length), kUnicode));
      at += length;
    }
  }
  return folded;
}

}  // namespace toolpost::store
