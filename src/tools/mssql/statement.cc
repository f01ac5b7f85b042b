// Statements and their rows.
#include "tools/mssql/statement.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/strings.h"
#include "tools/cells.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/server_adapter.h"

namespace toolpost::tools::mssql {
namespace {

// Bytes; of 260 characters, in Integration Services.
constexpr std::size_t kLongestName = 2048;

void Cut(db::Value& value, std::size_t most) {
  auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && text->size() > most) *text = base::StrCat(PrefixOf(*text, most), "…");
}

}  // namespace

Result<Statements> Statements::On(const MssqlServices& services, std::string_view connection,
                                  CallContext& context) {
  Statements statements;
  ASSIGN_OR_RETURN(statements.server_, services.connections->Use(connection, context.principal()));
  statements.deadline_ = DeadlineOf(services, context);
  statements.stop_ = context.stop_token();
  statements.max_cell_ = std::max(services.max_cell, kLongestName);
  return statements;
}

Result<std::vector<db::Row>> Statements::Rows(std::string_view sql,
                                              const JsonObject& parameters) const {
  const Json values(parameters);
  auto sets = server_->Query({.sql = sql,
                              .parameters = &values,
                              .deadline = deadline_,
                              .stop = stop_,
                              .max_cell = max_cell_});
  if (!sets) return Shown(std::move(sets).error());
  if (sets->empty()) return std::vector<db::Row>();
  for (db::Row& row : sets->front()) {
    for (db::Value& value : row) Cut(value, max_cell_);
  }
  return std::move(sets->front());
}

std::optional<std::string> Cells::OptionalText() {
  if (next_ >= row_.size()) return std::nullopt;
  const db::Value& value = row_[next_++];
  if (db::IsNull(value)) return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return base::StrCat(*integer);
  return db::TextOr(value, "");
}

std::string Cells::Text() { return OptionalText().value_or(std::string()); }

std::optional<std::int64_t> Cells::Integer() {
  if (next_ >= row_.size()) return std::nullopt;
  const db::Value& value = row_[next_++];
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  // Exact numbers arrive as text.
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace toolpost::tools::mssql
