// Values of a database as JSON, CSV and Markdown.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "db/database.h"

namespace toolpost::tools {

// How the values of a column are written.
struct CellRules {
  std::size_t max_bytes = 0;    // longer values are cut; 0: never
  bool number_as_text = false;  // exact decimals, which a JSON reader would round
};

// The longest prefix of at most `bytes` bytes that ends between characters.
std::string_view PrefixOf(std::string_view text, std::size_t bytes);

// Whole numbers beyond 2^53 and decimals that a double would change become strings; bytes become
// base64; JSON stays as it is, every digit of it. `cut` is set when something was left out: the
// value then ends in "… (N bytes)". Of a cell with missing bytes there are more than `max_bytes`.
void AppendJson(std::string& out, const db::Cell& cell, const CellRules& rules, bool& cut);
// The same as plain text, without regard to numbers; null is empty.
std::string ToText(const db::Cell& cell, std::size_t max_bytes, bool& cut);

// RFC 4180, lines end in CRLF. An empty text is quoted, so that it differs from null.
void AppendCsvLine(std::string& out, std::span<const db::Cell> row);
void AppendCsvHeader(std::string& out, std::span<const db::ResultColumn> columns);
// One row of a table; `|` and line breaks are escaped.
void AppendMarkdownRow(std::string& out, std::span<const std::string> cells);

}  // namespace toolpost::tools
