// Runs a statement for a caller and makes the reply: what database/query and declared tools share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/long_text.h"
#include "toolpost/tool.h"
#include "tools/database/database.h"
#include "tools/rows_reply.h"

namespace toolpost::tools::database {

struct QueryRequest {
  std::string_view connection;  // empty: the default one
  std::string_view statement;
  const Json* parameters = nullptr;
  std::size_t limit = 100;
  std::string_view cursor;  // empty: from the start
  RowFormat format = RowFormat::kJson;
  bool takes_cursor = true;  // false: the caller has no way to pass one
};

// At most `limit` rows, and no more than fit in a reply; whether there are more is known because
// one more row was asked for. Then there is a cursor, and a link to the whole as CSV.
Result<Output> RunQuery(const DatabaseServices& services, const QueryRequest& request,
                        CallContext& context);

// The whole result as CSV. Code::kTooLarge above DatabaseServices::max_export.
Result<std::shared_ptr<const base::LongText>> RunExport(const DatabaseServices& services,
                                                        const ResultLinks::Kept& kept,
                                                        CallContext& context);

// The deadline of a statement.
db::Patience PatienceOf(const DatabaseServices& services, const CallContext& context);
std::chrono::steady_clock::time_point DeadlineOf(const DatabaseServices& services,
                                                 const CallContext& context);

struct ColumnView {
  std::string name;
  std::string type;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &ColumnView::name), Req("type", &ColumnView::type)};
  }
};

// The reply; RunQuery writes it without this detour.
struct QueryView {
  std::vector<ColumnView> columns;
  std::optional<JsonArray> rows;
  std::optional<std::string> text;
  std::int64_t row_count = 0;
  double execution_time = 0;
  std::optional<bool> truncated;
  std::optional<std::string> reason;
  std::optional<std::string> next_cursor;
  std::optional<std::int64_t> cut_values;
  static constexpr auto Fields() {
    return std::tuple{
        Req("columns", &QueryView::columns),
        Opt("rows", &QueryView::rows, "One array per row."),
        Opt("text", &QueryView::text, "The rows as csv or markdown."),
        Req("rowCount", &QueryView::row_count),
        Req("executionTime", &QueryView::execution_time, "Milliseconds."),
        Opt("truncated", &QueryView::truncated, "There are more rows."),
        Opt("reason", &QueryView::reason, "limit or size."),
        Opt("nextCursor", &QueryView::next_cursor, "Pass as cursor for the rows that follow."),
        Opt("cutValues", &QueryView::cut_values, "Values that were too long.")};
  }
};

}  // namespace toolpost::tools::database
