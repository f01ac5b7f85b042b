// Regular expressions of untrusted origin, in linear time (RE2), spelled as JSON Schema (ECMA-262,
// unicode mode) spells them.
#pragma once

#include <memory>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::base {

class Regex {
 public:
  // Long Unicode property names (`\p{Letter}`, `\p{Script=Greek}`) and ECMA escapes (`\d`, `\cA`,
  // `\u{1F600}`, `\/`) are mapped; lookaround and backreferences are refused with
  // Code::kInvalidArgument and the reason.
  static Result<Regex> Compile(std::string_view pattern);
  // True if the pattern matches anywhere in `text`.
  bool Search(std::string_view text) const;

 private:
  struct Compiled;
  explicit Regex(std::shared_ptr<const Compiled> compiled);
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace toolpost::base
