// Regular expressions of untrusted origin, in linear time (RE2), spelled as JSON Schema (ECMA-262,
// unicode mode) spells them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::base {

enum class Case { kMatters, kIgnored };

class Regex {
 public:
  // Long Unicode property names (`\p{Letter}`, `\p{Script=Greek}`) and ECMA escapes (`\d`, `\cA`,
  // `\u{1F600}`, `\/`) are mapped; lookaround and backreferences are refused with
  // Code::kInvalidArgument and the reason.
  static Result<Regex> Compile(std::string_view pattern, Case letters = Case::kMatters);
  // Finds `text` itself.
  static Result<Regex> Literal(std::string_view text, Case letters);
  // True if the pattern matches anywhere in `text`.
  bool Search(std::string_view text) const;

 private:
  struct Compiled;
  explicit Regex(std::shared_ptr<const Compiled> compiled);
  static Result<Regex> Build(const std::string& pattern, Case letters, bool literal);
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace toolpost::base
