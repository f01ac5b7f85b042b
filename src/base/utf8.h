// Characters as UTF-8.
#pragma once

#include <string>

namespace toolpost::base {

// What is no character (a surrogate, or above U+10FFFF) becomes U+FFFD.
void AppendUtf8(std::string& out, char32_t code);

}  // namespace toolpost::base
