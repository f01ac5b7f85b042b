// Rows as JSON, CSV and Markdown, up to a size.
#include "tools/rows_reply.h"

#include <algorithm>
#include <utility>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kProgressEvery{500};
constexpr std::size_t kRoomForTheRest = 700;  // members besides the rows
constexpr std::size_t kLeastCell = 16;        // bytes of a value of a row that must be shown

// At least as many characters as `text` has in JSON.
std::size_t JsonSize(std::string_view text) {
  std::size_t size = text.size() + 3;
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t')
      size += 1;
    else if (static_cast<unsigned char>(c) < 0x20)
      size += 5;
  }
  return size;
}

// How much of a value is shown at least.
std::size_t LeastSize(std::span<const db::Cell> row, std::size_t max_cell) {
  std::size_t size = 0;
  for (const db::Cell& cell : row)
    size += max_cell == 0 ? cell.size() : std::min(cell.size(), max_cell);
  return size;
}

}  // namespace

RowFormat RowFormatOf(std::string_view name) {
  if (name == "csv") return RowFormat::kCsv;
  return name == "markdown" ? RowFormat::kMarkdown : RowFormat::kJson;
}

void RowProgress::Row() {
  ++rows_;
  if (rows_ % 64 != 0) return;
  const auto now = Clock::now();
  if (now - reported_ < kProgressEvery) return;
  reported_ = now;
  context_.Progress(static_cast<double>(rows_), {}, base::StrCat(rows_, " rows"));
}

void RowProgress::Waiting() {
  const auto now = Clock::now();
  if (now - reported_ < kProgressEvery) return;
  reported_ = now;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  // It must grow, and stay below what the next row brings.
  context_.Progress(
      static_cast<double>(rows_) + seconds / (seconds + 1), {},
      base::StrCat(rows_, " rows after ", static_cast<std::int64_t>(seconds), " seconds"));
}

RowsReply::RowsReply(const Options& options, CallContext& context)
    : options_(options), skip_(options.skip), progress_(context) {
  room_ = options.characters > 2 * kRoomForTheRest ? options.characters - kRoomForTheRest
                                                   : options.characters / 2;
}

void RowsReply::Begin(std::span<const db::ResultColumn> columns) {
  columns_.assign(columns.begin(), columns.end());
  rules_.reserve(columns.size());
  for (const db::ResultColumn& column : columns) {
    const bool exact = options_.exact_decimal != nullptr && options_.exact_decimal(column.type);
    rules_.push_back({.number_as_text = exact});
    Take(JsonSize(column.name) + column.type.size() + 24);
  }
  if (options_.format == RowFormat::kCsv) AppendCsvHeader(text_, columns);
  if (options_.format != RowFormat::kMarkdown || columns.empty()) return;
  std::vector<std::string> names;
  for (const db::ResultColumn& column : columns) names.push_back(column.name);
  AppendMarkdownRow(text_, names);
  AppendMarkdownRow(text_, std::vector<std::string>(columns.size(), "---"));
}

bool RowsReply::Add(std::span<const db::Cell> row) {
  progress_.Row();
  if (skip_ > 0) {
    --skip_;
    return true;
  }
  if (count_ == options_.limit) return Stop("limit");
  const bool must = count_ == 0 && options_.one_at_least;
  if (!must && LeastSize(row, options_.max_cell) > room_) return Stop("size");
  const std::size_t before = text_.size();
  std::size_t cut = 0;
  std::size_t most = options_.max_cell;
  std::size_t size = Append(row, most, cut);
  if (size > room_) most = 2 * room_ / std::max<std::size_t>(row.size(), 1);
  while (size > room_) {
    text_.resize(before);
    if (!must) return Stop("size");
    // Every value of it, but less of the long ones.
    cut = 0;
    most = std::max(most / 2, kLeastCell);
    size = Append(row, most, cut);
    if (most == kLeastCell) break;
  }
  Take(size);
  ++count_;
  cut_values_ += cut;
  return true;
}

void RowsReply::AppendRows(std::string& reply) const {
  if (options_.format == RowFormat::kJson) {
    reply.append("\"rows\":[").append(text_).push_back(']');
  } else {
    reply.append("\"text\":");
    base::AppendJsonString(reply, text_);
  }
}

bool RowsReply::Stop(std::string_view reason) {
  reason_ = reason;
  return false;
}

void RowsReply::Take(std::size_t size) { room_ -= std::min(size, room_); }

std::size_t RowsReply::Append(std::span<const db::Cell> row, std::size_t max_cell,
                              std::size_t& cut) {
  return options_.format == RowFormat::kJson ? AppendAsJson(row, max_cell, cut)
                                             : AppendAsText(row, max_cell, cut);
}

std::size_t RowsReply::AppendAsJson(std::span<const db::Cell> row, std::size_t max_cell,
                                    std::size_t& cut) {
  const std::size_t before = text_.size();
  if (count_ > 0) text_.push_back(',');
  text_.push_back('[');
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) text_.push_back(',');
    bool was_cut = false;
    rules_[i].max_bytes = max_cell;
    AppendJson(text_, row[i], rules_[i], was_cut);
    cut += was_cut ? 1 : 0;
  }
  text_.push_back(']');
  return text_.size() - before;
}

std::size_t RowsReply::AppendAsText(std::span<const db::Cell> row, std::size_t max_cell,
                                    std::size_t& cut) {
  const std::size_t before = text_.size();
  std::vector<std::string> shown(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    bool was_cut = false;
    shown[i] = ToText(row[i], max_cell, was_cut);
    cut += was_cut ? 1 : 0;
  }
  if (options_.format == RowFormat::kMarkdown) {
    AppendMarkdownRow(text_, shown);
  } else {
    std::vector<db::Cell> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool null = row[i].kind == db::CellKind::kNull;
      cells.push_back({null ? db::CellKind::kNull : db::CellKind::kText, shown[i]});
    }
    AppendCsvLine(text_, cells);
  }
  return JsonSize(std::string_view(text_).substr(before));
}

}  // namespace toolpost::tools
