// Runs statements of ours for one call.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "db/sql.h"
#include "db/sql_server.h"
#include "toolpost/json.h"
#include "toolpost/result.h"
#include "tools/mssql/mssql.h"

namespace toolpost::tools::mssql {

// For one call; keeps the server of the connection.
class Statements {
 public:
  // Code::kNotFound, Code::kPermissionDenied: see Connections::Use.
  static Result<Statements> On(const MssqlServices& services, std::string_view connection,
                               CallContext& context);

  // The rows of the first result set. `sql` is constant and begins with its tag; values go into
  // `parameters` by name. Texts of more than MssqlServices::max_cell bytes, but no names, are cut
  // and end in "…", which Redacted() knows.
  Result<std::vector<db::Row>> Rows(std::string_view sql, const JsonObject& parameters = {}) const;

 private:
  std::shared_ptr<db::SqlServer> server_;
  std::chrono::steady_clock::time_point deadline_;
  std::stop_token stop_;
  std::size_t max_cell_ = 0;
};

// Reads the cells of a row from left to right. What is not there counts as null.
class Cells {
 public:
  explicit Cells(const db::Row& row) : row_(row) {}
  std::string Text();  // null: empty; numbers as text
  std::optional<std::string> OptionalText();
  std::optional<std::int64_t> Integer();
  bool Flag() { return Integer().value_or(0) != 0; }

 private:
  const db::Row& row_;
  std::size_t next_ = 0;
};

}  // namespace toolpost::tools::mssql
