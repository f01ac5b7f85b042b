// What programs write, as text that JSON can carry.
#pragma once

#include <string>

namespace toolpost::tools::shell {

// Bytes that are no UTF-8 become U+FFFD, one for each.
std::string OutputText(std::string bytes);

}  // namespace toolpost::tools::shell
