// RFC 3986 reference resolution.
#include "schema/uri.h"

#include <algorithm>
#include <charconv>

namespace toolpost::schema {

namespace {

struct Parts {
  std::string_view scheme, authority, path, query, fragment;  // each with its delimiters
};

bool IsSchemeChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '-' || c == '.';
}

std::string_view Take(std::string_view& text, std::size_t count) {
  count = std::min(count, text.size());
  const std::string_view head = text.substr(0, count);
  text.remove_prefix(count);
  return head;
}

Parts Parse(std::string_view uri) {
  Parts parts;
  if (const std::size_t colon = uri.find_first_of(":/?#");
      colon != std::string_view::npos && colon > 0 && uri[colon] == ':' &&
      std::ranges::all_of(uri.substr(0, colon), IsSchemeChar)) {
    parts.scheme = Take(uri, colon + 1);
  }
  if (uri.starts_with("//")) parts.authority = Take(uri, uri.find_first_of("/?#", 2));
  parts.path = Take(uri, uri.find_first_of("?#"));
  parts.query = Take(uri, uri.find('#'));
  parts.fragment = uri;
  return parts;
}

// RFC 3986, 5.2.4.
std::string RemoveDotSegments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../") || path == "/..") {
      path = path.size() == 3 ? std::string_view("/") : path.substr(3);
      out.resize(out.rfind('/') == std::string::npos ? 0 : out.rfind('/'));
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      out += Take(path, path.find('/', 1));
    }
  }
  return out;
}

std::string Merge(const Parts& base, std::string_view path) {
  if (!base.authority.empty() && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  std::string merged(slash == std::string_view::npos ? "" : base.path.substr(0, slash + 1));
  return merged += path;
}

}  // namespace

std::string ResolveUri(std::string_view base_uri, std::string_view reference) {
  const Parts base = Parse(base_uri);
  const Parts ref = Parse(reference);
  std::string out;
  if (!ref.scheme.empty()) return std::string(reference);
  out += base.scheme;
  if (!ref.authority.empty()) {
    out.append(ref.authority).append(RemoveDotSegments(ref.path)).append(ref.query);
  } else if (ref.path.empty()) {
    out.append(base.authority).append(base.path);
    out.append(ref.query.empty() ? base.query : ref.query);
  } else {
    out.append(base.authority);
    out += RemoveDotSegments(ref.path.starts_with('/') ? std::string(ref.path)
                                                       : Merge(base, ref.path));
    out.append(ref.query);
  }
  return out.append(ref.fragment);
}

std::pair<std::string_view, std::string_view> SplitFragment(std::string_view uri) {
  const std::size_t hash = uri.find('#');
  if (hash == std::string_view::npos) return {uri, {}};
  return {uri.substr(0, hash), uri.substr(hash + 1)};
}

std::string PercentDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace toolpost::schema
