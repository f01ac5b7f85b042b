// Classes of ASCII characters in the HTML standard. Inside of the tokenizer.
#pragma once

#include <string>
#include <string_view>

namespace toolpost::html {

inline bool IsSpace(int c) { return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r'; }
inline bool IsLetter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool IsDigit(int c) { return c >= '0' && c <= '9'; }

constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

// NUL as U+FFFD.
inline void AppendCharacter(std::string& out, int c) {
  if (c == 0) {
    out.append(kReplacementCharacter);
  } else {
    out.push_back(static_cast<char>(c));
  }
}
inline void AppendLower(std::string& out, int c) {
  AppendCharacter(out, c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

}  // namespace toolpost::html
