// Cutting text at line and character boundaries.
#include "mcp/text_cut.h"

#include "base/strings.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kMarkerRoom = 56;  // the marker line with a 20-digit number

bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t EscapedLength(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f')
    return 2;
  return byte < 0x20 ? 6 : 1;
}

std::string_view EndAtLine(std::string_view prefix) {
  const std::size_t line_end = prefix.rfind('\n');
  if (line_end == std::string_view::npos || line_end < prefix.size() / 2) return prefix;
  return prefix.substr(0, line_end + 1);
}

std::string_view Head(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  while (end < text.size() && (characters > 0 || Continues(text[end]))) {
    if (!Continues(text[end])) --characters;
    ++end;
  }
  return text.substr(0, end);
}

std::string_view Tail(std::string_view text, std::size_t characters) {
  std::size_t begin = text.size();
  while (begin > 0 && characters > 0) {
    --begin;
    if (!Continues(text[begin])) --characters;
  }
  while (begin < text.size() && Continues(text[begin])) ++begin;
  text.remove_prefix(begin);
  const std::size_t line_end = text.find('\n');
  if (line_end != std::string_view::npos && line_end < text.size() / 2)
    text.remove_prefix(line_end + 1);
  return text;
}

}  // namespace

std::string_view PrefixWithinJson(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  std::size_t used = 0;
  while (end < text.size()) {
    if (!Continues(text[end])) {
      used += EscapedLength(text[end]);
      if (used > characters) break;
    }
    ++end;
  }
  return end == text.size() ? text : EndAtLine(text.substr(0, end));
}

std::string HeadAndTail(std::string_view text, std::size_t characters) {
  const std::size_t total = base::CountCodePoints(text);
  if (total <= characters) return std::string(text);
  if (characters <= 2 * kMarkerRoom) return std::string(Head(text, characters));
  const std::size_t room = characters - kMarkerRoom;
  const std::string_view head = EndAtLine(Head(text, room - room / 3));
  const std::string_view tail = Tail(text, room / 3);
  const std::size_t missing = total - base::CountCodePoints(head) - base::CountCodePoints(tail);
  return base::StrCat(head, head.ends_with('\n') ? "" : "\n", "[... ", missing,
                      " characters left out ...]\n", tail);
}

}  // namespace toolpost::mcp
