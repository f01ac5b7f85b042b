// Patterns for file names: `*`, `?`, `[abc]`, `[!a-z]`, `{a,b}`, and `**` for any depth.
#pragma once

#include <string_view>

#include "base/regex.h"
#include "toolpost/result.h"

namespace toolpost::tools::file {

// A pattern without `/` is matched against the last component of a path, any other against the
// whole relative path. Matching takes time linear in the path. Immutable, thread-safe.
class Glob {
 public:
  static constexpr std::size_t kMaxLength = 1000;

  // kInvalidArgument for a pattern that is too long or has an unclosed `[` or `{`.
  static Result<Glob> Compile(std::string_view pattern);
  // `relative` is text (EncodePath), without a slash at its ends.
  bool Matches(std::string_view relative) const;

 private:
  Glob(base::Regex regex, bool whole) : regex_(std::move(regex)), whole_(whole) {}

  base::Regex regex_;
  bool whole_;  // against the whole path
};

}  // namespace toolpost::tools::file
