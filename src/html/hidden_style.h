// Whether an inline style hides its element.
#pragma once

#include <string_view>

namespace toolpost::html {

// display:none, visibility:hidden, no opacity, no size, or far outside of the page. Linear.
bool HidesElement(std::string_view style);

}  // namespace toolpost::html
