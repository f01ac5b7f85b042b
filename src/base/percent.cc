// Escapes of URLs.
#include "base/percent.h"

#include <algorithm>

#include "base/hex_digit.h"
#include "base/strings.h"

namespace toolpost::base {
namespace {

// The byte of the escape at the start of `text`, or -1.
int Escaped(std::string_view text) {
  if (text.size() < 3) return -1;
  const int high = HexDigit(text[1]);
  const int low = HexDigit(text[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    const int byte = Escaped(text.substr(i));
    if (byte < 0) return std::nullopt;
    out.push_back(static_cast<char>(byte));
    i += 2;
  }
  if (!IsValidUtf8(out)) return std::nullopt;
  return out;
}

std::string PercentDecodeLoosely(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int byte = text[i] == '%' ? Escaped(text.substr(i)) : -1;
    if (byte >= 0) i += 2;
    out.push_back(byte >= 0 ? static_cast<char>(byte) : text[i]);
  }
  return out;
}

std::string FormDecode(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return PercentDecodeLoosely(spaced);
}

std::optional<std::string> QueryParameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (FormDecode(pair.substr(0, equals)) != name) continue;
    return FormDecode(pair.substr(std::min(equals + 1, pair.size())));
  }
  return std::nullopt;
}

}  // namespace toolpost::base
