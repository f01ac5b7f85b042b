// LIKE and GLOB as SQLite defines them, in time linear in the text.
//
// SQLite's own matcher takes the product of both lengths inside one step that nothing can
// interrupt. This one scans each character once for every 64 characters of pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace toolpost::db {

// A compiled pattern. Immutable and thread-safe.
class LikePattern {
 public:
  static constexpr std::size_t kMaxBytes = 1000;

  // `%` any run, `_` any character, letters of ASCII in either case. `escape` makes the next
  // character plain; 0: there is none.
  static LikePattern Like(std::string_view pattern, char32_t escape = 0);
  // `*` any run, `?` any character, `[a-z]` and `[^a-z]` one of a set; case matters.
  static LikePattern Glob(std::string_view pattern);

  // Bytes that are not UTF-8 match only themselves.
  bool Matches(std::string_view text) const;

 private:
  struct Atom {
    enum class Kind { kPlain, kAny, kSet } kind = Kind::kPlain;
    char32_t plain = 0;
    bool negated = false;
    std::vector<std::pair<char32_t, char32_t>> ranges{};
  };
  using Segment = std::vector<Atom>;  // between two runs

  class BitSearch;

  bool AtomMatches(const Atom& atom, char32_t c) const;
  bool MatchesAt(const Segment& segment, const char32_t* at) const;
  // The end of the first match in [begin, end); null: none. Not for an empty segment.
  const char32_t* Find(const Segment& segment, const char32_t* begin, const char32_t* end) const;

  std::vector<Segment> segments_{{}};  // n runs separate n + 1 segments
  bool ignore_case_ = false;
  bool never_ = false;  // not a pattern at all: matches nothing
};

// The next code point of `text` from `at` on, which is moved behind it. A byte that is not part of
// UTF-8 is returned as 0x110000 plus its value.
char32_t NextCodePoint(std::string_view text, std::size_t& at);

}  // namespace toolpost::db
