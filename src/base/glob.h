// Patterns for the names of files: `*`, `?`, `[abc]`, `[!a-z]`; for paths also `{a,b}` and `**`.
//
// All ways a pattern can match are followed at once, character by character, so a match takes time
// proportional to the text times the pattern, whatever either holds. `?` and `[…]` stand for one
// UTF-8 character; a byte that is none counts as a character of its own. Immutable, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::base {

class Glob {
 public:
  static constexpr std::size_t kMaxLength = 1000;  // bytes of a pattern

  // A pattern for relative paths. Without `/` it is matched against the last component, otherwise
  // against the whole path, where `**` stands for any depth. `\` takes the meaning of the character
  // after it away. Code::kInvalidArgument: too long, an unclosed `[` or `{`, a range backwards.
  static Result<Glob> ForPaths(std::string_view pattern);
  // A pattern for one name, at most kMaxLength bytes. `wildcards` are the offsets where `*`, `?`
  // and `[` have their meaning, in order; everywhere else they are letters, and so is a `[` that is
  // never closed. A leading dot must be written in the pattern.
  static Glob ForNames(std::string_view pattern, std::span<const std::uint32_t> wildcards);

  // `steps`, when given, counts the instructions taken.
  bool Matches(std::string_view text, std::size_t* steps = nullptr) const;

 private:
  friend class GlobCompiler;

  enum class Kind : std::uint8_t {
    kCharacter,  // that one
    kClass,      // one of a class
    kAnyInName,  // any but a slash
    kAny,        // any at all
    kFork,       // go on here and there
    kMatch,      // the end
  };
  struct Step {
    Kind kind = Kind::kMatch;
    std::uint32_t value = 0;  // the character, or the number of the class
    std::uint32_t next = 0;
    std::uint32_t other = 0;  // of a fork
  };
  struct Class {
    bool negated = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  };

  bool Accepts(const Step& step, std::uint32_t character) const;

  std::vector<Step> steps_;
  std::vector<Class> classes_;
  bool last_component_ = false;
  bool written_dot_ = false;  // a leading dot must be matched by one in the pattern
  bool has_dot_ = false;
};

}  // namespace toolpost::base
