// What tables an SQLite database has, and what they look like.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/sqlite_reader.h"

namespace toolpost::db {

// Names are bound parameters everywhere. Errors are those of SqliteReader::Read, and
// Code::kNotFound for a schema or a table that is not there.
class SqliteCatalog {
 public:
  SqliteCatalog(SqliteReader& reader, const Patience& patience)
      : reader_(reader), patience_(patience) {}

  Result<TablePage> Tables(const TableFilter& filter);
  Result<TableDetails> Describe(std::string_view table);

 private:
  using Row = std::vector<std::string>;  // null is empty

  Result<std::vector<Row>> Query(std::string_view sql, const JsonArray& parameters);
  Result<void> AddColumns(TableDetails& table, bool has_row_id);
  Result<void> AddForeignKeys(TableDetails& table);
  Result<void> AddIndexes(TableDetails& table);
  Result<void> AddEstimates(std::vector<TableSummary>& tables);

  SqliteReader& reader_;
  const Patience patience_;
};

}  // namespace toolpost::db
