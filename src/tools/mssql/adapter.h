// What mssql-query asks for rows: the adapter of documents 000 and 001 (requirements D7).
#pragma once

#include <chrono>
#include <stop_token>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::tools::mssql {

// The arguments exactly as they were sent; null: not sent. The tool checks none of them.
struct AdapterRequest {
  const Json* database = nullptr;
  const Json* query = nullptr;
  const Json* max_rows = nullptr;
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop;
};

// Rows to return: 3 for everything that is no number of at least 0; fractions are dropped.
std::size_t MaxRowsOf(const Json* max_rows);

// Thread-safe; may block.
class MssqlAdapter {
 public:
  virtual ~MssqlAdapter() = default;
  // An array of record sets `{columns: [{name, type}], rows: [[…]]}` (requirements D6), empty when
  // there is nothing. What the adapter throws is a verbatim Error: its message, and in `data` the
  // structure as thrown, null for a bare string. Code::kCancelled is not verbatim.
  virtual Result<JsonArray> Execute(const AdapterRequest& request) = 0;
};

}  // namespace toolpost::tools::mssql
