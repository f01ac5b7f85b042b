// database/explain.
#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json_parse.h"
#include "base/strings.h"
#include "tools/database/arguments.h"
#include "tools/database/collect.h"
#include "tools/database/plan_summary.h"
#include "tools/database/run_query.h"

namespace toolpost::tools::database {
namespace {

constexpr std::size_t kMostPlanRows = 1000;
constexpr std::size_t kMostIndexes = 10;
constexpr std::size_t kMostColumns = 32;  // what PostgreSQL allows

struct IndexArgs {
  std::string table;
  std::vector<std::string> columns;
  std::string schema;
  std::string method;
  static constexpr auto Fields() {
    return std::tuple{
        Req("table", &IndexArgs::table).MinLength(1),
        Req("columns", &IndexArgs::columns).MinLength(1).MinItems(1).MaxItems(kMostColumns),
        Opt("schema", &IndexArgs::schema),
        Opt("method", &IndexArgs::method).OneOf({"btree", "hash", "brin"}).Default("btree")};
  }
};

struct Args {
  std::string query;
  Json params;
  bool analyze = false;
  std::vector<IndexArgs> indexes;
  std::string connection;
  static constexpr auto Fields() {
    return std::tuple{
        Req("query", &Args::query, "One SELECT.").MinLength(1),
        Opt("params", &Args::params, "Its values."),
        Opt("analyze", &Args::analyze, "Run it (PostgreSQL)."),
        Opt("indexes", &Args::indexes, "Plan as if there were these (PostgreSQL with hypopg).")
            .MaxItems(kMostIndexes),
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

std::vector<db::HypotheticalIndex> IndexesOf(const db::Database& database, const Args& args) {
  std::vector<db::HypotheticalIndex> indexes;
  for (const IndexArgs& each : args.indexes) {
    indexes.push_back({std::string(SchemaOf(database, each.schema)), each.table, each.columns,
                       each.method.empty() ? "btree" : each.method});
  }
  return indexes;
}

// The engine counts characters from the beginning of what it was sent, the caller from that of the
// query.
Error WithoutPrefix(Error error, std::size_t prefix) {
  constexpr std::string_view kPosition = "(character ";
  const std::size_t found = error.message.rfind(kPosition);
  if (found == std::string::npos) return error;
  const std::size_t begin = found + kPosition.size();
  std::size_t position = 0;
  const auto read = std::from_chars(error.message.data() + begin,
                                    error.message.data() + error.message.size(), position);
  if (read.ec != std::errc() || position <= prefix) return error;
  const auto end = static_cast<std::size_t>(read.ptr - error.message.data());
  error.message.replace(begin, end - begin, std::to_string(position - prefix));
  return error;
}

Result<void> CheckNotExplained(std::string_view query) {
  constexpr std::string_view kWord = "EXPLAIN";
  query.remove_prefix(std::min(query.find_first_not_of(" \t\r\n"), query.size()));
  const std::string_view rest = query.substr(std::min(kWord.size(), query.size()));
  if (!base::EqualIgnoringCase(query.substr(0, kWord.size()), kWord) ||
      rest.find_first_of(" \t\r\n(") != 0) {
    return {};
  }
  return Error::InvalidParams("Leave EXPLAIN out of the query: this tool puts it there itself");
}

Result<Json> PostgresPlan(const DatabaseServices& services, db::Database& database,
                          const Args& args, std::span<const db::HypotheticalIndex> indexes,
                          CallContext& context) {
  // A statement that brings its own EXPLAIN, or more than one, is refused by the guard.
  const std::string_view prefix =
      args.analyze ? "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " : "EXPLAIN (FORMAT JSON) ";
  Result<std::vector<TextRow>> rows =
      Collect(services, database, base::StrCat(prefix, args.query),
              args.params.is_null() ? nullptr : &args.params, context, kMostPlanRows, indexes);
  if (!rows) return WithoutPrefix(std::move(rows).error(), prefix.size());
  std::string text;
  for (const TextRow& row : *rows) {
    if (!row.empty()) text.append(row.front());
  }
  return base::ParseJson(text);
}

Result<Out> ExplainPostgres(const DatabaseServices& services, db::Database& database,
                            const Args& args, CallContext& context) {
  if (args.analyze && !args.indexes.empty()) {
    return Error::InvalidParams(
        "What only could be cannot be measured: leave out either analyze or indexes");
  }
  ASSIGN_OR_RETURN(Json plan, PostgresPlan(services, database, args, {}, context));
  if (args.indexes.empty()) return Out{SummaryOfPostgresPlan(plan), std::move(plan)};
  const double without = CostOfPostgresPlan(plan);
  ASSIGN_OR_RETURN(plan,
                   PostgresPlan(services, database, args, IndexesOf(database, args), context));
  std::vector<std::string> summary = SummaryOfPostgresPlan(plan);
  summary.push_back(Comparison(without, CostOfPostgresPlan(plan)));
  return Out{std::move(summary), std::move(plan)};
}

Result<Out> ExplainSqlite(const DatabaseServices& services, db::Database& database,
                          const Args& args, CallContext& context) {
  if (args.analyze) return Error::InvalidParams("SQLite cannot measure a query: leave analyze out");
  if (!args.indexes.empty()) {
    return Error::InvalidParams("SQLite knows no hypothetical indexes: leave indexes out");
  }
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
  RETURN_IF_ERROR(CheckNotExplained(args.query));
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(args.connection, context.principal(),
                                             PatienceOf(services, context)));
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
