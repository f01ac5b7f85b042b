// database/top_queries.
#include <charconv>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/database/arguments.h"
#include "tools/database/collect.h"
#include "tools/database/run_query.h"

namespace toolpost::tools::database {
namespace {

struct Args {
  std::string sort;
  std::int64_t limit = 10;
  std::string connection;
  static constexpr auto Fields() {
    return std::tuple{
        Opt("sort", &Args::sort, "By time.").OneOf({"total", "mean", "calls"}).Default("total"),
        Opt("limit", &Args::limit, "Queries.").Range(1, 100).Default(10),
        Opt("connection", &Args::connection, "Which database.")};
  }
};

struct QueryUse {
  std::string query;
  std::int64_t calls = 0;
  double total_ms = 0;
  double mean_ms = 0;
  std::int64_t rows = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("query", &QueryUse::query), Req("calls", &QueryUse::calls),
                      Req("totalMs", &QueryUse::total_ms), Req("meanMs", &QueryUse::mean_ms),
                      Req("rows", &QueryUse::rows)};
  }
};

struct Out {
  std::vector<QueryUse> queries;
  static constexpr auto Fields() { return std::tuple{Req("queries", &Out::queries)}; }
};

template <typename Number>
Number Read(const std::string& text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Result<Out> Run(const DatabaseServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(args.connection, context.principal(),
                                             PatienceOf(services, context)));
  if (database->dialect() == db::Dialect::kSqlite)
    return Error::InvalidParams("SQLite keeps no statistics of queries: only PostgreSQL does");
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> present,
      Collect(services, *database,
              "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = "
              "e.extnamespace WHERE e.extname = 'pg_stat_statements'",
              nullptr, context));
  if (present.empty()) {
    return Error::NotFound(
        "The database has no extension pg_stat_statements: add it to shared_preload_libraries, "
        "restart the server and run CREATE EXTENSION pg_stat_statements");
  }
  const std::string_view order = args.sort == "mean"    ? "mean_exec_time"
                                 : args.sort == "calls" ? "calls"
                                                        : "total_exec_time";
  const Json parameters = JsonArray{args.limit};
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      Collect(services, *database,
              base::StrCat(
                  "SELECT CASE WHEN s.query = '<insufficient privilege>' THEN 'hidden: of "
                  "another account, seen with pg_read_all_stats' ELSE left(s.query, 1000) END, "
                  "s.calls, round(s.total_exec_time::numeric, "
                  "3), round(s.mean_exec_time::numeric, 3), s.rows FROM ",
                  present.front().front(),
                  ".pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = "
                  "current_database() ORDER BY s.",
                  order, " DESC LIMIT $1"),
              &parameters, context));
  Out out;
  for (const TextRow& row : rows) {
    if (row.size() < 5) continue;
    out.queries.push_back({row[0], Read<std::int64_t>(row[1]), Read<double>(row[2]),
                           Read<double>(row[3]), Read<std::int64_t>(row[4])});
  }
  return out;
}

}  // namespace

Tool TopQueriesTool(DatabaseServices services) {
  return ReadingTool(
      {.name = "database/top_queries",
       .title = "Costliest queries",
       .description = "Queries that took the most time, by pg_stat_statements (PostgreSQL)."},
      std::move(services), Run);
}

}  // namespace toolpost::tools::database
