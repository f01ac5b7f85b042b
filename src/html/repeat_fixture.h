#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolpost::html {

inline std::string Repeat(std::string_view piece, std::size_t count) {
  std::string text;
  while (count-- > 0) text += piece;
  return text;
}

}  // namespace toolpost::html
