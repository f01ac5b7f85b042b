// Segments between runs are found leftmost first: naively while that is cheap, else all positions
// of a segment at once in the bits of words (Shift-And).
#include "db/like_match.h"

#include <algorithm>
#include <unordered_map>

#include "base/strings.h"

namespace toolpost::db {
namespace {

constexpr std::size_t kNaivePerCharacter = 8;
constexpr std::size_t kNaiveAtLeast = 256;
constexpr char32_t kNotUtf8 = 0x110000;

char32_t Folded(char32_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

const std::vector<char32_t>& Decode(std::string_view text) {
  static thread_local std::vector<char32_t> decoded;
  decoded.clear();
  for (std::size_t at = 0; at < text.size();) decoded.push_back(NextCodePoint(text, at));
  return decoded;
}

}  // namespace

char32_t NextCodePoint(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::size_t length =
      byte(0) < 0x80 ? 1 : base::Utf8SequenceLength(text.data() + at, text.data() + text.size());
  char32_t c = byte(0);
  if (length == 0) {
    c += kNotUtf8;
  } else if (length > 1) {
    c &= 0x7Fu >> length;
    for (std::size_t i = 1; i < length; ++i) c = (c << 6) | (byte(i) & 0x3F);
  }
  at += std::max<std::size_t>(length, 1);
  return c;
}

// Which positions of a segment a prefix of the text ends at, one bit each.
class LikePattern::BitSearch {
 public:
  BitSearch(const LikePattern& pattern, const Segment& segment)
      : pattern_(pattern), segment_(segment), words_((segment.size() + 63) / 64), state_(words_) {}

  // True when the segment ends with `c`.
  bool Step(char32_t c) {
    const std::vector<std::uint64_t>& mask = MaskOf(c);
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < words_; ++i) {
      const std::uint64_t next = state_[i] >> 63;
      state_[i] = ((state_[i] << 1) | carry) & mask[i];
      carry = next;
    }
    const std::size_t last = segment_.size() - 1;
    return ((state_[last / 64] >> (last % 64)) & 1) != 0;
  }

 private:
  const std::vector<std::uint64_t>& MaskOf(char32_t c) {
    std::vector<std::uint64_t>& mask = masks_[c];
    if (!mask.empty()) return mask;
    mask.resize(words_);
    for (std::size_t i = 0; i < segment_.size(); ++i) {
      if (pattern_.AtomMatches(segment_[i], c)) mask[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return mask;
  }

  const LikePattern& pattern_;
  const Segment& segment_;
  const std::size_t words_;
  std::vector<std::uint64_t> state_;
  std::unordered_map<char32_t, std::vector<std::uint64_t>> masks_;
};

LikePattern LikePattern::Like(std::string_view pattern, char32_t escape) {
  LikePattern made;
  made.ignore_case_ = true;
  for (std::size_t at = 0; at < pattern.size();) {
    char32_t c = NextCodePoint(pattern, at);
    if (escape != 0 && c == escape) {
      if (at == pattern.size()) {
        made.never_ = true;
        return made;
      }
      c = NextCodePoint(pattern, at);
      made.segments_.back().push_back({.plain = Folded(c)});
    } else if (c == '%') {
      made.segments_.emplace_back();
    } else if (c == '_') {
      made.segments_.back().push_back({.kind = Atom::Kind::kAny});
    } else {
      made.segments_.back().push_back({.plain = Folded(c)});
    }
  }
  return made;
}

LikePattern LikePattern::Glob(std::string_view pattern) {
  LikePattern made;
  std::size_t at = 0;
  const auto peek = [&]() -> char32_t {
    std::size_t ahead = at;
    return at < pattern.size() ? NextCodePoint(pattern, ahead) : 0;
  };
  while (at < pattern.size()) {
    const char32_t c = NextCodePoint(pattern, at);
    if (c == '*') {
      made.segments_.emplace_back();
      continue;
    }
    Atom atom{.plain = c};
    if (c == '?') atom.kind = Atom::Kind::kAny;
    if (c == '[') {
      atom.kind = Atom::Kind::kSet;
      if (peek() == '^') {
        atom.negated = true;
        (void)NextCodePoint(pattern, at);
      }
      bool first = true;
      for (; at < pattern.size() && (first || peek() != ']'); first = false) {
        const char32_t low = NextCodePoint(pattern, at);
        char32_t high = low;
        if (peek() == '-' && at + 1 < pattern.size() && pattern[at + 1] != ']') {
          ++at;
          high = NextCodePoint(pattern, at);
        }
        atom.ranges.emplace_back(low, high);
      }
      if (at == pattern.size()) {
        made.never_ = true;  // the set is not closed
        return made;
      }
      ++at;
    }
    made.segments_.back().push_back(std::move(atom));
  }
  return made;
}

bool LikePattern::AtomMatches(const Atom& atom, char32_t c) const {
  switch (atom.kind) {
    case Atom::Kind::kAny:
      return true;
    case Atom::Kind::kPlain:
      return atom.plain == (ignore_case_ ? Folded(c) : c);
    case Atom::Kind::kSet:
      break;
  }
  const bool inside = std::any_of(atom.ranges.begin(), atom.ranges.end(), [&](const auto& range) {
    return c >= range.first && c <= range.second;
  });
  return inside != atom.negated;
}

bool LikePattern::MatchesAt(const Segment& segment, const char32_t* at) const {
  for (const Atom& atom : segment) {
    if (!AtomMatches(atom, *at++)) return false;
  }
  return true;
}

const char32_t* LikePattern::Find(const Segment& segment, const char32_t* begin,
                                  const char32_t* end) const {
  const auto length = static_cast<std::ptrdiff_t>(segment.size());
  std::size_t allowed = kNaiveAtLeast + kNaivePerCharacter * static_cast<std::size_t>(end - begin);
  for (; end - begin >= length; ++begin) {
    std::size_t equal = 0;
    while (equal < segment.size() && AtomMatches(segment[equal], begin[equal])) ++equal;
    if (equal == segment.size()) return begin + length;
    if (equal + 1 >= allowed) break;
    allowed -= equal + 1;
  }
  if (end - begin < length) return nullptr;
  BitSearch search(*this, segment);
  for (; begin < end; ++begin) {
    if (search.Step(*begin)) return begin + 1;
  }
  return nullptr;
}

bool LikePattern::Matches(std::string_view text) const {
  if (never_) return false;
  const std::vector<char32_t>& decoded = Decode(text);
  const char32_t* begin = decoded.data();
  const char32_t* end = begin + decoded.size();
  const Segment& first = segments_.front();
  const Segment& last = segments_.back();
  const auto room = static_cast<std::size_t>(end - begin);
  if (segments_.size() == 1) return room == first.size() && MatchesAt(first, begin);
  if (room < first.size() + last.size() || !MatchesAt(first, begin)) return false;
  if (!MatchesAt(last, end - last.size())) return false;
  begin += first.size();
  end -= last.size();
  for (std::size_t i = 1; i + 1 < segments_.size(); ++i) {
    if (segments_[i].empty()) continue;
    begin = Find(segments_[i], begin, end);
    if (begin == nullptr) return false;
  }
  return true;
}

}  // namespace toolpost::db
