// Percent-encoding of URLs. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolpost::base {

// Nothing if an escape is broken or the result is not UTF-8.
std::optional<std::string> PercentDecode(std::string_view text);
// Broken escapes stay as they are.
std::string PercentDecodeLoosely(std::string_view text);
// A name or value of a query (application/x-www-form-urlencoded): loosely, and `+` is a
// space.
std::string FormDecode(std::string_view text);
// The value of the first parameter of that name in a query; nothing if there is none.
std::optional<std::string> QueryParameter(std::string_view query, std::string_view name);

}  // namespace toolpost::base
