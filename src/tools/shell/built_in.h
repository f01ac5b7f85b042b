// The commands that need no process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolpost::tools::shell {

// What `echo` or `pwd` writes. `arguments` begin with the program. echo takes -n, -e and -E as bash
// does; pwd ignores its arguments.
std::string BuiltInOutput(const std::vector<std::string>& arguments, std::string_view directory);

}  // namespace toolpost::tools::shell
