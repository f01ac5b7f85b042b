// The sink that makes a reply, and the one that makes a CSV file.
#include "tools/database/run_query.h"

#include <algorithm>
#include <utility>

#include "auth/policy.h"
#include "base/strings.h"
#include "tools/database/cells.h"
#include "tools/database/query_cursor.h"

namespace toolpost::tools::database {
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

class Progress {
 public:
  explicit Progress(CallContext& context) : context_(context) {}
  void Row() {
    ++rows_;
    if (rows_ % 64 != 0) return;
    const auto now = Clock::now();
    if (now - reported_ < kProgressEvery) return;
    reported_ = now;
    context_.Progress(static_cast<double>(rows_), {}, base::StrCat(rows_, " rows"));
  }

 private:
  CallContext& context_;
  std::uint64_t rows_ = 0;
  Clock::time_point reported_ = Clock::now();
};

class ReplySink : public db::RowSink {
 public:
  ReplySink(const DatabaseServices& services, const QueryRequest& request, db::Dialect dialect,
            std::uint64_t skip, CallContext& context)
      : limit_(std::min(request.limit, services.max_rows)),
        max_cell_(services.max_cell),
        format_(request.format),
        dialect_(dialect),
        skip_(skip),
        progress_(context) {
    room_ = services.result_chars > 2 * kRoomForTheRest ? services.result_chars - kRoomForTheRest
                                                        : services.result_chars / 2;
  }

  void Begin(std::span<const db::ResultColumn> columns) override {
    std::vector<std::string> names;
    std::vector<std::string> rules;
    for (const db::ResultColumn& column : columns) {
      columns_.push_back(JsonObject{{"name", column.name}, {"type", column.type}});
      rules_.push_back({max_cell_, IsExactDecimal(dialect_, column.type)});
      Take(JsonSize(column.name) + column.type.size() + 24);
      names.push_back(column.name);
      rules.emplace_back("---");
    }
    if (format_ == Format::kCsv) AppendCsvHeader(text_, columns);
    if (format_ != Format::kMarkdown || columns.empty()) return;
    AppendMarkdownRow(text_, names);
    AppendMarkdownRow(text_, rules);
  }

  bool Add(std::span<const db::Cell> row) override {
    progress_.Row();
    if (skip_ > 0) {
      --skip_;
      return true;
    }
    if (count_ == limit_) return Stop("limit");
    std::size_t size = kRowOverhead;
    for (const db::Cell& cell : row) size += JsonSize(cell, max_cell_);
    // One row is always shown: a reply without any would not help to go on.
    if (size > room_ && count_ > 0) return Stop("size");
    Take(size);
    ++count_;
    if (format_ == Format::kJson) {
      AddJson(row);
    } else {
      AddText(row);
    }
    return true;
  }

  std::size_t count() const { return count_; }
  bool truncated() const { return !reason_.empty(); }
  std::size_t cut_values() const { return cut_values_; }
  const std::string& text() const { return text_; }

  JsonObject Reply(Clock::duration elapsed) {
    JsonObject reply;
    reply["columns"] = std::move(columns_);
    if (format_ == Format::kJson) {
      reply["rows"] = std::move(rows_);
    } else {
      reply["text"] = text_;
    }
    reply["rowCount"] = count_;
    reply["executionTime"] =
        std::chrono::round<std::chrono::microseconds>(elapsed).count() / 1000.0;
    if (truncated()) {
      reply["truncated"] = true;
      reply["reason"] = reason_;
    }
    if (cut_values_ > 0) reply["cutValues"] = cut_values_;
    return reply;
  }

 private:
  bool Stop(std::string_view reason) {
    reason_ = reason;
    return false;
  }
  void Take(std::size_t size) { room_ -= std::min(size, room_); }

