// database/explain.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json_parse.h"
#include "base/strings.h"
#include "tools/database/arguments.h"
#include "tools/database/collect.h"
#include "tools/database/plan_summary.h"

namespace toolpost::tools::database {
namespace {

struct Args {
  std::string query;
  Json params;
  bool analyze = false;
  std::string connection;
  static constexpr auto Fields() {
    return std::tuple{Req("query", &Args::query, "One SELECT.").MinLength(1),
                      Opt("params", &Args::params, "Its values."),
                      Opt("analyze", &Args::analyze, "Run it (PostgreSQL)."),
                      Opt("connection", &Args::connection, "Which database.")};
  }
};

struct Out {
  std::vector<std::string> summary;
  Json plan;
  static constexpr auto Fields() {
    return std::tuple{Req("summary", &Out::summary),
                      Opt("plan", &Out::plan, "As the engine has it.")};
  }
};

Result<Out> ExplainPostgres(const DatabaseServices& services, db::Database& database,
                            const Args& args, CallContext& context) {
  // A statement that brings its own EXPLAIN, or more than one, is refused by the guard.
  const std::string sql = base::StrCat(
      args.analyze ? "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " : "EXPLAIN (FORMAT JSON) ",
      args.query);
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      Collect(services, database, sql, args.params.is_null() ? nullptr : &args.params, context));
  std::string text;
  for (const TextRow& row : rows) {
    if (!row.empty()) text.append(row.front());
  }
  ASSIGN_OR_RETURN(Json plan, base::ParseJson(text));
  return Out{SummaryOfPostgresPlan(plan), std::move(plan)};
}

Result<Out> ExplainSqlite(const DatabaseServices& services, db::Database& database,
                          const Args& args, CallContext& context) {
  if (args.analyze) return Error::InvalidParams("SQLite cannot measure a query: leave analyze out");
  ASSIGN_OR_RETURN(const std::vector<TextRow> rows,
                   Collect(services, database, base::StrCat("EXPLAIN QUERY PLAN ", args.query),
                           args.params.is_null() ? nullptr : &args.params, context));
  JsonArray plan;
  for (const TextRow& row : rows) {
    if (row.size() >= 4)
      plan.push_back(JsonObject{{"id", row[0]}, {"parent", row[1]}, {"detail", row[3]}});
  }
  return Out{SummaryOfSqlitePlan(rows), std::move(plan)};
}

Result<Out> Run(const DatabaseServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(args.connection, context.principal()));
  return database->dialect() == db::Dialect::kSqlite
             ? ExplainSqlite(services, *database, args, context)
             : ExplainPostgres(services, *database, args, context);
}

}  // namespace

Tool ExplainTool(DatabaseServices services) {
  Tool tool = ReadingTool(
      {.name = "database/explain",
       .title = "Explain a query",
       .description = "How the database would run a SELECT, in a few lines and in full."},
      std::move(services), Run);
  tool.input_schema = LateJson(&InputSchemaWithParams<Args>);
  return tool;
}

}  // namespace toolpost::tools::database
