// Rows of a server as record sets, its errors as thrown.
#include "tools/mssql/server_adapter.h"

#include <algorithm>
#include <utility>

#include "base/error_table.h"
#include "base/json_parse.h"
#include "base/strings.h"
#include "tools/mssql/sets_reply.h"

namespace toolpost::tools::mssql {
namespace {

JsonObject RecordSetOf(const RowsReply& rows) {
  JsonArray columns;
  for (const db::ResultColumn& column : rows.columns())
    columns.push_back(JsonObject{{"name", column.name}, {"type", column.type}});
  JsonObject record_set{{"columns", std::move(columns)}};
  if (Result<Json> values = base::ParseJson(base::StrCat("[", rows.text(), "]")))
    record_set["rows"] = *std::move(values);
  if (rows.truncated()) record_set["truncated"] = rows.reason();
  return record_set;
}

}  // namespace

ServerAdapter::ServerAdapter(std::shared_ptr<db::SqlServer> server, ServerAdapterLimits limits,
                             CallContext& context)
    : server_(std::move(server)), limits_(limits), context_(context) {}

Result<JsonArray> ServerAdapter::Execute(const AdapterRequest& request) {
  if (request.query == nullptr || !request.query->is_string())
    return Thrown(Error::InvalidParams("query must be a string: one SELECT"));
  SetsReply sets({.limit = std::min(MaxRowsOf(request.max_rows), limits_.max_rows),
                  .max_cell = limits_.max_cell,
                  .characters = limits_.characters,
                  .exact_decimal = &IsExactDecimal},
                 context_);
  const Result<db::SqlServerOutcome> read = server_->Read({.sql = request.query->get_string(),
                                                           .parameters = nullptr,
                                                           .deadline = request.deadline,
                                                           .stop = request.stop,
                                                           .max_cell = limits_.max_cell},
                                                          sets);
  if (!read) return Thrown(read.error());
  JsonArray record_sets;
  for (const RowsReply& set : sets.sets()) record_sets.push_back(RecordSetOf(set));
  if (!record_sets.empty() && !sets.reason().empty())
    record_sets.back().get_object()["truncated"] = sets.reason();
  return record_sets;
}

Error Thrown(const Error& error) {
  if (error.code == Code::kCancelled || error.verbatim) return error;
  JsonObject structure{{"message", error.message}, {"code", base::FormsOf(error.code).name}};
  if (error.data.is_object()) {
    for (const auto& [name, value] : error.data.get_object())
      structure[name == "number" ? std::string_view("code") : std::string_view(name)] = value;
  }
  std::string message(structure.at("message").as_string());
  return Error::Verbatim(std::move(message), std::move(structure));
}

Error Shown(Error error) {
  if (error.data.is_object()) error.data.get_object().erase("message");
  return error;
}

bool IsExactDecimal(std::string_view type) {
  return type.starts_with("decimal") || type.starts_with("numeric") || type.ends_with("money");
}

}  // namespace toolpost::tools::mssql
