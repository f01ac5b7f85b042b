// What git may be asked to do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::tools::shell {

// `arguments` begin with "git". Only listed sub-commands; those that reach other repositories only
// with `network`. Options that start programs, read or write files outside the repository or
// replace its configuration are refused. As CheckCommand in policy.h.
Result<void> CheckGit(const std::vector<std::string>& arguments, bool network, std::size_t* steps);

// Whether the sub-command is one that needs `network`.
bool ReachesOthers(const std::vector<std::string>& arguments);

// Adds --no-ext-diff and --no-textconv where git takes them.
void AddGitOptions(std::vector<std::string>& arguments);

}  // namespace toolpost::tools::shell
