// database/tables.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/crypto.h"
#include "base/strings.h"
#include "tools/database/arguments.h"
#include "tools/database/database.h"
#include "tools/database/run_query.h"
#include "tools/page.h"

namespace toolpost::tools::database {
namespace {

struct Args {
  std::string schema;
  std::string pattern;
  std::string connection;
  std::int64_t limit = 100;
  std::string cursor;
  static constexpr auto Fields() {
    return std::tuple{
        Opt("schema", &Args::schema, "Default: public (SQLite: main)."),
        Opt("pattern", &Args::pattern, "Names LIKE this, such as %order%.").MaxLength(200),
        Opt("connection", &Args::connection, "Which database."),
        Opt("limit", &Args::limit, "Tables.").Range(1, 1000).Default(100),
        Opt("cursor", &Args::cursor, "nextCursor of the last page.").MaxLength(2000)};
  }
};

struct TableView {
  std::string name;
  std::string type;
  std::optional<std::int64_t> rows;
  std::optional<std::int64_t> bytes;
  std::optional<std::string> comment;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &TableView::name), Req("type", &TableView::type),
                      Opt("rows", &TableView::rows, "An estimate."),
                      Opt("bytes", &TableView::bytes, "With indexes."),
                      Opt("comment", &TableView::comment)};
  }
};

struct ConnectionView {
  std::string name;
  std::string engine;
  std::optional<std::string> description;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &ConnectionView::name), Req("engine", &ConnectionView::engine),
                      Opt("description", &ConnectionView::description)};
  }
};

struct Out {
  std::string connection;
  std::string schema;
  std::vector<TableView> tables;
  std::int64_t count = 0;
  std::optional<std::string> next_cursor;
  std::optional<std::vector<std::string>> schemas;
  std::vector<ConnectionView> connections;
  static constexpr auto Fields() {
    return std::tuple{Req("connection", &Out::connection),
                      Req("schema", &Out::schema),
                      Req("tables", &Out::tables),
                      Req("count", &Out::count),
                      Opt("nextCursor", &Out::next_cursor),
                      Opt("schemas", &Out::schemas, "All, if there are several."),
                      Req("connections", &Out::connections, "All you may use.")};
  }
};

TableView ViewOf(const db::TableSummary& table) {
  TableView view;
  view.name = table.name;
  view.type = table.kind;
  view.rows = table.estimated_rows;
  view.bytes = table.bytes;
  if (!table.comment.empty()) view.comment = table.comment;
  return view;
}

ConnectionView ViewOf(const Connection& connection) {
  ConnectionView view;
  view.name = connection.name;
  view.engine = "unknown";
  if (connection.database != nullptr) {
    view.engine = connection.database->dialect() == db::Dialect::kSqlite ? "sqlite" : "postgresql";
  }
  if (!connection.description.empty()) view.description = connection.description;
  return view;
}

Result<Out> Run(const DatabaseServices& services, const Args& args, CallContext& context) {
  Out out;
  for (const auto& each : services.connections->For(context.principal()))
    out.connections.push_back(ViewOf(*each));
  out.connection = services.connections->Resolve(args.connection);
  // Of several none is meant: the caller chooses from the list.
  if (out.connection.empty() && !out.connections.empty()) return out;
  const db::Patience patience = PatienceOf(services, context);
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(out.connection, context.principal(), patience));
  out.schema = SchemaOf(*database, args.schema);
  db::TableFilter filter;
  filter.schema = out.schema;
  filter.pattern = args.pattern;
  filter.limit = static_cast<int>(args.limit);
  if (!args.cursor.empty()) {
    // The name of the last table: it opens nothing that the list would not show.
    const auto after = base::FromBase64Url(args.cursor);
    if (!after || !base::IsValidUtf8(*after))
      return Error::InvalidParams("cursor must be the nextCursor of the last page, unchanged");
    filter.after = *after;
  }
  ASSIGN_OR_RETURN(db::TablePage page, database->Tables(filter, patience));
  if (page.schemas.size() > 1) out.schemas = std::move(page.schemas);
  const std::size_t rest = JsonCharacters(Encode(out)) + kRestOfPage;
  for (const db::TableSummary& table : page.tables) out.tables.push_back(ViewOf(table));
  out.next_cursor =
      CutPage(out.tables, page.more, services.result_chars - std::min(services.result_chars, rest),
              [](const TableView& last) { return base::ToBase64Url(last.name); });
  out.count = static_cast<std::int64_t>(out.tables.size());
  return out;
}

}  // namespace

Tool TablesTool(DatabaseServices services) {
  return ReadingTool(
      {.name = "database/tables",
       .title = "List tables",
       .description = "Lists tables and views of a schema, and the connections there are."},
      std::move(services), Run);
}

}  // namespace toolpost::tools::database
