// What SqlServer::Read() and ExecuteQuery add to bare loops over ODBC, on the scripted TDS server,
// for a row, a hundred and a thousand; and how long 64 slow statements at once take. Prints one
// JSON line. Give it one core: where a thread of the server wakes up would decide otherwise.
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.h"
#include "child.h"
#include "db/libodbc.h"
#include "db/odbc_connection_string.h"
#include "db/odbc_container.h"
#include "db/odbc_parameters.h"
#include "db/odbc_server.h"
#include "db/odbc_text.h"
#include "db/select_guard_tsql.h"
#include "mcp/test_context.h"
#include "store/store.h"
#include "store/vault.h"
#include "tds_server/server.h"
#include "tools/mssql/mssql.h"

namespace {

using namespace toolpost;

constexpr std::string_view kScript = R"json({
  "after": {"toolpost:read": [{"columns": [{"name": "toolpost_depth", "type": "int"}], "rows": [[1]]}]},
  "rules": [
    {"parameters": {"1": "SELECT 'slow' AS a"}, "steps": [{"delayMs": 300}, {"columns": [{"name": "a", "type": "int"}], "rows": [[1]]}]},
    {"parameters": {"1": "SELECT 1000"}, "steps": [{"columns": COLUMNS, "rows": [ROW], "repeat": 1000}]},
    {"parameters": {"1": "SELECT 100"}, "steps": [{"columns": COLUMNS, "rows": [ROW], "repeat": 100}]},
    {"parameters": {"1": "SELECT 1"}, "steps": [{"columns": COLUMNS, "rows": [ROW]}]},
    {"text": "SELECT 1000", "steps": [{"columns": COLUMNS, "rows": [ROW], "repeat": 1000}]},
    {"text": "SELECT 100", "steps": [{"columns": COLUMNS, "rows": [ROW], "repeat": 100}]},
    {"text": "SELECT 1", "steps": [{"columns": COLUMNS, "rows": [ROW]}]}]})json";
constexpr std::string_view kColumns =
    R"json([{"name": "id", "type": "bigint"}, {"name": "name", "type": "nvarchar(100)"},
            {"name": "price", "type": "decimal(18,4)"}, {"name": "at", "type": "datetime2(7)"},
            {"name": "open", "type": "bit"}])json";
constexpr std::string_view kRow =
    R"([1234567, "a name of some length", "1234.5678", "2024-02-29 23:59:58.1234567", true])";

std::string Script() {
  std::string json(kScript);
  for (const auto& [mark, text] :
       {std::pair{std::string_view("COLUMNS"), kColumns}, {"ROW", kRow}}) {
    for (std::size_t at; (at = json.find(mark)) != std::string::npos;) {
      json.replace(at, mark.size(), text);
    }
  }
  return json;
}

void Check(SQLRETURN code) {
  if (!SQL_SUCCEEDED(code)) bench::Fail("ODBC failed");
}

// As one would write it without this project: text of every value, nothing else.
class Bare {
 public:
  Bare(const db::Libodbc& odbc, const std::string& connection_string) : odbc_(odbc) {
    Check(odbc.alloc_handle(SQL_HANDLE_ENV, nullptr, &environment_));
    odbc.set_env_attr(environment_, SQL_ATTR_ODBC_VERSION,
                      std::bit_cast<SQLPOINTER>(std::uintptr_t{SQL_OV_ODBC3}), 0);
    Check(odbc.alloc_handle(SQL_HANDLE_DBC, environment_, &connection_));
    std::vector<SQLWCHAR> text = db::ToWide(connection_string);
    Check(odbc.driver_connect(connection_, nullptr, text.data(),
                              static_cast<SQLSMALLINT>(text.size()), nullptr, 0, nullptr,
                              SQL_DRIVER_NOPROMPT));
    Check(odbc.alloc_handle(SQL_HANDLE_STMT, connection_, &statement_));
  }

  void Read(std::string_view sql) {
    Execute(sql);
    if (Rows() == 0) bench::Fail("no rows");
    odbc_.free_stmt(statement_, SQL_CLOSE);
  }

  // The call that SqlServer::Read() makes: the statement in its container, and the depth after it.
  void ReadContained(std::string_view sql) {
    db::OdbcParameters values;
    for (const std::string_view text :
         {std::string_view(container_), std::string_view("@toolpost_sql nvarchar(4000)"), sql}) {
      if (!values.AddText(text)) bench::Fail("not UTF-8");
    }
    if (!values.Bind(odbc_, statement_, 1)) bench::Fail("ODBC failed");
    Execute("{call sp_executesql(?,?,?)}");
    if (Rows() == 0) bench::Fail("no rows");
    Check(odbc_.more_results(statement_));
    if (Rows() == 0) bench::Fail("no depth");
    odbc_.free_stmt(statement_, SQL_CLOSE);
    odbc_.free_stmt(statement_, SQL_RESET_PARAMS);
  }

 private:
  void Execute(std::string_view sql) {
    std::vector<SQLWCHAR> text = db::ToWide(sql);
    Check(odbc_.exec_direct(statement_, text.data(), static_cast<SQLINTEGER>(text.size())));
  }

  std::size_t Rows() {
    SQLSMALLINT columns = 0;
    odbc_.num_result_cols(statement_, &columns);
    std::size_t bytes = 0;
    while (SQL_SUCCEEDED(odbc_.fetch(statement_))) {
      for (SQLUSMALLINT i = 1; i <= columns; ++i) {
        char value[256];
        SQLLEN size = 0;
        Check(odbc_.get_data(statement_, i, SQL_C_CHAR, value, sizeof value, &size));
        bytes += static_cast<std::size_t>(size);
      }
    }
    return bytes;
  }

