// `${VAR}` in the strings of a configuration file.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::config {

struct Expanded {
  std::string text;
  bool changed = false;  // at least one variable was put in
};

// `${VAR}` becomes the value of the variable, `${VAR:-text}` the text when it is not set or empty,
// `$${` a plain `${`. What was put in is not expanded again. Code::kInvalidArgument for a variable
// that is not set (without a default), a bad name and a missing '}'.
Result<Expanded> Expand(std::string_view text,
                        const std::map<std::string, std::string, std::less<>>& environment);

}  // namespace toolpost::config
