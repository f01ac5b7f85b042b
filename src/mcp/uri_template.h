// URI templates of resources, read backwards: which variables does a URI fill?
//
// The subset of RFC 6570 levels 1 and 2 that can be matched: `{var}` stands for one or more
// characters other than '/', `{+var}` for one or more characters of any kind. Everything else in
// the template is literal; the match covers the whole URI.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

// Immutable; Match may run on any number of threads at once.
class UriTemplate {
 public:
  static constexpr std::size_t kMaxUri = std::size_t{8} * 1024;
  static constexpr std::size_t kMaxTemplate = std::size_t{2} * 1024;
  static constexpr std::size_t kMaxVariables = 32;

  // Code::kInvalidArgument, saying what is wrong, for: unbalanced braces, other operators and
  // modifiers (`{?q}`, `{a,b}`, `{a*}`,
  // `{a:3}`), a bad or repeated variable name, two variables without a literal between them (no
  // telling where one ends), no variable at all, and templates over kMaxTemplate or kMaxVariables.
  static Result<UriTemplate> Parse(std::string_view text);

  // The percent-decoded values by variable name, or empty if the URI does not match. Where several
  // splits are possible the earlier variable is the longer one. A value with a broken escape, an
  // encoded NUL or invalid UTF-8 is no match. A decoded `{var}` may contain '/' (sent as %2F):
  // readers that build paths must check. Time is proportional to the length of the URI times that
  // of the template, whatever they contain; URIs over kMaxUri never match.
  std::optional<UriVariables> Match(std::string_view uri) const;

  // In order of appearance.
  const std::vector<std::string>& variables() const { return variables_; }

 private:
  struct Part {
    bool variable = false;
    bool reserved = false;  // `{+var}`
    std::string text;       // the literal, or the name
  };

  UriTemplate() = default;
  Result<void> AddVariable(std::string_view expression);
  void AddLiteral(std::string_view text);

  std::vector<Part> parts_;  // never two of the same kind in a row
  std::vector<std::string> variables_;
};

}  // namespace toolpost::mcp
