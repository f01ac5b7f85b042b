// Replaces words with wildcards by the names they match in the working directory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sandbox/roots.h"
#include "tools/shell/parse_command.h"

namespace toolpost::tools::shell {

inline constexpr std::size_t kMaxScanned = 100'000;  // folder entries looked at for one command

// Where the wildcards are looked up: an open folder and where it lies in its root.
struct GlobFolder {
  int directory = -1;
  const sandbox::Root* root = nullptr;
  std::string relative;
};

// The arguments of a program, itself first. Words without wildcards, and those that match nothing,
// are taken as they are. Folders are read through descriptors below `folder`, links to folders are
// not entered, hidden places do not match, names come sorted, and one that begins with `-` is given
// a `./`, so that no file name becomes an option. Code::kInvalidArgument for a pattern that leads
// out of the working directory and above the limits on arguments, their bytes and `scanned`, which
// counts over the stages of a command.
Result<std::vector<std::string>> ExpandGlobs(const ParsedStage& stage, const GlobFolder& folder,
                                             std::size_t& scanned);

}  // namespace toolpost::tools::shell
