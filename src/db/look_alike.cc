// Comparison by the set of places in the word that the name may have come to.
#include "db/look_alike.h"

#include <algorithm>
#include <cstdint>

#include "base/strings.h"
#include "db/statement_text.h"

namespace toolpost::db {
namespace {

struct Range {
  char32_t first, last;
};

// Scripts whose letters no collation takes for Latin ones: Greek to Arabic, Georgian, Greek again,
// kana, ideographs, Hangul.
constexpr Range kOtherScripts[] = {
    {0x386, 0x386},   {0x388, 0x3CE},   {0x400, 0x481},   {0x48A, 0x4CE},   {0x531, 0x556},
    {0x561, 0x587},   {0x5D0, 0x5EA},   {0x621, 0x64A},   {0x671, 0x6D3},   {0x10D0, 0x10F5},
    {0x1F00, 0x1FBC}, {0x3005, 0x3005}, {0x3041, 0x3094}, {0x30A1, 0x30FA}, {0x30FC, 0x30FC},
    {0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0xAC00, 0xD7A3}};
constexpr Range kLatin[] = {{0xC0, 0xD6},   {0xD8, 0xF6},     {0xF8, 0x21F},
                            {0x222, 0x233}, {0x1E00, 0x1E9B}, {0x1EA0, 0x1EF9}};

template <std::size_t N>
bool Within(const Range (&ranges)[N], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const Range& range) { return c >= range.first && c <= range.last; });
}

std::string_view WithoutTrailingSpaces(std::string_view name) {
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

// The letters U+00C0 to U+017F without their marks; * is none, or two.
constexpr std::string_view kBases =
    "aaaaaa*ceeeeiiiidnooooo*ouuuuy**aaaaaa*ceeeeiiiidnooooo*ouuuuy*y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkk*llllllllllnnnnnn***oooooo**rrrrrr"
    "sssssssstttttt"
    "uuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kBases.size() == 0x180 - 0xC0);

std::uint64_t StepAscii(std::uint64_t places, char c, std::string_view word) {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((places >> i & 1) != 0 && c == word[i]) next |= std::uint64_t{2} << i;
  }
  return next;
}

// Bit i: the characters of `name` so far may be the first i of `word`.
std::uint64_t Step(std::uint64_t places, char32_t c, std::string_view word) {
  if (c < 0x80) return StepAscii(places, base::ToLower(static_cast<char>(c)), word);
  if (Within(kOtherScripts, c)) return 0;
  if (c >= 0xC0 && c < 0x180 && kBases[c - 0xC0] != '*') {
    const char base = kBases[c - 0xC0];
    const std::uint64_t next = StepAscii(places, base, word);
    return next | StepAscii(next, 'e', word) | StepAscii(next, base, word);  // ä: a, ae or aa
  }
  return places | places << 1 | places << 2 | places << 3;  // no weight, one letter, a ligature
}

bool Matches(std::string_view name, std::string_view word, bool whole) {
  const std::uint64_t end = std::uint64_t{1} << word.size();
  std::uint64_t places = 1;
  while (!name.empty() && places != 0) {
    if (!whole && (places & end) != 0) return true;
    const CodePoint point = FirstCodePoint(name);
    places = Step(places, point.value, word);
    name.remove_prefix(point.bytes);
  }
  return (places & end) != 0;
}

}  // namespace

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool IsLetter(char32_t c) { return Within(kLatin, c) || Within(kOtherScripts, c); }

bool MayEqual(std::string_view name, std::string_view word) {
  name = WithoutTrailingSpaces(name);
  if (IsAscii(name)) return base::EqualIgnoringCase(name, word);
  return Matches(name, word, true);
}

bool MayBeginWith(std::string_view name, std::string_view prefix) {
  if (IsAscii(name)) return base::EqualIgnoringCase(name.substr(0, prefix.size()), prefix);
  return Matches(name, prefix, false);
}

}  // namespace toolpost::db
