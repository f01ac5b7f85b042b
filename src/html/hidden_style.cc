// Reads the declarations of a style attribute.
#include "html/hidden_style.h"

#include <charconv>
#include <string>

#include "base/strings.h"
#include "html/characters.h"

namespace toolpost::html {
namespace {

// Lower case, without comments and white space.
std::string Condense(std::string_view style) {
  std::string text;
  text.reserve(style.size());
  for (std::size_t at = 0; at < style.size(); ++at) {
    if (style.substr(at, 2) == "/*") {
      const std::size_t end = style.find("*/", at + 2);
      if (end == style.npos) break;
      at = end + 1;
    } else if (!IsSpace(static_cast<unsigned char>(style[at]))) {
      text.push_back(base::ToLower(style[at]));
    }
  }
  return text;
}

bool IsZero(std::string_view value) {
  double number = 1;
  return std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() &&
         number == 0;
}

bool IsFarOutside(std::string_view value) {
  constexpr double kOutside = -900;
  double number = 0;
  return std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() &&
         number < kOutside;
}

bool Hides(std::string_view name, std::string_view value) {
  if (name == "display") return value == "none";
  if (name == "visibility") return value == "hidden" || value == "collapse";
  if (name == "content-visibility") return value == "hidden";
  if (name == "opacity" || name == "font-size") return IsZero(value);
  if (name == "left" || name == "top" || name == "text-indent" || name == "margin-left")
    return IsFarOutside(value);
  return false;
}

}  // namespace

bool HidesElement(std::string_view style) {
  const std::string condensed = Condense(style);
  std::string_view rest = condensed;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    std::string_view declaration = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = declaration.find(':');
    if (colon == declaration.npos) continue;
    std::string_view value = declaration.substr(colon + 1);
    value = value.substr(0, value.find('!'));
    if (Hides(declaration.substr(0, colon), value)) return true;
  }
  return false;
}

}  // namespace toolpost::html
