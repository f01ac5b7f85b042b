// Details without the members that say nothing.
#include "tools/database/table_view.h"

namespace toolpost::tools::database {
namespace {

std::optional<std::string> Unless(const std::string& text, std::string_view usual = {}) {
  return text == usual ? std::nullopt : std::optional(text);
}

template <typename T>
std::optional<std::vector<T>> UnlessEmpty(std::vector<T> list) {
  return list.empty() ? std::nullopt : std::optional(std::move(list));
}

ColumnDetailsView ViewOf(const db::ColumnDetails& column) {
  ColumnDetailsView view;
  view.name = column.name;
  view.type = column.type;
  view.nullable = column.nullable;
  view.default_value = Unless(column.default_value);
  view.generated = Unless(column.generated);
  view.enum_values = UnlessEmpty(column.enum_values);
  view.comment = Unless(column.comment);
  return view;
}

IndexView ViewOf(const db::IndexDetails& index) {
  IndexView view;
  view.name = index.name;
  view.columns = index.columns;
  if (index.unique) view.unique = true;
  view.method = Unless(index.method, "btree");
  view.where = Unless(index.predicate);
  return view;
}

}  // namespace

TableDetailsView ViewOf(const db::TableDetails& table) {
  TableDetailsView view;
  view.table = table.summary.name;
  view.schema = table.summary.schema;
  view.type = table.summary.kind;
  view.comment = Unless(table.summary.comment);
  view.rows = table.summary.estimated_rows;
  for (const db::ColumnDetails& column : table.columns) view.columns.push_back(ViewOf(column));
  view.primary_key = UnlessEmpty(table.primary_key);
  std::vector<ForeignKeyView> keys;
  for (const db::ForeignKey& key : table.foreign_keys)
    keys.push_back({key.columns, key.table, key.referenced, Unless(key.on_delete)});
  view.foreign_keys = UnlessEmpty(std::move(keys));
  std::vector<IndexView> indexes;
  for (const db::IndexDetails& index : table.indexes) indexes.push_back(ViewOf(index));
  view.indexes = UnlessEmpty(std::move(indexes));
  view.checks = UnlessEmpty(table.checks);
  return view;
}

}  // namespace toolpost::tools::database
