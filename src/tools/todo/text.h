// Rules about text that no schema states.
#pragma once

#include <string_view>

namespace toolpost::tools::todo {

// Without white space at both ends, Unicode's included.
std::string_view Trimmed(std::string_view text);
// YYYY-MM-DD, of a day that exists.
bool IsCalendarDate(std::string_view text);

}  // namespace toolpost::tools::todo
