// Finds matching lines in one file, block by block.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/regex.h"
#include "toolpost/result.h"

namespace toolpost::tools::file {

// A text or a regular expression (RE2, linear time) to look for. Immutable.
class LineMatcher {
 public:
  static Result<LineMatcher> Make(std::string pattern, bool regex, bool ignore_case);

  bool Matches(std::string_view line) const;
  // Plain text can be looked for in many lines at once: false means that none of them matches.
  bool MayMatch(std::string_view lines) const;

 private:
  explicit LineMatcher(std::string literal) : literal_(std::move(literal)) {}

  std::string literal_;  // when there is no regex
  std::optional<base::Regex> regex_;
};

// Calls `found` with number and text of each matching line, until it returns false. Lines longer
// than a block (256 KiB) are matched by their parts. Returns false for files that are no text (a
// NUL in the first block), of which nothing is searched. Errors of reading end the file.
bool SearchLines(int fd, const LineMatcher& matcher, const std::stop_token& stop,
                 const std::function<bool(std::int64_t line, std::string text)>& found);

}  // namespace toolpost::tools::file
