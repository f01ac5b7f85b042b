// Path text: escapes, normal form.
#include "sandbox/path_text.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"

namespace toolpost::sandbox {
namespace {

constexpr std::size_t kEscapeLength = 4;  // \xHH

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// The byte an escape at the start of `text` stands for, or -1.
int EscapedByte(std::string_view text) {
  if (text.size() < kEscapeLength || text[0] != '\\' || text[1] != 'x') return -1;
  const int high = HexDigit(text[2]);
  const int low = HexDigit(text[3]);
  if (high < 0 || low < 0) return -1;
  const int byte = high * 16 + low;
  return byte >= 0x80 || byte == '\\' ? byte : -1;
}

std::size_t LongestComponent(std::string_view path) {
  std::size_t longest = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= path.size(); ++at) {
    if (at < path.size() && path[at] != '/') continue;
    longest = std::max(longest, at - begin);
    begin = at + 1;
  }
  return longest;
}

void AppendEscape(std::string& out, char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  out.append("\\x");
  out.push_back(kDigits[value >> 4]);
  out.push_back(kDigits[value & 15]);
}

}  // namespace

Result<std::string> DecodePath(std::string_view given) {
  if (given.empty()) return Error::InvalidParams("The path is empty; use . for the first root");
  if (given.size() > kMaxPath)
    return Error::InvalidParams(base::StrCat("The path is ", given.size(), " bytes long; at most ",
                                             kMaxPath, " are allowed"));
  if (given.find('\0') != std::string_view::npos)
    return Error::InvalidParams("The path contains a NUL character, which no file name can");
  if (!base::IsValidUtf8(given))
    return Error::InvalidParams(
        "The path is not UTF-8; write bytes that are not as \\xHH, as listings do");
  std::string bytes;
  bytes.reserve(given.size());
  for (std::size_t at = 0; at < given.size();) {
    const int byte = EscapedByte(given.substr(at));
    bytes.push_back(byte < 0 ? given[at] : static_cast<char>(byte));
    at += byte < 0 ? 1 : kEscapeLength;
  }
  if (LongestComponent(bytes) > kMaxComponent)
    return Error::InvalidParams(
        base::StrCat("A name in the path is longer than ", kMaxComponent, " bytes"));
  return bytes;
}

std::string EncodePath(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  const char* const end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end;) {
    const std::size_t length = base::Utf8SequenceLength(at, end);
    const bool ambiguous =
        *at == '\\' && EscapedByte({at, static_cast<std::size_t>(end - at)}) >= 0;
    if (length == 0 || ambiguous) {
      AppendEscape(text, *at++);
    } else {
      text.append(at, length);
      at += length;
    }
  }
  return text;
}

std::optional<std::string> NormalizePath(std::string_view path) {
  std::string normal;
  normal.reserve(path.size());
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view component = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      if (normal.empty()) return std::nullopt;
      const std::size_t last = normal.rfind('/');
      normal.resize(last == std::string::npos ? 0 : last);
      continue;
    }
    if (!normal.empty()) normal.push_back('/');
    normal.append(component);
  }
  return normal;
}

bool IsWithin(std::string_view path, std::string_view folder) {
  if (folder.empty() || folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string JoinPath(std::string_view folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  if (name.empty()) return std::string(folder);
  return base::StrCat(folder, folder.ends_with('/') ? "" : "/", name);
}

}  // namespace toolpost::sandbox
