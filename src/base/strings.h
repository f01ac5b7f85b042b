// Small string functions the standard library lacks.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace toolpost::base {

inline void AppendPiece(std::string& out, std::string_view piece) { out.append(piece); }
inline void AppendPiece(std::string& out, char piece) { out.push_back(piece); }
template <typename Integer>
requires std::is_integral_v<Integer>
void AppendPiece(std::string& out, Integer value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Concatenates strings, characters and integers.
template <typename... Pieces>
std::string StrCat(const Pieces&... pieces) {
  std::string out;
  (AppendPiece(out, pieces), ...);
  return out;
}

// ASCII letters only.
inline char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
// In the header because look-ups of HTTP headers do little else, and mostly fail at the length.
inline bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && ToLower(a[i]) != ToLower(b[i])) return false;
  }
  return true;
}
std::string ToLower(std::string_view text);
std::string_view Trim(std::string_view text);  // spaces and tabs
std::vector<std::string_view> Split(std::string_view text, char separator);
std::string Join(const std::vector<std::string>& parts, std::string_view separator);
bool IsValidUtf8(std::string_view text);
// Length of the well-formed UTF-8 sequence at `at` (RFC 3629: shortest form, no surrogates), or 0.
// `at` must be before `end`.
std::size_t Utf8SequenceLength(const char* at, const char* end);
// Number of code points of valid UTF-8.
std::size_t CountCodePoints(std::string_view text);
// The candidate nearest to `word` by edit distance, or empty if none is close: for "did you mean"
// hints.
std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace toolpost::base
