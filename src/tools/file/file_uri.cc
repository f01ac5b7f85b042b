// Percent-encoding of paths.
#include "tools/file/file_uri.h"

#include "base/hex_digit.h"

namespace toolpost::tools::file {
namespace {

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
         c == '-' || c == '.' || c == '_' || c == '~';
}

}  // namespace

std::optional<std::string> PathOfUri(std::string_view uri) {
  for (const std::string_view prefix : {"file://localhost/", "file:///"}) {
    if (!uri.starts_with(prefix)) continue;
    uri.remove_prefix(prefix.size() - 1);
    std::string path;
    path.reserve(uri.size());
    for (std::size_t at = 0; at < uri.size(); ++at) {
      if (uri[at] == '?' || uri[at] == '#') return std::nullopt;
      if (uri[at] != '%') {
        path.push_back(uri[at]);
        continue;
      }
      if (at + 2 >= uri.size()) return std::nullopt;
      const int high = base::HexDigit(uri[at + 1]);
      const int low = base::HexDigit(uri[at + 2]);
      if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
      path.push_back(static_cast<char>(high * 16 + low));
      at += 2;
    }
    return path;
  }
  return std::nullopt;
}

std::string UriOfPath(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    if (IsPlain(c)) {
      uri.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri.push_back('%');
    uri.push_back(kDigits[byte >> 4]);
    uri.push_back(kDigits[byte & 15]);
  }
  return uri;
}

}  // namespace toolpost::tools::file
