// The environment a command gets: made from nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::tools::shell {

using Variables = std::map<std::string, std::string>;

// Whether the caller may set these: LANG, LC_*, TZ, NO_COLOR, FORCE_COLOR, CI, TERM, COLUMNS,
// NODE_ENV and `extra`, which the operator lists. Names with which programs are made to run or load
// something else (PATH, LD_*, GIT_*, NODE_OPTIONS …) are refused even there.
// Code::kPermissionDenied names the variable; Code::kInvalidArgument: not a name, a NUL, or too
// much.
Result<void> CheckVariables(const Variables& variables, const std::vector<std::string>& extra);

// NAME=value, sorted by name. `private_home` false: there is no folder of its own to write to.
std::vector<std::string> MakeEnvironment(const Variables& variables, bool private_home);

}  // namespace toolpost::tools::shell
