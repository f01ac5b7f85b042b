// Writing values.
#include "tools/cells.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::tools {
namespace {

constexpr std::int64_t kLargestSafe = std::int64_t{1} << 53;

std::string Cut(std::string_view shown, std::size_t bytes) {
  return base::StrCat(shown, "… (", bytes, " bytes)");
}

// Whether whoever reads it as a double gets the number back.
bool IsSafeNumber(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && whole.ptr == end)
    return integer <= kLargestSafe && integer >= -kLargestSafe;
  double real = 0;
  const auto read = std::from_chars(text.data(), end, real);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(real)) return false;
  std::string again;
  base::AppendJsonDouble(again, real);
  return again == text;
}

// Valid JSON without the white space between its tokens: a reply has no line breaks.
void AppendCompact(std::string& out, std::string_view json) {
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') {
      out.append(json.substr(i++, 2));
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string || !(c == ' ' || c == '\n' || c == '\r' || c == '\t')) out.push_back(c);
  }
}

bool NeedsQuotes(std::string_view text) {
  return text.empty() || text.find_first_of(",\"\r\n") != std::string_view::npos ||
         text.front() == ' ' || text.back() == ' ';
}

void AppendCsvField(std::string& out, std::string_view text) {
  if (!NeedsQuotes(text)) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

}  // namespace

std::string_view PrefixOf(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

void AppendJson(std::string& out, const db::Cell& cell, const CellRules& rules, bool& cut) {
  const bool large = rules.max_bytes != 0 && cell.size() > rules.max_bytes;
  switch (cell.kind) {
    case db::CellKind::kNull:
      out.append("null");
      return;
    case db::CellKind::kBoolean:
      out.append(cell.text);
      return;
    case db::CellKind::kNumber:
      if (large) break;
      if (rules.number_as_text || !IsSafeNumber(cell.text)) {
        out.append("\"").append(cell.text).push_back('"');
      } else {
        out.append(cell.text);
      }
      return;
    case db::CellKind::kJson:
      if (large || !base::ParseJson(cell.text)) break;
      return AppendCompact(out, cell.text);
    case db::CellKind::kText:
      if (large) break;
      return base::AppendJsonString(out, cell.text);
    case db::CellKind::kBytes:
      break;
  }
  base::AppendJsonString(out, ToText(cell, rules.max_bytes, cut));
}

std::string ToText(const db::Cell& cell, std::size_t max_bytes, bool& cut) {
  const bool large = max_bytes != 0 && cell.size() > max_bytes;
  cut = cut || large;
  if (cell.kind == db::CellKind::kBytes) {
    if (!large) return base::ToBase64(cell.text);
    return Cut(base::ToBase64(cell.text.substr(0, max_bytes / 4 * 3)), cell.size());
  }
  if (!large) return std::string(cell.text);
  return Cut(PrefixOf(cell.text, max_bytes), cell.size());
}

void AppendCsvLine(std::string& out, std::span<const db::Cell> row) {
  bool first = true;
  for (const db::Cell& cell : row) {
    if (!first) out.push_back(',');
    first = false;
    if (cell.kind == db::CellKind::kNull) continue;
    if (cell.kind == db::CellKind::kBytes) {
      AppendCsvField(out, base::ToBase64(cell.text));
    } else {
      AppendCsvField(out, cell.text);
    }
  }
  out.append("\r\n");
}

void AppendCsvHeader(std::string& out, std::span<const db::ResultColumn> columns) {
  bool first = true;
  for (const db::ResultColumn& column : columns) {
    if (!first) out.push_back(',');
    first = false;
    AppendCsvField(out, column.name);
  }
  out.append("\r\n");
}

void AppendMarkdownRow(std::string& out, std::span<const std::string> cells) {
  for (const std::string& cell : cells) {
    out.append("| ");
    for (const char c : cell) {
      if (c == '|' || c == '\\') out.push_back('\\');
      if (c == '\n') {
        out.append("<br>");
      } else if (c != '\r') {
        out.push_back(c);
      }
    }
    out.push_back(' ');
  }
  out.append("|\n");
}

}  // namespace toolpost::tools
