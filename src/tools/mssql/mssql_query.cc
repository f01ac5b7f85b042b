// mssql/mssql-query: the tool of documents 000 and 001.
#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/log.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/server_adapter.h"

namespace toolpost::tools::mssql {
namespace {

// Describes and does not restrict: whatever is sent reaches the adapter (requirements D8).
Json InputSchema() {
  return *base::ParseJson(R"({
    "type": "object",
    "properties": {
      "database": {"type": "string", "description": "A stored connection, or any name for made-up rows."},
      "query": {"type": "string", "description": "One SELECT."},
      "maxRows": {"type": "number", "description": "Most rows; 3 if omitted."}
    },
    "required": ["database", "query"]
  })");
}

// Clients check failures against it too.
Json OutputSchema() {
  return *base::ParseJson(R"({
    "type": "object",
    "properties": {
      "correlationId": {"type": "string", "format": "uuid"},
      "database": {"description": "As it was sent."},
      "queryResult": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "columns": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "type": {"type": "string"}},
                "required": ["name", "type"]
              }
            },
            "rows": {"type": "array", "items": {"type": "array"}},
            "truncated": {"type": "string", "description": "Why there are more rows: limit or size."}
          },
          "required": ["columns", "rows"]
        }
      },
      "startedAt": {"type": "string", "format": "date-time"},
      "completedAt": {"type": "string", "format": "date-time"},
      "error": {"description": "Instead of all others: what the adapter threw."}
    },
    "anyOf": [
      {"required": ["correlationId", "database", "queryResult", "startedAt", "completedAt"]},
      {"required": ["error"]}
    ]
  })");
}

std::string_view NameOf(const AdapterRequest& request) {
  const bool named = request.database != nullptr && request.database->is_string();
  return named ? std::string_view(request.database->get_string()) : std::string_view();
}

struct Executed {
  Result<JsonArray> result;
  std::string_view adapter;  // for the log
};

Executed Execute(const MssqlServices& services, const AdapterRequest& request,
                 CallContext& context) {
  Result<std::shared_ptr<db::SqlServer>> server = services.connections->Find(NameOf(request));
  if (!server) return {Thrown(server.error()), "server"};
  if (*server == nullptr) return {services.stub->Execute(request), "stub"};
  ServerAdapter adapter(*std::move(server),
                        {services.max_rows, services.max_cell, services.result_chars}, context);
  return {adapter.Execute(request), "server"};
}

// Of an error the data holds what was thrown, and the id by which the log knows the call.
Error WithId(Error error, const std::string& correlation_id) {
  Json thrown =
      error.data.is_null() ? Json(JsonObject{{"message", error.message}}) : std::move(error.data);
  error.data = JsonObject{{"error", std::move(thrown)}, {"correlationId", correlation_id}};
  return error;
}

Output RenderFailure(const Error& error) {
  Output output = Output::Text(error.message);
  if (!error.verbatim) return output;
  output.structured = JsonObject{{"error", error.data.at("error")}};
  output.meta["correlationId"] = error.data.at("correlationId");
  return output;
}

Result<Output> Run(const MssqlServices& services, const JsonObject& arguments,
                   CallContext& context) {
  const std::string correlation_id = base::RandomUuid();
  const AdapterRequest request{.database = arguments.if_contains("database"),
                               .query = arguments.if_contains("query"),
                               .max_rows = arguments.if_contains("maxRows"),
                               .deadline = DeadlineOf(services, context),
                               .stop = context.stop_token()};
  const base::WallTime started = base::Now();
  Executed executed = Execute(services, request, context);
  // The clock of the machine may have been set back meanwhile.
  const base::WallTime completed = std::max(started, base::Now());
  Result<JsonArray>& result = executed.result;
  base::Log(result ? base::Severity::kInfo : base::Severity::kWarning, "mssql query",
            {{"request_id", context.request_id()},
             {"correlation_id", correlation_id},
             {"adapter", executed.adapter},
             {"ok", result.has_value()},
             {"duration_ms", std::chrono::nanoseconds(completed - started)}});
  if (!result) {
    if (!result.error().verbatim) return std::move(result).error();
    return WithId(std::move(result).error(), correlation_id);
  }
  Output output = Output::Structured(
      JsonObject{{"correlationId", correlation_id},
                 {"database", request.database == nullptr ? Json() : *request.database},
                 {"queryResult", *std::move(result)},
                 {"startedAt", base::ToIso8601(started)},
                 {"completedAt", base::ToIso8601(completed)}});
  output.meta["correlationId"] = correlation_id;
  output.meta["toolpost/untrusted"] = true;
  return output;
}

}  // namespace

Tool MssqlQueryTool(MssqlServices services) {
  Tool tool;
  tool.info.name = "mssql/mssql-query";
  tool.info.wire = "mssql-query";
  tool.info.title = "MSSQL Query Tool";
  tool.info.description =
      "Runs a read-only, single-statement SQL query through the adapter: a stored connection, or "
      "an adapter stub with made-up rows.";
  tool.info.hints = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.input_schema = LateJson(&InputSchema);
  tool.output_schema = LateJson(&OutputSchema);
  tool.validate = false;
  tool.render_failure = RenderFailure;
  tool.connections = [](const JsonObject& arguments) {
    const std::string_view name = NameOf({.database = arguments.if_contains("database")});
    return name.empty() ? std::vector<std::string>() : std::vector<std::string>{std::string(name)};
  };
  tool.handler = [services = std::move(services)](const JsonObject& arguments,
                                                  CallContext& context) {
    return Run(services, arguments, context);
  };
  return tool;
}

}  // namespace toolpost::tools::mssql
