// Connection strings as lists of settings: `Keyword=value;Keyword=value`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::db {

struct ConnectionSetting {
  std::string_view keyword;  // as it was written, without the spaces around it; of the text
  std::string value;         // without its quotes
};

// Reads ADO.NET and ODBC spelling alike. A value that begins with ', " or { is quoted: up to the
// next ', " or }, which is doubled when it belongs to the value. Every other value ends at the next
// semicolon and loses the spaces around it. Empty settings (`;;`) are skipped.
//
// The two do not agree on what quotes: {…} is plain text to ADO.NET, and so are '…' and "…" to
// ODBC. Here a value that begins with one of them has to be put in another. A value that begins
// with an equals sign, which they read differently too, is refused, and so are: more than 4000
// bytes, text that is not UTF-8, control characters (line breaks around the text are not part of
// it), a quote without an end or with something behind it, a setting without an equals sign.
// Code::kInvalidArgument says which setting by its position: even a keyword may be part of a
// password that was not quoted.
Result<std::vector<ConnectionSetting>> SplitConnectionString(std::string_view text);

}  // namespace toolpost::db
