// Canonical ids and wire names: the rules.
#include "mcp/names.h"

#include <algorithm>

namespace toolpost::mcp {
namespace {

constexpr std::size_t kMaxWireName = 48;
// Ids are keys of metrics and logs; no wire name could be made from a longer one anyway.
constexpr std::size_t kMaxId = 128;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsLetter(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsCategory(std::string_view text) {
  return !text.empty() && IsLower(text.front()) &&
         std::ranges::all_of(text, [](char c) { return IsLower(c) || IsDigit(c) || c == '-'; });
}

bool IsName(std::string_view text) {
  return !text.empty() && IsLetter(text.front()) && std::ranges::all_of(text, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_' || c == '-';
  });
}

Error Bad(std::string_view kind, std::string_view name, std::string_view rule) {
  std::string message(kind);
  message.append(" \"").append(name.substr(0, kMaxId)).append("\" ").append(rule);
  return Error::InvalidParams(std::move(message));
}

}  // namespace

Result<void> CheckCanonicalId(std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos || id.find('/', slash + 1) != std::string_view::npos) {
    return Bad("Tool name", id, "must have the form category/name, with exactly one slash");
  }
  if (id.size() > kMaxId) return Bad("Tool name", id, "must have at most 128 characters");
  if (!IsCategory(id.substr(0, slash))) {
    return Bad(
        "Tool name", id,
        "must have a category of lower-case letters, digits and '-' that starts with a letter");
  }
  if (!IsName(id.substr(slash + 1))) {
    return Bad("Tool name", id,
               "must have a name of letters, digits, '_' and '-' that starts with a letter");
  }
  return {};
}

Result<void> CheckWireName(std::string_view wire) {
  if (wire.size() > kMaxWireName || !IsName(wire)) {
    return Bad("Wire name", wire,
               "must be a letter followed by at most 47 letters, digits, '_' or '-'");
  }
  if (wire.find("__") != std::string_view::npos) {
    return Bad("Wire name", wire,
               "must not contain \"__\": clients use it to join server and tool names");
  }
  return {};
}

Result<void> CheckAlias(std::string_view alias) {
  return alias.find('/') == std::string_view::npos ? CheckWireName(alias) : CheckCanonicalId(alias);
}

std::string_view CategoryOf(std::string_view id) { return id.substr(0, id.find('/')); }

std::string DefaultWireName(std::string_view id) {
  std::string wire(id);
  std::ranges::replace(wire, '/', '_');
  return wire;
}

}  // namespace toolpost::mcp
