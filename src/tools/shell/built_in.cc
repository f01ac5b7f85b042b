// echo and pwd.
#include "tools/shell/built_in.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::tools::shell {
namespace {

// The value of up to `most` digits at `at`, which moves past them.
int Digits(std::string_view text, std::size_t& at, std::size_t most, int radix) {
  int value = 0;
  for (; most > 0 && at < text.size(); --most, ++at) {
    const char c = base::ToLower(text[at]);
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
    if (digit >= radix) break;
    value = value * radix + digit;
  }
  return value;
}

// False when a \c ends all output.
bool Unescape(std::string_view text, std::string& out) {
  constexpr std::string_view kLetters = "abefnrtv\\";
  constexpr std::string_view kMeanings = "\a\b\x1b\f\n\r\t\v\\";
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at++];
    if (c != '\\' || at == text.size()) {
      out.push_back(c);
      continue;
    }
    const char letter = text[at++];
    const std::size_t known = kLetters.find(letter);
    if (letter == 'c') return false;
    if (known != kLetters.npos) {
      out.push_back(kMeanings[known]);
    } else if (letter == '0') {
      out.push_back(static_cast<char>(Digits(text, at, 3, 8)));
    } else if (letter == 'x') {
      out.push_back(static_cast<char>(Digits(text, at, 2, 16)));
    } else {
      out.append({'\\', letter});
    }
  }
  return true;
}

bool IsEchoOption(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' &&
         argument.find_first_not_of("neE", 1) == argument.npos;
}

}  // namespace

std::string BuiltInOutput(const std::vector<std::string>& arguments, std::string_view directory) {
  if (arguments.front() == "pwd") return base::StrCat(directory, "\n");
  bool newline = true;
  bool escapes = false;
  std::size_t at = 1;
  for (; at < arguments.size() && IsEchoOption(arguments[at]); ++at) {
    for (const char c : arguments[at].substr(1)) {
      if (c == 'n') newline = false;
      if (c != 'n') escapes = c == 'e';
    }
  }
  std::string out;
  for (std::size_t first = at; at < arguments.size(); ++at) {
    if (at > first) out.push_back(' ');
    if (!escapes) {
      out.append(arguments[at]);
    } else if (!Unescape(arguments[at], out)) {
      return out;
    }
  }
  if (newline) out.push_back('\n');
  return out;
}

}  // namespace toolpost::tools::shell
