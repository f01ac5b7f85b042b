// Lines, prefixes, cells.
#include "html/text_writer.h"

#include <algorithm>

#include "base/strings.h"
#include "html/characters.h"
#include "html/invisible.h"

namespace toolpost::html {
namespace {

// A fence longer than any run of backticks inside.
std::string FenceFor(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

}  // namespace

void TextWriter::Text(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (IsSpace(static_cast<unsigned char>(*at))) {
      space_ = true;
      ++at;
      continue;
    }
    const std::size_t length = std::max<std::size_t>(base::Utf8SequenceLength(at, end), 1);
    const std::string_view bytes(at, length);
    at += length;
    if (bytes == "\xC2\xA0") {
      space_ = true;
    } else if (IsInvisible(bytes)) {
      ++invisible_;
    } else {
      Character(bytes);
    }
  }
}

void TextWriter::Character(std::string_view bytes) {
  const Table* table = DataTable();
  if (breaks_ > 0 || space_ || !opened_.empty() || !marker_.empty() || out_.empty() ||
      (table != nullptr && table->pending > 0)) {
    Flush();
  }
  // A bar would end the cell.
  if (markdown_ && bytes == "|" && table != nullptr) out_.push_back('\\');
  out_.append(bytes);
}

// Everything that stands between the last character and the next.
void TextWriter::Flush() {
  const bool starts = breaks_ > 0 || out_.empty();
  if (starts) StartLine();
  if (starts || !marker_.empty()) {
    if (!starts) out_.push_back(' ');
    out_.append(marker_);
    marker_.clear();
    space_ = false;
  }
  if (Table* table = DataTable(); table != nullptr && table->pending > 0) {
    WriteCells();
    space_ = false;
  }
  if (space_) out_.push_back(' ');
  space_ = false;
  out_.append(opened_);
  opened_.clear();
}

void TextWriter::StartLine() {
  const bool first = out_.empty();
  const bool has_marker = !marker_.empty() && !prefixes_.empty() && !marker_.starts_with('#');
  const std::size_t levels = std::min(prefixes_.size(), kMaxLevels) - (has_marker ? 1 : 0);
  std::string prefix;
  for (std::size_t i = 0; i < levels && i < prefixes_.size(); ++i) prefix.append(prefixes_[i]);
  if (!first) {
    out_.push_back('\n');
    if (breaks_ > 1) {
      std::string_view bare = prefix;
      while (bare.ends_with(' ')) bare.remove_suffix(1);
      out_.append(bare).push_back('\n');
    }
  }
  out_.append(prefix);
  breaks_ = 0;
  space_ = false;
}

void TextWriter::Break(bool paragraph) {
  if (flat_ > 0) {
    space_ = true;
    return;
  }
  breaks_ = std::max(breaks_, paragraph ? 2 : 1);
}

void TextWriter::Rule() {
  if (flat_ > 0 || !markdown_) return Break(true);
  Break(true);
  Character("---");
  Break(true);
}

void TextWriter::Preformatted(std::string_view text, std::string_view language) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  if (text.empty()) return;
  if (flat_ > 0) return Text(text);
  Break(true);
  const std::string fence = markdown_ ? FenceFor(text) : std::string();
  if (markdown_) {
    Character(fence);
    out_.append(language);
    breaks_ = 1;
  }
  for (const std::string_view line : base::Split(text, '\n')) {
    if (out_.size() > max_bytes_) break;
    Flush();
    const char* at = line.data();
    const char* const end = at + line.size();
    while (at < end) {
      const std::size_t length = std::max<std::size_t>(base::Utf8SequenceLength(at, end), 1);
      const std::string_view bytes(at, length);
      at += length;
      if (bytes != "\t" && IsInvisible(bytes)) {
        ++invisible_;
      } else {
        out_.append(bytes);
      }
    }
    breaks_ = 1;
  }
  if (markdown_) Character(fence);
  Break(true);
}

void TextWriter::BeginHeading(int level) {
  Break(true);
  if (markdown_ && flat_ == 0) marker_ = std::string(static_cast<std::size_t>(level), '#') + " ";
  ++flat_;
}

void TextWriter::EndHeading() {
  --flat_;
  if (marker_.starts_with('#')) marker_.clear();
  Break(true);
}

void TextWriter::BeginItem(std::string_view marker) {
  Break(false);
  if (flat_ == 0) marker_ = marker;
  prefixes_.emplace_back(marker.size(), ' ');
}

void TextWriter::EndItem() {
  if (!prefixes_.empty()) prefixes_.pop_back();
  marker_.clear();
  Break(false);
}

void TextWriter::BeginQuote() {
  Break(true);
  prefixes_.emplace_back(markdown_ ? "> " : "");
}

void TextWriter::EndQuote() {
  if (!prefixes_.empty()) prefixes_.pop_back();
  Break(true);
}

void TextWriter::BeginTable() {
  // A table in a cell: the outer one only places things on the page.
  if (Table* outer = DataTable(); outer != nullptr) {
    outer->layout = true;
    outer->in_cell = false;
    outer->pending = 0;
    --flat_;
  }
  Break(true);
  tables_.emplace_back();
}

void TextWriter::EndTable() {
  EndRow();
  if (!tables_.empty()) tables_.pop_back();
  Break(true);
}

void TextWriter::BeginRow() {
  EndRow();
  Break(false);
}

void TextWriter::EndRow() {
  EndCell();
  if (tables_.empty()) return;
  Table& table = tables_.back();
  if (table.row_begun && !table.layout) {
    if (markdown_) {
      for (; table.pending > 0; --table.pending) out_.append(" |");
      out_.append(" |");
      if (!table.head_written) {
        breaks_ = 1;
        StartLine();
        for (int i = 0; i < table.cells; ++i) out_.append("| --- ");
        out_.push_back('|');
      }
    }
    table.head_written = true;
  }
  table.row_begun = false;
  table.cells = 0;
  table.pending = 0;
  space_ = false;
  Break(false);
}

void TextWriter::BeginCell() {
  EndCell();
  if (tables_.empty()) return;
  Table& table = tables_.back();
  if (table.layout) return Break(false);
  ++table.cells;
  ++table.pending;
  table.in_cell = true;
  ++flat_;
}

void TextWriter::EndCell() {
  if (tables_.empty() || !tables_.back().in_cell) return;
  tables_.back().in_cell = false;
  --flat_;
  space_ = false;
}

TextWriter::Table* TextWriter::DataTable() {
  return !tables_.empty() && tables_.back().in_cell ? &tables_.back() : nullptr;
}

void TextWriter::WriteCells() {
  Table& table = tables_.back();
  for (; table.pending > 0; --table.pending) {
    if (markdown_) {
      out_.append(table.row_begun ? " | " : "| ");
    } else if (table.row_begun) {
      out_.append(" | ");
    }
    table.row_begun = true;
  }
}

void TextWriter::Open(std::string_view mark) { opened_.append(mark); }

void TextWriter::Close(std::string_view opened, std::string_view mark) {
  if (opened.empty()) return;
  if (opened_.ends_with(opened)) {
    opened_.resize(opened_.size() - opened.size());
  } else {
    out_.append(mark);
  }
}

}  // namespace toolpost::html
