// Characters that change nothing a person sees and may carry anything a model reads.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolpost::html {

// `character` is one code point in UTF-8. Controls (white space among them), bidirectional
// overrides, zero-width spaces, tag characters, supplementary variation selectors. Joiners and the
// variation selectors of emoji are not: scripts need them.
bool IsInvisible(std::string_view character);

// How many of them, white space excepted, are in a text (UTF-8).
std::size_t CountInvisible(std::string_view text);

}  // namespace toolpost::html
