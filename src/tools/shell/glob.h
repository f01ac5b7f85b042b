// Matches one file name against one component of a pattern with `*`, `?` and `[…]`.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace toolpost::tools::shell {

// All states of the pattern advance together, one machine word operation per 64 of them, so a match
// takes time proportional to the name whatever the pattern. Immutable after construction.
class Glob {
 public:
  static constexpr std::size_t kMaxPattern = 255;  // bytes, as of a file name

  // `wildcards` are the offsets in `pattern` where `*`, `?` and `[` have their meaning; everywhere
  // else they are letters. `pattern` must not be longer than kMaxPattern. `?` and `[!…]` stand for
  // one UTF-8 character; a `[` that is never closed is a letter.
  Glob(std::string_view pattern, std::span<const std::uint32_t> wildcards);

  // A leading dot must be written in the pattern. `steps`, when given, counts the bytes looked at.
  bool Matches(std::string_view name, std::size_t* steps = nullptr) const;

 private:
  // A token and, after one for a whole character, a token for the rest of its bytes.
  static constexpr std::size_t kMaxStates = 2 * kMaxPattern + 2;
  using States = std::bitset<kMaxStates>;

  void AddCharacter(bool whole, auto&& accepts);
  void AddLoop(auto&& accepts);
  std::size_t AddBracket(std::string_view pattern, std::size_t at);

  std::size_t count_ = 0;
  std::vector<States> accepts_ = std::vector<States>(256);  // by byte: states that it moves on
  std::vector<States> loops_ = std::vector<States>(256);    // by byte: states that it leaves
  States optional_;                                         // states that may be skipped
  bool dot_ = false;
};

}  // namespace toolpost::tools::shell
