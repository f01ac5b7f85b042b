// White space and dates.
#include "tools/todo/text.h"

#include <array>
#include <charconv>
#include <chrono>

namespace toolpost::tools::todo {
namespace {

// Of Unicode's White_Space, in UTF-8.
constexpr std::array<std::string_view, 25> kSpaces = {
    " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u0085", "\u00A0", "\u1680",
    "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
    "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};

bool CutSpace(std::string_view& text, bool front) {
  for (const std::string_view space : kSpaces) {
    if (front ? text.starts_with(space) : text.ends_with(space)) {
      front ? text.remove_prefix(space.size()) : text.remove_suffix(space.size());
      return true;
    }
  }
  return false;
}

unsigned Number(std::string_view digits) {
  unsigned number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  while (CutSpace(text, true)) continue;
  while (CutSpace(text, false)) continue;
  return text;
}

bool IsCalendarDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t at : {0, 1, 2, 3, 5, 6, 8, 9}) {
    if (text[at] < '0' || text[at] > '9') return false;
  }
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(Number(text.substr(0, 4)))),
                                     std::chrono::month(Number(text.substr(5, 2))),
                                     std::chrono::day(Number(text.substr(8, 2))))
      .ok();
}

}  // namespace toolpost::tools::todo
