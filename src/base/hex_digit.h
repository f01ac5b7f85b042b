// The value of a hexadecimal digit.
#pragma once

namespace toolpost::base {

// From 0 to 15, or -1 if `c` is none.
constexpr int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace toolpost::base