  const std::string container_ = db::ReadContainer(0);
  const db::Libodbc& odbc_;
  SQLHENV environment_ = nullptr;
  SQLHDBC connection_ = nullptr;
  SQLHSTMT statement_ = nullptr;
};

class Counting final : public db::RowSink {
 public:
  void Begin(std::span<const db::ResultColumn>) override {}
  bool Add(std::span<const db::Cell> row) override {
    for (const db::Cell& cell : row) bytes += cell.text.size();
    return true;
  }
  std::size_t bytes = 0;
};

void ReadThrough(db::SqlServer& server, std::string_view sql) {
  Counting sink;
  const auto outcome = server.Read(
      {.sql = sql, .deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60)}, sink);
  if (!outcome) bench::Fail(outcome.error().message);
  if (sink.bytes == 0) bench::Fail("no rows");
}

// ExecuteQuery on that server, as the registry calls it.
class QueryTool {
 public:
  explicit QueryTool(std::shared_ptr<db::SqlServer> server) {
    config::Config config;
    config.mssql.connection_string = "Server=bench;User Id=sa;Password=x";
    config.mssql.max_bytes = std::size_t{1} << 20;
    auto vault = std::make_shared<store::Vault>(
        std::make_shared<store::Store>(store::StoreOptions{{}, "/nonexistent"}),
        store::KeyMaterial{});
    auto services = tools::mssql::MakeServices(
        config, std::move(vault),
        [server = std::move(server)](const db::SqlServerLogin&) {
          return Result<std::shared_ptr<db::SqlServer>>(server);
        },
        [] { return false; });
    if (!services) bench::Fail(services.error().message);
    tool_ = tools::mssql::ExecuteQueryTool(*std::move(services));
  }

  static JsonObject ArgumentsOf(std::string_view sql) {
    return {{"query", sql}, {"maxRows", 1000}, {"maxBytes", 1'000'000}};
  }
  void Read(const JsonObject& arguments) {
    const auto called = tool_.handler(arguments, context_);
    if (!called) bench::Fail(called.error().message);
    if (called->structured_text.find(R"("truncated":false)") == std::string::npos)
      bench::Fail("not all rows");
  }

 private:
  Tool tool_;
  mcp::TestContext context_;
};

template <typename Action>
double Median(int runs, Action action) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const std::uint64_t begin = bench::Now();
    action();
    times.push_back(static_cast<double>(bench::Now() - begin) / 1e3);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

// In turns, and the least disturbed of ten medians: all meet the same machine.
void Compare(const char* name, int rounds, Bare& bare, db::SqlServer& server, QueryTool& tool,
             std::string_view sql) {
  const JsonObject arguments = QueryTool::ArgumentsOf(sql);
  double direct = 1e9, contained = 1e9, through = 1e9, called = 1e9;
  for (int i = 0; i < 10; ++i) {
    direct = std::min(direct, Median(rounds, [&] { bare.Read(sql); }));
    contained = std::min(contained, Median(rounds, [&] { bare.ReadContained(sql); }));
    through = std::min(through, Median(rounds, [&] { ReadThrough(server, sql); }));
    called = std::min(called, Median(rounds, [&] { tool.Read(arguments); }));
  }
  std::printf(
      "\"%s_bare_us\": %.1f, \"%s_contained_us\": %.1f, \"%s_read_us\": %.1f, \"%s_tool_us\": "
      "%.1f, ",
      name, direct, name, contained, name, through, name, called);
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 500;
  // As the server does.
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  base::ConfigureLog(base::Severity::kOff, base::LogFormat::kText);
  auto script = tds_server::ParseScript(Script());
  if (!script) bench::Fail(script.error().message);
  const auto tds = tds_server::Server::Start(*std::move(script));
  if (!tds) bench::Fail(tds.error().message);
  db::OdbcServerOptions options;
  options.login = {.host = "127.0.0.1",
                   .port = (*tds)->port(),
                   .user = "sa",
                   .password = "x",
                   .encryption = db::SqlServerLogin::Encryption::kNone};
  options.max_connections = 64;
  options.guard = [](std::string_view sql, std::span<const std::string_view> parameters) {
    return db::GuardTsqlStatement(sql, {.parameters = parameters, .databases = {}});
  };
  const auto server = db::OpenOdbcServer(options);
  if (!server) bench::Fail(server.error().message);
  const auto odbc = db::Libodbc::Load();
  const auto driver = db::OdbcDriver::Find(**odbc);
  Bare bare(**odbc, *db::OdbcConnectionString(**driver, options.login, ""));
  QueryTool tool(*server);
  std::printf("{");
  Compare("row", runs / 10, bare, **server, tool, "SELECT 1");
  Compare("page", std::max(runs / 20, 5), bare, **server, tool, "SELECT 100");
  Compare("rows", std::max(runs / 100, 5), bare, **server, tool, "SELECT 1000");
  const std::uint64_t begin = bench::Now();
  std::vector<std::thread> callers;
  for (int i = 0; i < 64; ++i) {
    callers.emplace_back([&] { ReadThrough(**server, "SELECT 'slow' AS a"); });
  }
  for (std::thread& caller : callers) caller.join();
  std::printf("\"slow_ms\": %.1f}\n", static_cast<double>(bench::Now() - begin) / 1e6);
}
