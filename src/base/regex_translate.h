// The spelling of ECMA-262 regular expressions (unicode mode) turned into the spelling of RE2.
#pragma once

#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::base {

// A set of characters as the inside of an RE2 class; `negated` stands for its complement.
struct CharacterSet {
  std::string items;
  bool negated = false;
};

// Translates a whole pattern. Code::kInvalidArgument with reason and byte offset for what RE2
// cannot do (lookaround, backreferences), for unknown escapes and properties, and for text that is
// not UTF-8. Syntax that both sides share (groups, alternatives, repetition) passes through and is
// judged by RE2.
//
// More lenient than unicode mode in one point, because schemas in the wild need it: any escaped
// ASCII punctuation
// (`\-`, `\"`) and unpaired `]`, `{`, `}` stand for themselves.
Result<std::string> TranslateRegex(std::string_view pattern);

// The set of `\p{expression}`: general categories by short and long name, bare or as
// `General_Category=` / `gc=`, scripts as `Script=` / `sc=`, and the binary properties Any, ASCII,
// ASCII_Hex_Digit and White_Space.
Result<CharacterSet> UnicodeProperty(std::string_view expression);

// White space as ECMA-262 defines `\s`, as class items, and everything else.
std::string_view EcmaSpaces();
std::string_view EcmaNonSpaces();

}  // namespace toolpost::base
