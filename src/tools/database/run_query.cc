// Replies of one page, and whole results as a CSV file.
#include "tools/database/run_query.h"

#include <algorithm>
#include <utility>

#include "auth/policy.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "tools/cells.h"
#include "tools/query_cursor.h"

namespace toolpost::tools::database {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kRoomForTheRest = 512;  // of a reply, besides its rows

bool IsPostgresDecimal(std::string_view type) { return type.starts_with("numeric"); }

class CsvSink : public db::RowSink {
 public:
  CsvSink(const DatabaseServices& services, CallContext& context)
      : most_(services.max_export),
        text_(std::make_shared<base::LongText>(services.state_directory)),
        progress_(context) {}
  void Begin(std::span<const db::ResultColumn> columns) override {
    AppendCsvHeader(line_, columns);
    TakeLine();
  }
  bool Add(std::span<const db::Cell> row) override {
    progress_.Row();
    AppendCsvLine(line_, row);
    return TakeLine();
  }
  void Waiting() override { progress_.Waiting(); }
  // What was taken, or why that was not all.
  Result<std::shared_ptr<const base::LongText>> Finish() {
    RETURN_IF_ERROR(kept_);
    if (size_ > most_) {
      return Error{Code::kTooLarge,
                   base::StrCat("The whole result is larger than ", most_,
                                " bytes: select fewer rows or columns, or read it in pages with "
                                "cursor"),
                   {}};
    }
    return std::shared_ptr<const base::LongText>(std::move(text_));
  }

 private:
  bool TakeLine() {
    size_ += line_.size();
    if (kept_ && size_ <= most_) kept_ = text_->Append(line_);
    line_.clear();
    return kept_ && size_ <= most_;
  }

  const std::size_t most_;
  std::shared_ptr<base::LongText> text_;
  RowProgress progress_;
  std::string line_;
  std::size_t size_ = 0;
  Result<void> kept_;
};

std::string ReplyOf(const RowsReply& rows, Clock::duration elapsed, std::string_view next) {
  std::string reply;
  reply.reserve(kRoomForTheRest + 2 * rows.text().size());
  reply.append(R"({"columns":[)");
  for (const db::ResultColumn& column : rows.columns()) {
    reply.append(reply.ends_with('[') ? R"({"name":)" : R"(,{"name":)");
    base::AppendJsonString(reply, column.name);
    reply.append(R"(,"type":)");
    base::AppendJsonString(reply, column.type);
    reply.push_back('}');
  }
  reply.append("],");
  rows.AppendRows(reply);
  reply.append(R"(,"rowCount":)");
  base::AppendJsonUint(reply, rows.count());
  reply.append(R"(,"executionTime":)");
  base::AppendJsonMilliseconds(reply, elapsed);
  if (rows.truncated())
    reply.append(R"(,"truncated":true,"reason":")").append(rows.reason()).push_back('"');
  if (rows.cut_values() > 0) {
    reply.append(R"(,"cutValues":)");
    base::AppendJsonUint(reply, rows.cut_values());
  }
  if (!next.empty()) reply.append(R"(,"nextCursor":")").append(next).push_back('"');
  reply.push_back('}');
  return reply;
}

// Reading a link is calling database/query, which not everybody may who has a declared tool.
bool MayReadResults(const Principal& principal) {
  return !auth::Refusal(principal, {.name = "database/query",
                                    .toolset = "database",
                                    .permissions = {"read"},
                                    .hints = {.read_only = true}});
}

std::optional<JsonObject> LinkTo(const DatabaseServices& services, const QueryRequest& request,
                                 const std::string& connection, const Principal& principal) {
  const Json parameters = request.parameters == nullptr
                              ? Json()
                              : Json(*request.parameters, boost::json::storage_ptr());
  const auto minutes = std::chrono::ceil<std::chrono::minutes>(services.links->keep()).count();
  const std::optional<std::string> uri =
      services.links->Put(principal, {connection, std::string(request.statement), parameters});
  if (!uri) return std::nullopt;
  return JsonObject{
      {"type", "resource_link"},
      {"uri", *uri},
      {"name", "whole result"},
      {"mimeType", "text/csv"},
      {"description", base::StrCat("All rows as CSV; the query runs again when this is read. For ",
                                   minutes, " minutes")}};
}

}  // namespace

Clock::time_point DeadlineOf(const DatabaseServices& services, const CallContext& context) {
  return std::min(context.deadline(), Clock::now() + services.timeout);
}

db::Patience PatienceOf(const DatabaseServices& services, const CallContext& context) {
  return {.deadline = DeadlineOf(services, context), .stop = context.stop_token()};
}

Result<Output> RunQuery(const DatabaseServices& services, const QueryRequest& request,
                        CallContext& context) {
  const std::string connection = services.connections->Resolve(request.connection);
  ASSIGN_OR_RETURN(const auto database, services.connections->Use(connection, context.principal(),
                                                                  PatienceOf(services, context)));
  const CursorSubject subject{context.principal().id, connection, request.statement,
                              request.parameters};
  std::uint64_t offset = 0;
  if (!request.cursor.empty()) {
    ASSIGN_OR_RETURN(offset, ReadCursor(services.cursor_key, subject, request.cursor));
  }
  const auto started = Clock::now();
  const bool postgres = database->dialect() == db::Dialect::kPostgres;
  RowsReply rows({.limit = std::min(request.limit, services.max_rows),
                  .max_cell = services.max_cell,
                  .characters = services.result_chars,
                  .format = request.format,
                  .skip = offset,
                  .exact_decimal = postgres ? &IsPostgresDecimal : nullptr},
                 context);
  RETURN_IF_ERROR(database->Read({.sql = request.statement,
                                  .parameters = request.parameters,
                                  .deadline = DeadlineOf(services, context),
                                  .stop = context.stop_token()},
                                 rows));
  const bool more = rows.truncated();
  Output output;
  std::string next;
  if (more && request.takes_cursor)
    next = MakeCursor(services.cursor_key, subject, offset + rows.count());
  output.structured_text = ReplyOf(rows, Clock::now() - started, next);
  if (request.format != RowFormat::kJson)
    output.content.push_back(JsonObject{{"type", "text"}, {"text", rows.text()}});
  if ((more || rows.cut_values() > 0) && MayReadResults(context.principal())) {
    if (auto link = LinkTo(services, request, connection, context.principal()))
      output.content.push_back(*std::move(link));
  }
  output.meta["toolpost/untrusted"] = true;
  return output;
}

Result<std::shared_ptr<const base::LongText>> RunExport(const DatabaseServices& services,
                                                        const ResultLinks::Kept& kept,
                                                        CallContext& context) {
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(kept.connection, context.principal(),
                                             PatienceOf(services, context)));
  CsvSink sink(services, context);
  RETURN_IF_ERROR(database->Read({.sql = kept.statement,
                                  .parameters = &kept.parameters,
                                  .deadline = DeadlineOf(services, context),
                                  .stop = context.stop_token()},
                                 sink));
  return sink.Finish();
}

}  // namespace toolpost::tools::database
