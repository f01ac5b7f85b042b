// Expansion of variables.
#include "config/expand.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::config {
namespace {

bool IsName(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !digit(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); });
}

}  // namespace

Result<Expanded> Expand(std::string_view text,
                        const std::map<std::string, std::string, std::less<>>& environment) {
  Expanded out;
  while (true) {
    const std::size_t start = text.find("${");
    if (start == std::string_view::npos) break;
    if (start > 0 && text[start - 1] == '$') {
      out.text.append(text.substr(0, start - 1)).append("${");
      text.remove_prefix(start + 2);
      continue;
    }
    const std::size_t end = text.find('}', start);
    if (end == std::string_view::npos) {
      return Error::InvalidParams("has \"${\" without \"}\"; write \"$${\" for a plain \"${\"");
    }
    out.text.append(text.substr(0, start));
    const std::string_view inside = text.substr(start + 2, end - start - 2);
    const std::size_t separator = inside.find(":-");
    const std::string_view name = inside.substr(0, separator);
    if (!IsName(name)) {
      // What stands there is not repeated: it may be part of a secret.
      return Error::InvalidParams(
          "has \"${\" without the name of a variable; write ${NAME} or ${NAME:-default}, or "
          "\"$${\" "
          "for a plain \"${\"");
    }
    const auto found = environment.find(name);
    const bool set = found != environment.end() && !found->second.empty();
    if (set) {
      out.text.append(found->second);
    } else if (separator != std::string_view::npos) {
      out.text.append(inside.substr(separator + 2));
    } else if (found == environment.end()) {
      return Error::InvalidParams(base::StrCat("uses the variable ", name,
                                               ", which is not set; set it or write ${", name,
                                               ":-default}"));
    }
    out.changed = true;
    text.remove_prefix(end + 1);
  }
  out.text.append(text);
  return out;
}

}  // namespace toolpost::config
