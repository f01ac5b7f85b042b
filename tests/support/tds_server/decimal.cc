// Digits by hand: no standard type holds 38 of them.
#include "tds_server/decimal.h"

#include <algorithm>

namespace toolpost::tds_server {

std::optional<Decimal> ParseDecimal(std::string_view text, int scale) {
  Decimal value;
  value.negative = text.starts_with('-');
  if (value.negative) text.remove_prefix(1);
  int behind = -1, digits = 0;
  for (const char c : text) {
    if (c == '.' && behind < 0) {
      behind = 0;
      continue;
    }
    if (c < '0' || c > '9' || ++digits > 38) return std::nullopt;
    if (behind >= 0) ++behind;
    value.magnitude = value.magnitude * 10 + static_cast<unsigned>(c - '0');
  }
  if (digits == 0 || behind > scale) return std::nullopt;
  for (int i = std::max(behind, 0); i < scale; ++i) value.magnitude *= 10;
  return value;
}

std::string DecimalText(const Decimal& value, int scale) {
  std::string digits;
  for (Uint128 rest = value.magnitude; rest > 0 || digits.size() <= static_cast<std::size_t>(scale);
       rest /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  if (scale > 0) digits.insert(static_cast<std::size_t>(scale), ".");
  if (value.negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace toolpost::tds_server