  void AddJson(std::span<const db::Cell> row) {
    JsonArray values;
    values.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      bool cut = false;
      values.push_back(ToJson(row[i], rules_[i], cut));
      cut_values_ += cut ? 1 : 0;
    }
    rows_.push_back(std::move(values));
  }
  void AddText(std::span<const db::Cell> row) {
    std::vector<std::string> shown(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      bool cut = false;
      shown[i] = ToText(row[i], max_cell_, cut);
      cut_values_ += cut ? 1 : 0;
    }
    if (format_ == Format::kMarkdown) return AppendMarkdownRow(text_, shown);
    std::vector<db::Cell> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool null = row[i].kind == db::CellKind::kNull;
      cells.push_back({null ? db::CellKind::kNull : db::CellKind::kText, shown[i]});
    }
    AppendCsvLine(text_, cells);
  }

  const std::size_t limit_;
  const std::size_t max_cell_;
  const Format format_;
  const db::Dialect dialect_;
  std::uint64_t skip_;
  std::size_t room_ = 0;
  Progress progress_;
  JsonArray columns_;
  std::vector<CellRules> rules_;
  JsonArray rows_;
  std::string text_;
  std::size_t count_ = 0;
  std::size_t cut_values_ = 0;
  std::string reason_;
};

class CsvSink : public db::RowSink {
 public:
  CsvSink(std::size_t most, CallContext& context) : most_(most), progress_(context) {}
  void Begin(std::span<const db::ResultColumn> columns) override { AppendCsvHeader(text, columns); }
  bool Add(std::span<const db::Cell> row) override {
    progress_.Row();
    AppendCsvLine(text, row);
    return text.size() <= most_;
  }

  std::string text;

 private:
  const std::size_t most_;
  Progress progress_;
};

JsonObject LinkTo(const DatabaseServices& services, const QueryRequest& request,
                  const std::string& connection, const Principal& principal) {
  const Json parameters = request.parameters == nullptr
                              ? Json()
                              : Json(*request.parameters, boost::json::storage_ptr());
  const auto minutes = std::chrono::ceil<std::chrono::minutes>(services.links->keep()).count();
  return {
      {"type", "resource_link"},
      {"uri",
       services.links->Put(principal, {connection, std::string(request.statement), parameters})},
      {"name", "whole result"},
      {"mimeType", "text/csv"},
      {"description", base::StrCat("All rows as CSV; the query runs again when this is read. For ",
                                   minutes, " minutes")}};
}

}  // namespace

Clock::time_point DeadlineOf(const DatabaseServices& services, const CallContext& context) {
  return std::min(context.deadline(), Clock::now() + services.timeout);
}

Result<Output> RunQuery(const DatabaseServices& services, const QueryRequest& request,
                        CallContext& context) {
  const std::string connection = services.connections->Resolve(request.connection);
  ASSIGN_OR_RETURN(const auto database, services.connections->Use(connection, context.principal()));
  const CursorSubject subject{context.principal().id, connection, request.statement,
                              request.parameters};
  std::uint64_t offset = 0;
  if (!request.cursor.empty()) {
    ASSIGN_OR_RETURN(offset, ReadCursor(services.cursor_key, subject, request.cursor));
  }
  const auto started = Clock::now();
  ReplySink sink(services, request, database->dialect(), offset, context);
  RETURN_IF_ERROR(database->Read({.sql = request.statement,
                                  .parameters = request.parameters,
                                  .deadline = DeadlineOf(services, context),
                                  .stop = context.stop_token()},
                                 sink));
  const bool more = sink.truncated();
  Output output;
  JsonObject reply = sink.Reply(Clock::now() - started);
  if (more) reply["nextCursor"] = MakeCursor(services.cursor_key, subject, offset + sink.count());
  output.structured = std::move(reply);
  if (request.format != Format::kJson)
    output.content.push_back(JsonObject{{"type", "text"}, {"text", sink.text()}});
  if (more || sink.cut_values() > 0)
    output.content.push_back(LinkTo(services, request, connection, context.principal()));
  output.meta["toolpost/untrusted"] = true;
  return output;
}

Result<std::string> RunExport(const DatabaseServices& services, const ResultLinks::Kept& kept,
                              CallContext& context) {
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(kept.connection, context.principal()));
  CsvSink sink(services.max_export, context);
  RETURN_IF_ERROR(database->Read({.sql = kept.statement,
                                  .parameters = &kept.parameters,
                                  .deadline = DeadlineOf(services, context),
                                  .stop = context.stop_token()},
                                 sink));
  if (sink.text.size() > services.max_export) {
    return Error{
        Code::kTooLarge,
        base::StrCat("The whole result is larger than ", services.max_export,
                     " bytes: select fewer rows or columns, or read it in pages with cursor"),
        {}};
  }
  return std::move(sink.text);
}

}  // namespace toolpost::tools::database
