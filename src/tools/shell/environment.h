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

struct Surroundings {
  bool private_home = false;  // there is a folder of its own to write to
  bool proxy = false;         // and the proxy of sandbox/box_network.h
};
// NAME=value, sorted by name.
std::vector<std::string> MakeEnvironment(const Variables& variables, Surroundings surroundings);

}  // namespace toolpost::tools::shell
