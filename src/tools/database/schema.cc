// database/schema.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/database/arguments.h"
#include "tools/database/database.h"
#include "tools/database/run_query.h"
#include "tools/database/table_view.h"

namespace toolpost::tools::database {
namespace {

constexpr std::size_t kMaxName = 1000;  // bytes; no engine has longer ones

struct Args {
  std::string table;
  std::vector<std::string> tables;
  std::string schema;
  std::string connection;
  static constexpr auto Fields() {
    return std::tuple{Req("table", &Args::table, "Name.").MinLength(1),
                      Opt("tables", &Args::tables, "Further names.").MaxItems(50),
                      Opt("schema", &Args::schema, "Default: public (SQLite: main)."),
                      Opt("connection", &Args::connection, "Which database.")};
  }
};

struct Out : TableDetailsView {
  std::optional<std::vector<TableDetailsView>> tables;
  static constexpr auto Fields() {
    return std::tuple_cat(
        std::tuple{Req("table", &Out::table), Req("schema", &Out::schema), Req("type", &Out::type),
                   Opt("comment", &Out::comment), Opt("rows", &Out::rows, "An estimate."),
                   Req("columns", &Out::columns), Opt("primaryKey", &Out::primary_key),
                   Opt("foreignKeys", &Out::foreign_keys), Opt("indexes", &Out::indexes),
                   Opt("checks", &Out::checks)},
        std::tuple{Opt("tables", &Out::tables, "The further ones.")});
  }
};

Result<Output> Run(const DatabaseServices& services, const Args& args, CallContext& context) {
  const db::Patience patience = PatienceOf(services, context);
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(args.connection, context.principal(), patience));
  std::vector<std::string> names = {args.table};
  names.insert(names.end(), args.tables.begin(), args.tables.end());
  for (const std::string& name : names) {
    if (name.size() > kMaxName)
      return Error::NotFound(base::StrCat("There is no table with a name of ", name.size(),
                                          " bytes: database/tables lists them"));
  }
  if (args.schema.size() > kMaxName)
    return Error::NotFound(
        base::StrCat("There is no schema with a name of ", args.schema.size(), " bytes"));
  ASSIGN_OR_RETURN(const std::vector<db::TableDetails> found,
                   database->Describe(SchemaOf(*database, args.schema), names, patience));
  if (found.empty()) return Error::Internal("The database describes no table");
  Json reply = Encode(ViewOf(found.front()));
  if (found.size() > 1) {
    JsonArray further;
    for (std::size_t i = 1; i < found.size(); ++i) further.push_back(Encode(ViewOf(found[i])));
    reply.as_object()["tables"] = std::move(further);
  }
  return Output::Structured(std::move(reply));
}

}  // namespace

Tool SchemaTool(DatabaseServices services) {
  Tool tool = ReadingTool({.name = "database/schema",
                           .title = "Describe a table",
                           .description = "Columns, keys, indexes and checks of a table."},
                          std::move(services), Run);
  tool.output_schema = LateJson(&OutputSchemaOf<Out>);
  return tool;
}

}  // namespace toolpost::tools::database
