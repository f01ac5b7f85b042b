// For tests only: a SQL Server through ODBC whose other end is the scripted TDS server.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_parse.h"
#include "db/odbc_server.h"
#include "tds_server/server.h"

namespace toolpost::db {

// Keeps the rows of a result as text: `1|NULL|0xff`, bytes in hexadecimal, JSON kinds as they are.
class TextSink final : public RowSink {
 public:
  explicit TextSink(std::size_t most_rows = 1'000'000) : most_rows_(most_rows) {}

  void Begin(std::span<const ResultColumn> columns) override;
  bool Add(std::span<const Cell> row) override;

  std::string names, types, kinds;  // with | between them; kinds of the first row
  std::vector<std::string> rows;
  std::size_t bytes = 0;  // of all cells
  int begun = 0;
  bool keep = true;  // the rows

 private:
  const std::size_t most_rows_;
};

// What a container or a check says when all is well.
inline constexpr std::string_view kContained =
    R"("after": {"toolpost:read": [{"columns": [{"name": "toolpost_depth", "type": "int"}], "rows": [[1]]}],
                 "toolpost:write": [{"columns": [{"name": "toolpost_depth", "type": "int"}, {"name": "toolpost_rows", "type": "bigint"}],
                                     "rows": [[1, 7]]}]},)";
inline constexpr std::string_view kCheckRule =
    R"({"tag": "toolpost:check", "steps": [{"columns": [{"name": "toolpost_depth", "type": "int"}], "rows": [[0]]}]})";

// Steps of a rule.
inline constexpr std::string_view kOneInteger =
    R"({"columns": [{"name": "a", "type": "int"}], "rows": [[1]]})";
inline constexpr std::string_view kWait = R"({"delayMs": 600000})";

class OdbcServerTest : public ::testing::Test {
 protected:
  using Clock = std::chrono::steady_clock;

  // Starts the server with `rules` (members of an array, which may be empty), and connects.
  void Serve(std::string_view rules, std::string_view more = "",
             const std::string& address = "127.0.0.1");
  // Another connection to the same server.
  std::shared_ptr<SqlServer> Connect(OdbcServerOptions options);
  OdbcServerOptions Options() const;

  // A rule for a caller's statement.
  static std::string Rule(std::string_view sql, std::string_view steps);
  static SqlServerRequest Request(std::string_view sql,
                                  std::chrono::milliseconds patience = std::chrono::seconds(60)) {
    return {.sql = sql, .deadline = Clock::now() + patience};
  }
  Result<SqlServerOutcome> Read(std::string_view sql) { return server_->Read(Request(sql), sink_); }
  // How many requests with this tag arrived.
  std::size_t Count(std::string_view tag);
  // Waits for a request with this tag.
  bool Arrived(std::string_view tag);
  // Reads with "SELECT ok", for which there must be a rule.
  void ExpectServerStillWorks();

  std::unique_ptr<tds_server::Server> tds_;
  std::shared_ptr<SqlServer> server_;
  TextSink sink_;
};

}  // namespace toolpost::db
