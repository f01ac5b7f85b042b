// The matcher: a bit-parallel automaton.
#include "tools/shell/glob.h"

#include <algorithm>

namespace toolpost::tools::shell {
namespace {

bool IsContinuation(unsigned byte) { return (byte & 0xc0) == 0x80; }

}  // namespace

// One token that consumes a byte; `whole`: and then the continuation bytes of its character.
void Glob::AddCharacter(bool whole, auto&& accepts) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (accepts(byte)) accepts_[byte].set(count_);
  }
  ++count_;
  if (whole) AddLoop(IsContinuation);
}

void Glob::AddLoop(auto&& accepts) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (accepts(byte)) loops_[byte].set(count_);
  }
  optional_.set(count_++);
}

Glob::Glob(std::string_view pattern, std::span<const std::uint32_t> wildcards) {
  dot_ = pattern.starts_with('.');
  for (std::size_t at = 0; at < pattern.size();) {
    const auto byte = static_cast<unsigned char>(pattern[at]);
    const bool active = std::ranges::binary_search(wildcards, static_cast<std::uint32_t>(at));
    const std::size_t bracket = active && byte == '[' ? AddBracket(pattern, at) : 0;
    if (bracket != 0) {
      at = bracket;
      continue;
    }
    ++at;
    if (active && byte == '?') {
      AddCharacter(true, [](unsigned other) { return !IsContinuation(other); });
    } else if (active && byte == '*') {
      // Two skippable states in a row would need two steps to skip: the * covers the one before.
      if (count_ > 0 && optional_.test(count_ - 1)) {
        for (States& loops : loops_) loops.set(count_ - 1);
      } else {
        AddLoop([](unsigned) { return true; });
      }
    } else {
      AddCharacter(false, [&](unsigned other) { return other == byte; });
    }
  }
}

// Where the pattern goes on after the bracket, or 0 if it is not closed.
std::size_t Glob::AddBracket(std::string_view pattern, std::size_t at) {
  std::size_t next = at + 1;
  const bool negated = next < pattern.size() && (pattern[next] == '!' || pattern[next] == '^');
  if (negated) ++next;
  std::bitset<256> members;
  for (bool first = true; next < pattern.size() && (first || pattern[next] != ']'); first = false) {
    const auto low = static_cast<unsigned char>(pattern[next]);
    unsigned high = low;
    if (next + 2 < pattern.size() && pattern[next + 1] == '-' && pattern[next + 2] != ']') {
      high = static_cast<unsigned char>(pattern[next + 2]);
      next += 2;
    }
    for (unsigned byte = low; byte <= high; ++byte) members.set(byte);
    ++next;
  }
  if (next >= pattern.size()) return 0;
  if (negated) {
    AddCharacter(true, [&](unsigned byte) { return !members[byte] && !IsContinuation(byte); });
  } else {
    AddCharacter(false, [&](unsigned byte) { return members[byte]; });
  }
  return next + 1;
}

bool Glob::Matches(std::string_view name, std::size_t* steps) const {
  if (name.starts_with('.') && !dot_) return false;
  States current;
  current.set(0);
  current |= (current & optional_) << 1;
  for (const char c : name) {
    if (steps != nullptr) ++*steps;
    const auto byte = static_cast<unsigned char>(c);
    current = ((current & accepts_[byte]) << 1) | (current & loops_[byte]);
    current |= (current & optional_) << 1;
    if (current.none()) return false;
  }
  return current.test(count_);
}

}  // namespace toolpost::tools::shell
