// A command line as data: words and pipes, and nothing else a shell would do.
//
// Quotes and backslashes work as people expect them from a POSIX shell. Everything with which a
// shell would do something besides starting programs (chaining, background, redirection, expansion
// of variables, command substitution, comments) is refused when it is not quoted; quoted it is
// text. `2>&1` is accepted and ignored, because both streams are captured anyway. Wildcards are
// marked here and expanded elsewhere (expand_globs.h).
//
// One pass, linear in the text. Pure function, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::tools::shell {

inline constexpr std::size_t kMaxCommandBytes = 131'072;
inline constexpr std::size_t kMaxArguments = 4096;  // of one program
inline constexpr std::size_t kMaxStages = 8;

struct Word {
  std::string text;
  std::size_t position = 0;              // of its first character in the command, from 1
  std::vector<std::uint32_t> wildcards;  // where in `text` an unquoted * ? or [ stands
};

// One program of a pipeline and its arguments; never without words.
struct ParsedStage {
  std::vector<Word> words;
};

// Code::kInvalidArgument when the text is no command (unclosed quotes, control characters, limits)
// and Code::kPermissionDenied when it asks for what is blocked; the message names the rule, the
// characters and their position, and what to do instead. `steps`, when given, counts the characters
// looked at.
Result<std::vector<ParsedStage>> ParseCommand(std::string_view command,
                                              std::size_t* steps = nullptr);

}  // namespace toolpost::tools::shell
