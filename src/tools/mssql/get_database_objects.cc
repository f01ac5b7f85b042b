// mssql/GetDatabaseObjectsMetadata and mssql/GetDatabaseObjectsByType.
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

template <typename Args>
constexpr auto DetailField() {
  return Opt("detail", &Args::detail, "full: with source.")
      .OneOf({"names", "summary", "full"})
      .Default("summary");
}

struct MetadataArgs : CatalogArgs {
  bool include_views = true;
  static constexpr auto Fields() {
    return std::tuple_cat(
        CatalogFields<MetadataArgs>(),
        std::tuple{DetailField<MetadataArgs>(),
                   Opt("includeViews", &MetadataArgs::include_views, "Views too.").Default(true)});
  }
};

struct TypeArgs : CatalogArgs {
  std::string object_type;
  static constexpr auto Fields() {
    return std::tuple_cat(
        CatalogFields<TypeArgs>(),
        std::tuple{DetailField<TypeArgs>(),
                   Opt("objectType", &TypeArgs::object_type,
                       "TABLE, VIEW, PROCEDURE, FUNCTION, TRIGGER, SYNONYM, SEQUENCE, TYPE or ALL.")
                       .MaxLength(20)
                       .Default("ALL")});
  }
};

struct Out {
  std::vector<ObjectView> objects;
  std::int64_t count = 0;
  std::optional<std::string> next_cursor;
  static constexpr auto Fields() {
    return std::tuple{Req("objects", &Out::objects), Req("count", &Out::count),
                      Opt("nextCursor", &Out::next_cursor, "There are more.")};
  }
};

Result<Out> Read(const MssqlServices& services, const CatalogArgs& args, std::string types,
                 CallContext& context) {
  ASSIGN_OR_RETURN(const CatalogFilter filter, FilterOf(args, std::move(types)));
  ASSIGN_OR_RETURN(const Statements statements,
                   Statements::On(services, args.connection_name, context));
  const bool full = args.detail == "full";
  ASSIGN_OR_RETURN(
      CatalogPage page,
      ReadCatalog(
          statements, filter,
          {.summary = args.detail != "names", .columns = full, .keys = full, .definition = full},
          services.result_chars - kRestOfPage));
  Out out;
  out.objects = std::move(page.objects);
  out.count = static_cast<std::int64_t>(out.objects.size());
  out.next_cursor = std::move(page.next_cursor);
  return out;
}

std::string Sentence(const Out& out, std::string_view what) {
  return base::StrCat(out.count, " ", what, out.next_cursor ? " on this page" : "",
                      out.next_cursor ? "; there are more" : "");
}

Result<Output> RunMetadata(const MssqlServices& services, const MetadataArgs& args,
                           CallContext& context) {
  std::string types;
  for (const std::string_view type : {"TABLE", "VIEW", "PROCEDURE", "FUNCTION"}) {
    if (type == "VIEW" && !args.include_views) continue;
    types.append(TypeCodes(type));
  }
  ASSIGN_OR_RETURN(const Out out, Read(services, args, std::move(types), context));
  return WithSentence(
      Encode(out),
      base::StrCat("Database objects metadata retrieved successfully: ", Sentence(out, "objects")),
      context);
}

Result<Output> RunByType(const MssqlServices& services, const TypeArgs& args,
                         CallContext& context) {
  std::string types = TypeCodes(args.object_type);
  if (types.empty()) {
    return Error::InvalidParams(
        "objectType must be TABLE, VIEW, PROCEDURE, FUNCTION, TRIGGER, SYNONYM, SEQUENCE, TYPE or "
        "ALL");
  }
  ASSIGN_OR_RETURN(const Out out, Read(services, args, std::move(types), context));
  return WithSentence(Encode(out),
                      base::StrCat("Database objects retrieved successfully: ",
                                   Sentence(out, base::StrCat("of type ", args.object_type))),
                      context);
}

}  // namespace

Tool GetDatabaseObjectsMetadataTool(MssqlServices services) {
  Tool tool = ServerTool(
      InfoOf("GetDatabaseObjectsMetadata", "mssql_get_database_objects_metadata",
             "Database objects", "Tables, views, procedures and functions of a database."),
      std::move(services), RunMetadata);
  tool.output_schema = LateJson(&OutputSchemaOf<Out>);
  return tool;
}

Tool GetDatabaseObjectsByTypeTool(MssqlServices services) {
  Tool tool = ServerTool(
      InfoOf("GetDatabaseObjectsByType", "mssql_get_database_objects_by_type",
             "Database objects by type", "Objects of a database of one type, or of all."),
      std::move(services), RunByType);
  tool.output_schema = LateJson(&OutputSchemaOf<Out>);
  return tool;
}

}  // namespace toolpost::tools::mssql
