// Rows as strings.
#include "tools/database/collect.h"

#include "tools/database/run_query.h"

namespace toolpost::tools::database {
namespace {

class TextSink : public db::RowSink {
 public:
  explicit TextSink(std::size_t most) : most_(most) {}
  void Begin(std::span<const db::ResultColumn>) override {}
  bool Add(std::span<const db::Cell> row) override {
    if (rows.size() == most_) return false;
    TextRow& kept = rows.emplace_back();
    for (const db::Cell& cell : row) kept.emplace_back(cell.text);
    return true;
  }

  std::vector<TextRow> rows;

 private:
  const std::size_t most_;
};

}  // namespace

Result<std::vector<TextRow>> Collect(const DatabaseServices& services, db::Database& database,
                                     std::string_view sql, const Json* parameters,
                                     CallContext& context, std::size_t most,
                                     std::span<const db::HypotheticalIndex> indexes) {
  TextSink sink(most);
  RETURN_IF_ERROR(database.Read({.sql = sql,
                                 .parameters = parameters,
                                 .deadline = DeadlineOf(services, context),
                                 .stop = context.stop_token(),
                                 .indexes = indexes},
                                sink));
  return std::move(sink.rows);
}

}  // namespace toolpost::tools::database
