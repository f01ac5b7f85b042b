// database/query.
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "tools/database/arguments.h"
#include "tools/database/database.h"
#include "tools/database/run_query.h"

namespace toolpost::tools::database {
namespace {

constexpr std::int64_t kMaxLimit = 1'000'000;

struct Args {
  std::string query;
  Json params;
  std::int64_t limit = 100;
  std::string connection;
  std::string format;
  std::string cursor;
  static constexpr auto Fields() {
    return std::tuple{Req("query", &Args::query, "One SELECT.").MinLength(1),
                      Opt("params", &Args::params, "Values of $1, ? or :name."),
                      Opt("limit", &Args::limit, "Rows.").Range(1, kMaxLimit).Default(100),
                      Opt("connection", &Args::connection, kConnectionHelp),
                      Opt("format", &Args::format, "Of the rows.")
                          .OneOf({"json", "csv", "markdown"})
                          .Default("json"),
                      Opt("cursor", &Args::cursor, "nextCursor of the last page.")};
  }
};

Result<Output> Run(const DatabaseServices& services, const Args& args, CallContext& context) {
  return RunQuery(services,
                  {.connection = args.connection,
                   .statement = args.query,
                   .parameters = args.params.is_null() ? nullptr : &args.params,
                   .limit = static_cast<std::size_t>(args.limit),
                   .cursor = args.cursor,
                   .format = RowFormatOf(args.format)},
                  context);
}

}  // namespace

Tool QueryTool(DatabaseServices services) {
  Tool tool = ReadingTool(
      {.name = "database/query",
       .title = "Query a database",
       .description =
           "Runs one SELECT and returns its rows. Nothing can be changed. Pass values in "
           "params.",
       .run = toolpost::Run::kBrief},
      std::move(services), Run);
  tool.output_schema = LateJson(&OutputSchemaOf<QueryView>);
  tool.input_schema = LateJson(&InputSchemaWithParams<Args>);
  return tool;
}

}  // namespace toolpost::tools::database
