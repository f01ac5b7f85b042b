// The names of columns that SQL Server gives such a set.
#include "db/for_clause.h"

#include <string_view>

#include "db/odbc_cells.h"

namespace toolpost::db {
namespace {

std::string_view NameFor(std::span<const ResultColumn> columns) {
  if (columns.size() != 1) return {};
  if (columns[0].name == "JSON_F52E2B61-18A1-11d1-B105-00805F49916B") return "json";
  if (columns[0].name == "XML_F52E2B61-18A1-11d1-B105-00805F49916B") return "xml";
  return {};
}

}  // namespace

ForClauseJoiner::ForClauseJoiner(RowSink& sink, std::size_t max_cell)
    : sink_(sink), wanted_(max_cell == 0 ? kLargestOdbcRow : max_cell) {}

void ForClauseJoiner::Begin(std::span<const ResultColumn> columns) {
  const std::string_view name = NameFor(columns);
  joins_ = !name.empty();
  if (!joins_) return sink_.Begin(columns);
  const ResultColumn column{std::string(name), columns[0].type};
  sink_.Begin({&column, 1});
}

bool ForClauseJoiner::Add(std::span<const Cell> row) {
  if (!joins_) return sink_.Add(row);
  pieces_ = true;
  if (text_.size() <= wanted_) {
    text_ += row[0].text;
    missing_ += row[0].missing;
  } else {
    missing_ += row[0].size();
  }
  return true;
}

void ForClauseJoiner::End() {
  if (pieces_) {
    const Cell cell{CellKind::kText, text_, missing_};
    sink_.Add({&cell, 1});
  }
  joins_ = pieces_ = false;
  text_.clear();
  missing_ = 0;
}

}  // namespace toolpost::db
