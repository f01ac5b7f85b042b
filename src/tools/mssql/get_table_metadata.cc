// mssql/GetTableMetadata.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/mssql/catalog.h"
#include "tools/mssql/catalog_arguments.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/object_types.h"
#include "tools/page.h"

namespace toolpost::tools::mssql {
namespace {

struct Args : CatalogArgs {
  static constexpr auto Fields() {
    return std::tuple_cat(CatalogFields<Args>(),
                          std::tuple{Opt("detail", &Args::detail, "summary: names and columns.")
                                         .OneOf({"names", "summary", "full"})
                                         .Default("full")});
  }
};

struct Out {
  std::vector<ObjectView> tables;
  std::int64_t count = 0;
  std::optional<std::string> next_cursor;
  static constexpr auto Fields() {
    return std::tuple{Req("tables", &Out::tables), Req("count", &Out::count),
                      Opt("nextCursor", &Out::next_cursor, "There are more tables.")};
  }
};

Result<Output> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const CatalogFilter filter, FilterOf(args, TypeCodes("TABLE")));
  ASSIGN_OR_RETURN(const Statements statements,
                   Statements::On(services, args.connection_name, context));
  const bool full = args.detail == "full";
  ASSIGN_OR_RETURN(CatalogPage page,
                   ReadCatalog(statements, filter,
                               {.summary = full, .columns = args.detail != "names", .keys = full},
                               services.result_chars - kRestOfPage));
  Out out;
  out.tables = std::move(page.objects);
  out.count = static_cast<std::int64_t>(out.tables.size());
  out.next_cursor = std::move(page.next_cursor);
  return WithSentence(Encode(out), "Table metadata retrieved successfully", context);
}

}  // namespace

Tool GetTableMetadataTool(MssqlServices services) {
  Tool tool = ServerTool(InfoOf("GetTableMetadata", "mssql_get_table_metadata", "Table metadata",
                                "Tables of a SQL Server database: columns, keys, indexes."),
                         std::move(services), Run);
  tool.output_schema = LateJson(&OutputSchemaOf<Out>);
  return tool;
}

}  // namespace toolpost::tools::mssql
