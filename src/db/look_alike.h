// Names a server may take for the same although they are spelled differently.
//
// Collations decide when two names are one. Beside case they may ignore width (U+FF38 is x),
// accents, characters they give no weight, and trailing spaces. So a name of other than ASCII
// characters is compared as if those that may stand for Latin letters or for nothing were
// wildcards: too careful rather than not careful enough.
#pragma once

#include <string_view>

namespace toolpost::db {

// Whether a server may take `name` (valid UTF-8) for `word`: lower-case ASCII, at most 60
// characters.
bool MayEqual(std::string_view name, std::string_view word);
// Whether it may take a beginning of `name` for `prefix`.
bool MayBeginWith(std::string_view name, std::string_view prefix);
bool IsAscii(std::string_view text);
// Whether the character is a letter that may stand in a name without quotes: of the alphabets,
// syllabaries and ideographs in wide use.
bool IsLetter(char32_t c);

}  // namespace toolpost::db
