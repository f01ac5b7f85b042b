// Writing values.
#include "tools/cells.h"

#include <charconv>
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

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The digits of a number between its first and its last that is not 0.
class Significant {
 public:
  // Up to so many digits come back from every double; none gives back more than kMost.
  static constexpr std::size_t kSafe = 15, kMost = 17;

  // Of `mantissa`. False when there are too many, or something else is there.
  bool Read(std::string_view mantissa) {
    if (mantissa.starts_with('-')) mantissa.remove_prefix(1);
    std::size_t zeros = 0, points = 0;
    for (const char c : mantissa) {
      if (c == '0') {
        if (count_ > 0) ++zeros;
      } else if (IsDigit(c)) {
        if (count_ + zeros >= kMost) return false;
        for (; zeros > 0; --zeros) digits_[count_++] = '0';
        digits_[count_++] = c;
      } else if (c != '.' || ++points > 1) {
        return false;
      }
    }
    return true;
  }
  std::string_view digits() const { return {digits_, count_}; }

 private:
  char digits_[kMost];
  std::size_t count_ = 0;
};

std::string_view Mantissa(std::string_view number) {
  return number.substr(0, number.find_first_of("eE"));
}

// Between digits. A whole number beyond 64 bits has none.
bool HasPointAsInJson(std::string_view mantissa, bool may_have_none) {
  const std::size_t point = mantissa.find('.');
  if (point == std::string_view::npos) return may_have_none;
  return point > 0 && IsDigit(mantissa[point - 1]) && point + 1 < mantissa.size() &&
         IsDigit(mantissa[point + 1]);
}

// Whether whoever reads it as a double gets the number back, however it is written.
bool IsSafeNumber(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && whole.ptr == end)
    return integer <= kLargestSafe && integer >= -kLargestSafe;
  const std::string_view mantissa = Mantissa(text);
  const bool scientific = mantissa.size() < text.size();
  Significant wanted;
  if (!HasPointAsInJson(mantissa, scientific) || !wanted.Read(mantissa)) return false;
  if (!scientific && text.size() < 300 && wanted.digits().size() <= Significant::kSafe) return true;
  double real = 0;
  const auto read = std::from_chars(text.data(), end, real);
  if (read.ec != std::errc() || read.ptr != end) return false;
  char shortest[32];
  const auto written =
      std::to_chars(shortest, shortest + sizeof shortest, real, std::chars_format::scientific);
  Significant given;
  return given.Read(Mantissa({shortest, static_cast<std::size_t>(written.ptr - shortest)})) &&
         given.digits() == wanted.digits();
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
