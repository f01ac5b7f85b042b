// Text for comparison whatever its case.
#pragma once

#include <string>
#include <string_view>

namespace toolpost::store {

// Lower case by Unicode's simple rules (one character for one); what is not UTF-8 stays as it is.
std::string FoldCase(std::string_view text);

}  // namespace toolpost::store
