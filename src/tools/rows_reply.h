// Rows of a query as a reply: what every tool that returns the rows of a statement shares.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "toolpost/context.h"
#include "tools/cells.h"

namespace toolpost::tools {

enum class RowFormat { kJson, kCsv, kMarkdown };
// Of the names json, csv and markdown.
RowFormat RowFormatOf(std::string_view name);

// Tells the caller now and then how many rows there were, and that a statement still runs.
class RowProgress {
 public:
  explicit RowProgress(CallContext& context) : context_(context) {}
  void Row();
  void Waiting();

 private:
  CallContext& context_;
  std::uint64_t rows_ = 0;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point reported_ = started_;
};

// Takes as many rows as a reply has room for, and says why it did not take more. For one thread.
class RowsReply : public db::RowSink {
 public:
  struct Options {
    std::size_t limit = 100;     // rows
    std::size_t max_cell = 0;    // bytes of one value
    std::size_t characters = 0;  // of the reply as JSON, about
    RowFormat format = RowFormat::kJson;
    std::uint64_t skip = 0;  // rows of the pages before
    // Whether the numbers of a column of this type stay text; null: none do.
    bool (*exact_decimal)(std::string_view type) = nullptr;
    // Show the first row even when it is too long, with less of its values: a reply without any
    // would not help to go on.
    bool one_at_least = true;
  };
  RowsReply(const Options& options, CallContext& context);

  void Begin(std::span<const db::ResultColumn> columns) override;
  bool Add(std::span<const db::Cell> row) override;
  void Waiting() override { progress_.Waiting(); }

  const std::vector<db::ResultColumn>& columns() const { return columns_; }
  std::size_t count() const { return count_; }
  bool truncated() const { return !reason_.empty(); }
  const std::string& reason() const { return reason_; }  // limit or size
  std::size_t cut_values() const { return cut_values_; }
  std::size_t room() const { return room_; }         // characters that are left
  const std::string& text() const { return text_; }  // CSV and Markdown; JSON without brackets
  // The member `"rows":[…]`, or `"text":"…"` for the other formats.
  void AppendRows(std::string& reply) const;

 private:
  bool Stop(std::string_view reason);
  void Take(std::size_t size);
  // Add the row to `text_`, and return how many characters the reply grows by.
  std::size_t Append(std::span<const db::Cell> row, std::size_t max_cell, std::size_t& cut);
  std::size_t AppendAsJson(std::span<const db::Cell> row, std::size_t max_cell, std::size_t& cut);
  std::size_t AppendAsText(std::span<const db::Cell> row, std::size_t max_cell, std::size_t& cut);

  const Options options_;
  std::uint64_t skip_;
  std::size_t room_ = 0;
  RowProgress progress_;
  std::vector<db::ResultColumn> columns_;
  std::vector<CellRules> rules_;
  std::string text_;  // the rows
  std::size_t count_ = 0;
  std::size_t cut_values_ = 0;
  std::string reason_;
};

}  // namespace toolpost::tools
