// The table of encodings and their labels (WHATWG Encoding Standard, 4.2). Inside of charset.
#pragma once

#include <string_view>

namespace toolpost::html {

enum class Decoder {
  kUtf8,
  kUtf16le,
  kUtf16be,
  kWindows1252,
  kUserDefined,
  kLibrary,
  kReplacement,  // encodings that hide markup: the whole text becomes one U+FFFD
};

struct Encoding {
  std::string_view name;
  Decoder decoder;
  const char* library_name;  // what iconv calls it
  std::string_view labels;   // separated by spaces, besides the name in lower case
};

// By label, in any case; null when there is none.
const Encoding* FindEncoding(std::string_view label);

}  // namespace toolpost::html
