// Rows as JSON, CSV and Markdown, up to a size.
#include "tools/rows_reply.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace toolpost::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kProgressEvery{500};
constexpr std::size_t kRoomForTheRest = 700;  // members besides the rows
constexpr std::size_t kRowOverhead = 3;       // brackets and comma

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

std::size_t JsonSize(const db::Cell& cell, std::size_t max_bytes) {
  const std::size_t bytes =
      max_bytes == 0 ? cell.text.size() : std::min(cell.text.size(), max_bytes);
  switch (cell.kind) {
    case db::CellKind::kNull:
      return 5;
    case db::CellKind::kBytes:
      return bytes * 4 / 3 + 30;
    default:
      return JsonSize(cell.text.substr(0, bytes)) + 24;
  }
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
    rules_.push_back({options_.max_cell, exact});
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
  std::size_t size = kRowOverhead;
  for (const db::Cell& cell : row) size += JsonSize(cell, options_.max_cell);
  if (size > room_ && (count_ > 0 || !options_.one_at_least)) return Stop("size");
  Take(size);
  ++count_;
  if (options_.format == RowFormat::kJson) {
    AddJson(row);
  } else {
    AddText(row);
  }
  return true;
}

void RowsReply::MoveRowsTo(JsonObject& reply) {
  if (options_.format == RowFormat::kJson) {
    reply["rows"] = std::move(rows_);
  } else {
    reply["text"] = text_;
  }
}

bool RowsReply::Stop(std::string_view reason) {
  reason_ = reason;
  return false;
}

void RowsReply::Take(std::size_t size) { room_ -= std::min(size, room_); }

void RowsReply::AddJson(std::span<const db::Cell> row) {
  JsonArray values;
  values.reserve(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    bool cut = false;
    values.push_back(ToJson(row[i], rules_[i], cut));
    cut_values_ += cut ? 1 : 0;
  }
  rows_.push_back(std::move(values));
}

void RowsReply::AddText(std::span<const db::Cell> row) {
  std::vector<std::string> shown(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    bool cut = false;
    shown[i] = ToText(row[i], options_.max_cell, cut);
    cut_values_ += cut ? 1 : 0;
  }
  if (options_.format == RowFormat::kMarkdown) return AppendMarkdownRow(text_, shown);
  std::vector<db::Cell> cells;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool null = row[i].kind == db::CellKind::kNull;
    cells.push_back({null ? db::CellKind::kNull : db::CellKind::kText, shown[i]});
  }
  AppendCsvLine(text_, cells);
}

}  // namespace toolpost::tools
