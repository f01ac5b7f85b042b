// Decimal numbers of up to 38 digits as the protocol stores them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolpost::tds_server {

__extension__ using Uint128 = unsigned __int128;

struct Decimal {
  bool negative = false;
  Uint128 magnitude = 0;  // scaled to an integer
};

// `-12.5` with scale 3 is -12500. Nothing for what is no number, or has more than 38 digits or more
// digits behind the point than `scale`.
std::optional<Decimal> ParseDecimal(std::string_view text, int scale);
std::string DecimalText(const Decimal& value, int scale);

}  // namespace toolpost::tds_server
