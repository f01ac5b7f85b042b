// Tables and their details, from pragmas and the text of the schema.
#include "db/sqlite_catalog.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/strings.h"
#include "db/sqlite_schema_text.h"

namespace toolpost::db {
namespace {

class Collector : public RowSink {
 public:
  explicit Collector(std::vector<std::vector<std::string>>& rows) : rows_(rows) {}
  void Begin(std::span<const ResultColumn>) override {}
  bool Add(std::span<const Cell> row) override {
    auto& kept = rows_.emplace_back();
    for (const Cell& cell : row) kept.emplace_back(cell.text);
    return true;
  }

 private:
  std::vector<std::vector<std::string>>& rows_;
};

std::string_view KindName(std::string_view type) {
  return type == "virtual" ? "virtual table" : type;
}

Error NoSuchTable(std::string_view table) {
  return Error::NotFound(
      base::StrCat("There is no table or view ", table, " in main: database/tables lists them"));
}

std::int64_t ToInteger(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Result<std::vector<SqliteCatalog::Row>> SqliteCatalog::Query(std::string_view sql,
                                                             const JsonArray& parameters) {
  std::vector<Row> rows;
  Collector collector(rows);
  const Json given(parameters);
  RETURN_IF_ERROR(reader_.Read(
      {.sql = sql, .parameters = &given, .deadline = patience_.deadline, .stop = patience_.stop},
      collector));
  return rows;
}

Result<TablePage> SqliteCatalog::Tables(const TableFilter& filter) {
  const int limit = std::max(filter.limit, 1);
  ASSIGN_OR_RETURN(
      const std::vector<Row> rows,
      Query(
          "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' "
          "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND ($1 = '' OR name LIKE $1) AND name > $2 "
          "ORDER BY name LIMIT $3",
          {filter.pattern, filter.after, limit + 1}));
  TablePage page;
  page.schemas = {"main"};
  page.more = rows.size() > static_cast<std::size_t>(limit);
  for (const Row& row : rows) {
    if (page.tables.size() == static_cast<std::size_t>(limit)) break;
    TableSummary& table = page.tables.emplace_back();
    table.schema = "main";
    table.name = row[0];
    table.kind = KindName(row[1]);
  }
  RETURN_IF_ERROR(AddEstimates(page.tables));
  return page;
}

// What ANALYZE counted; counting again could take long.
Result<void> SqliteCatalog::AddEstimates(std::vector<TableSummary>& tables) {
  ASSIGN_OR_RETURN(const std::vector<Row> present,
                   Query("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'", {}));
  if (present.empty()) return {};
  ASSIGN_OR_RETURN(const std::vector<Row> rows, Query("SELECT tbl, stat FROM sqlite_stat1", {}));
  std::map<std::string_view, std::int64_t> counts;
  for (const Row& row : rows) {
    std::int64_t& count = counts[row[0]];
    count = std::max(count, ToInteger(row[1]));
  }
  for (TableSummary& table : tables) {
    const auto count = counts.find(table.name);
    if (count != counts.end()) table.estimated_rows = count->second;
  }
  return {};
}

Result<TableDetails> SqliteCatalog::Describe(std::string_view name) {
  ASSIGN_OR_RETURN(const std::vector<Row> rows,
                   Query("SELECT l.name, l.type, s.sql, l.wr FROM pragma_table_list AS l LEFT JOIN "
                         "sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view') "
                         "WHERE l.schema = 'main' AND l.name = $1 COLLATE NOCASE",
                         {name}));
  if (rows.empty()) return NoSuchTable(name);
  TableDetails table;
  table.summary.schema = "main";
  table.summary.name = rows[0][0];
  table.summary.kind = KindName(rows[0][1]);
  if (table.summary.kind == "table") table.checks = ChecksOf(rows[0][2]);
  std::vector<TableSummary> summaries = {table.summary};
  RETURN_IF_ERROR(AddEstimates(summaries));
  table.summary = std::move(summaries[0]);
  RETURN_IF_ERROR(AddColumns(table, rows[0][3] == "0"));
  RETURN_IF_ERROR(AddForeignKeys(table));
  RETURN_IF_ERROR(AddIndexes(table));
  return table;
}

Result<void> SqliteCatalog::AddColumns(TableDetails& table, bool has_row_id) {
  ASSIGN_OR_RETURN(const std::vector<Row> rows,
                   Query("SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM "
                         "pragma_table_xinfo($1)",
                         {table.summary.name}));
  std::map<std::int64_t, std::string> key;
  for (const Row& row : rows) {
    if (row[5] == "1") continue;  // of the module, not of the table
    ColumnDetails& column = table.columns.emplace_back();
    column.name = row[0];
    column.type = row[1];
    column.nullable = row[2] == "0";
    column.default_value = row[3];
    if (row[5] == "2") column.generated = "virtual";
    if (row[5] == "3") column.generated = "stored";
    if (row[4] != "0") key[ToInteger(row[4])] = row[0];
  }
  for (const auto& [position, name] : key) table.primary_key.push_back(name);
  if (key.size() != 1 || !has_row_id) return {};
  // The one integer key of a table stands for its row id and fills itself.
  for (ColumnDetails& column : table.columns) {
    if (column.name != table.primary_key[0]) continue;
    if (!base::EqualIgnoringCase(column.type, "INTEGER")) continue;
    column.generated = "identity";
    column.nullable = false;
  }
  return {};
}

Result<void> SqliteCatalog::AddForeignKeys(TableDetails& table) {
  ASSIGN_OR_RETURN(const std::vector<Row> rows,
                   Query("SELECT id, \"table\", \"from\", \"to\", on_delete FROM "
                         "pragma_foreign_key_list($1) ORDER BY id, seq",
                         {table.summary.name}));
  std::string_view last;
  for (const Row& row : rows) {
    if (table.foreign_keys.empty() || row[0] != last) {
      ForeignKey& key = table.foreign_keys.emplace_back();
      key.table = row[1];
      if (row[4] != "NO ACTION") key.on_delete = base::ToLower(row[4]);
    }
    last = row[0];
    table.foreign_keys.back().columns.push_back(row[2]);
    if (!row[3].empty()) table.foreign_keys.back().referenced.push_back(row[3]);
  }
  for (ForeignKey& key : table.foreign_keys) {
    if (!key.referenced.empty()) continue;  // else its primary key is meant
    ASSIGN_OR_RETURN(
        const std::vector<Row> columns,
        Query("SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk", {key.table}));
    for (const Row& column : columns) key.referenced.push_back(column[0]);
  }
  std::reverse(table.foreign_keys.begin(), table.foreign_keys.end());  // as written
  return {};
}

Result<void> SqliteCatalog::AddIndexes(TableDetails& table) {
  ASSIGN_OR_RETURN(const std::vector<Row> rows,
                   Query("SELECT l.name, l.\"unique\", s.sql FROM pragma_index_list($1) AS l LEFT "
                         "JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name WHERE "
                         "l.origin <> 'pk' ORDER BY l.name",
                         {table.summary.name}));
  for (const Row& row : rows) {
    IndexDetails& index = table.indexes.emplace_back();
    index.name = row[0];
    index.unique = row[1] == "1";
    index.method = "btree";
    const IndexText text = IndexTextOf(row[2]);
    index.predicate = text.predicate;
    ASSIGN_OR_RETURN(const std::vector<Row> columns,
                     Query("SELECT name FROM pragma_index_info($1) ORDER BY seqno", {row[0]}));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool expression = columns[i][0].empty() && i < text.columns.size();
      index.columns.push_back(expression ? text.columns[i] : columns[i][0]);
    }
  }
  return {};
}

}  // namespace toolpost::db
