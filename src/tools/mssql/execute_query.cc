// mssql/ExecuteQuery.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/json_write.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/server_adapter.h"
#include "tools/mssql/sets_reply.h"
#include "tools/query_cursor.h"

namespace toolpost::tools::mssql {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMaxRows = 1'000'000;
constexpr std::int64_t kMaxBytes = 64 << 20;
constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::size_t kRoomForTheRest = 8192;  // messages, column types and the like, at most
constexpr std::size_t kUsualRest = 512;

struct Args {
  std::string query;
  std::string connection_name;
  std::optional<JsonObject> params;
  std::int64_t max_rows = 100;
  std::optional<std::int64_t> max_bytes;
  std::optional<std::int64_t> timeout_ms;
  std::string format;
  std::string cursor;
  bool write = false;
  static constexpr auto Fields() {
    return std::tuple{
        Req("query", &Args::query, "One SELECT, in T-SQL.").MinLength(1).MaxLength(100'000),
        ConnectionField<Args>(),
        Opt("params", &Args::params, "Values of @name, without @."),
        Opt("maxRows", &Args::max_rows, "Rows.").Range(1, kMaxRows).Default(100),
        Opt("maxBytes", &Args::max_bytes, "Size of the reply.").Range(1000, kMaxBytes),
        Opt("timeoutMs", &Args::timeout_ms, "Milliseconds.").Range(100, kHourMs),
        Opt("format", &Args::format, "Of the rows.")
            .OneOf({"json", "csv", "markdown"})
            .Default("json"),
        Opt("cursor", &Args::cursor, "nextCursor of the last page.").MaxLength(200),
        Opt("write", &Args::write, "Change data, where allowed.").Default(false)};
  }
};

// The reply; Run writes it without this detour.
struct Out {
  std::vector<std::string> columns;
  std::vector<std::string> column_types;
  std::optional<JsonArray> rows;
  std::optional<std::string> text;
  std::int64_t row_count = 0;
  bool truncated = false;
  std::optional<std::string> truncated_reason;
  std::optional<std::string> next_cursor;
  std::optional<std::int64_t> cut_values;
  std::optional<std::int64_t> rows_affected;
  std::optional<JsonArray> result_sets;
  std::optional<std::vector<std::string>> messages;
  double elapsed_ms = 0;
  static constexpr auto Fields() {
    return std::tuple{
        Req("columns", &Out::columns, "Names."),
        Req("columnTypes", &Out::column_types),
        Opt("rows", &Out::rows, "One array per row."),
        Opt("text", &Out::text, "The rows as csv or markdown."),
        Req("rowCount", &Out::row_count),
        Req("truncated", &Out::truncated, "There are more rows."),
        Opt("truncatedReason", &Out::truncated_reason, "limit or size."),
        Opt("nextCursor", &Out::next_cursor, "Pass as cursor for the rows that follow."),
        Opt("cutValues", &Out::cut_values, "Values that were too long."),
        Opt("rowsAffected", &Out::rows_affected),
        Opt("resultSets", &Out::result_sets, "Those after the first."),
        Opt("messages", &Out::messages, "Of the server."),
        Req("elapsedMs", &Out::elapsed_ms)};
  }
};

Clock::time_point DeadlineOf(const MssqlServices& services, const Args& args,
                             const CallContext& context) {
  const auto own = std::chrono::milliseconds(args.timeout_ms.value_or(kHourMs));
  return std::min(mssql::DeadlineOf(services, context), Clock::now() + own);
}

std::size_t CharactersOf(const MssqlServices& services, const Args& args) {
  if (!args.max_bytes) return std::min(services.result_chars, services.max_bytes);
  return std::min(static_cast<std::size_t>(*args.max_bytes), services.max_bytes);
}

void AppendTexts(std::string& out, const auto& texts, const auto& text_of) {
  out.push_back('[');
  for (const auto& each : texts) {
    if (!out.ends_with('[')) out.push_back(',');
    base::AppendJsonString(out, text_of(each));
  }
  out.push_back(']');
}

// The members of one result set. `reason`: why there are more rows.
void AppendSet(std::string& out, const RowsReply& rows, std::string_view reason) {
  out.append(R"("columns":)");
  AppendTexts(out, rows.columns(), [](const auto& column) { return column.name; });
  out.append(R"(,"columnTypes":)");
  AppendTexts(out, rows.columns(), [](const auto& column) { return column.type; });
  out.push_back(',');
  rows.AppendRows(out);
  out.append(R"(,"rowCount":)");
  base::AppendJsonUint(out, rows.count());
  out.append(reason.empty() ? R"(,"truncated":false)" : R"(,"truncated":true,"truncatedReason":")");
  if (!reason.empty()) out.append(reason).push_back('"');
  if (rows.cut_values() > 0) {
    out.append(R"(,"cutValues":)");
    base::AppendJsonUint(out, rows.cut_values());
  }
}

std::string ReplyOf(const SetsReply& sets, const db::SqlServerOutcome& outcome,
                    Clock::duration elapsed, std::string_view next) {
  const RowsReply& first = sets.sets().front();
  std::string reply = "{";
  reply.reserve(kUsualRest + first.text().size());
  AppendSet(reply, first, sets.reason());
  if (sets.sets().size() > 1) {
    reply.append(R"(,"resultSets":[)");
    for (auto set = sets.sets().begin() + 1; set != sets.sets().end(); ++set) {
      reply.append(reply.ends_with('[') ? "{" : ",{");
      AppendSet(reply, *set, set->reason());
      reply.push_back('}');
    }
    reply.push_back(']');
  }
  if (outcome.rows_changed >= 0 && first.columns().empty()) {
    reply.append(R"(,"rowsAffected":)");
    base::AppendJsonInt(reply, outcome.rows_changed);
  }
  if (!outcome.messages.empty()) {
    reply.append(R"(,"messages":)");
    AppendTexts(reply, outcome.messages, [](const std::string& message) { return message; });
  }
  reply.append(R"(,"elapsedMs":)");
  base::AppendJsonMilliseconds(reply, elapsed);
  if (!next.empty()) reply.append(R"(,"nextCursor":")").append(next).push_back('"');
  reply.push_back('}');
  return reply;
}

Result<Output> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  const Json parameters = args.params ? Json(*args.params) : Json();
  const CursorSubject subject{context.principal().id, args.connection_name, args.query,
                              &parameters};
  std::uint64_t offset = 0;
  if (!args.cursor.empty()) {
    if (args.write) return Error::InvalidParams("cursor reads on: it cannot be used with write");
    ASSIGN_OR_RETURN(offset, ReadCursor(services.cursor_key, subject, args.cursor));
  }
  ASSIGN_OR_RETURN(const auto server,
                   services.connections->Use(args.connection_name, context.principal()));
  if (args.write)
    RETURN_IF_ERROR(services.connections->MayWrite(args.connection_name, context.principal()));
  SetsReply sets({.limit = std::min(static_cast<std::size_t>(args.max_rows), services.max_rows),
                  .max_cell = services.max_cell,
                  .characters = CharactersOf(services, args),
                  .format = RowFormatOf(args.format),
                  .skip = offset,
                  .exact_decimal = &IsExactDecimal},
                 context);
  const db::SqlServerRequest request{.sql = args.query,
                                     .parameters = args.params ? &parameters : nullptr,
                                     .deadline = DeadlineOf(services, args, context),
                                     .stop = context.stop_token(),
                                     .max_cell = services.max_cell};
  const auto started = Clock::now();
  Result<db::SqlServerOutcome> outcome =
      args.write ? server->Write(request, sets) : server->Read(request, sets);
  if (!outcome) return Shown(std::move(outcome).error());
  if (sets.sets().empty()) sets.Begin({});
  const RowsReply& first = sets.sets().front();
  std::string next;
  if (first.truncated() && !args.write)
    next = MakeCursor(services.cursor_key, subject, offset + first.count());
  Output output;
  output.structured_text = ReplyOf(sets, *outcome, Clock::now() - started, next);
  if (RowFormatOf(args.format) != RowFormat::kJson) {
    for (const RowsReply& set : sets.sets())
      output.content.push_back(JsonObject{{"type", "text"}, {"text", set.text()}});
  }
  output.meta["toolpost/untrusted"] = true;
  return output;
}

}  // namespace

Tool ExecuteQueryTool(MssqlServices services) {
  const bool writes = services.connections->any_writes();
  const std::size_t most = services.max_bytes;
  ToolInfo info = InfoOf("ExecuteQuery", "mssql_execute_query", "Execute query",
                         "Runs a SQL query on SQL Server and returns columns and rows as JSON. "
                         "Reads only, unless write is set and allowed.");
  info.permissions = {"read"};
  info.result_chars = most + kRoomForTheRest;
  Tool tool = ServerTool(std::move(info), std::move(services), Run);
  // Without a connection that allows changes it cannot make any.
  if (writes)
    tool.info.hints = {
        .read_only = false, .destructive = true, .idempotent = false, .open_world = false};
  tool.output_schema = LateJson(&OutputSchemaOf<Out>);
  return tool;
}

}  // namespace toolpost::tools::mssql
