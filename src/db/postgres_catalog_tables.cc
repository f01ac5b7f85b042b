// pg_class and what belongs to it.
#include <algorithm>
#include <charconv>
#include <map>

#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "db/postgres_catalog.h"

namespace toolpost::db {
namespace {

using Rows = std::vector<std::vector<PostgresParameter>>;

constexpr int kMostTables = 1000;

// c and its partitions of all depths. pg_partition_tree() would wait for those that are locked.
#define TOOLPOST_PARTITIONS                                          \
  "WITH RECURSIVE tree(oid, kind, toast, tuples) AS ("               \
  "SELECT c.oid, c.relkind, c.reltoastrelid, c.reltuples UNION ALL " \
  "SELECT p.oid, p.relkind, p.reltoastrelid, p.reltuples FROM tree " \
  "JOIN pg_catalog.pg_inherits i ON i.inhparent = tree.oid "         \
  "JOIN pg_catalog.pg_class p ON p.oid = i.inhrelid AND p.relispartition) "

// Partitions are folded into their table. A table that is locked, or has an index that is, has no
// size: asking for it would wait for the lock.
#define TOOLPOST_TABLE_COLUMNS                                                                   \
  "WITH locked AS MATERIALIZED (SELECT coalesce(i.indrelid, l.relation) AS oid "                 \
  "FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = l.relation "     \
  "WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.database = "           \
  "(SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())) "     \
  "SELECT n.nspname, c.relname, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' "      \
  "WHEN 'm' THEN 'materialized view' WHEN 'p' THEN 'partitioned table' "                         \
  "ELSE 'foreign table' END, "                                                                   \
  "CASE c.relkind WHEN 'v' THEN NULL WHEN 'p' THEN (" TOOLPOST_PARTITIONS                        \
  "SELECT sum(greatest(tuples, 0)) FROM tree WHERE kind <> 'p')::bigint "                        \
  "ELSE nullif(c.reltuples, -1)::bigint END, "                                                   \
  "CASE WHEN c.relkind IN ('r', 'm', 'p') THEN (" TOOLPOST_PARTITIONS                            \
  "SELECT CASE WHEN NOT EXISTS (SELECT FROM tree t JOIN locked l ON l.oid IN (t.oid, t.toast)) " \
  "THEN (SELECT sum(pg_catalog.pg_total_relation_size(t.oid)) FROM tree t) END)::bigint END, "   \
  "pg_catalog.obj_description(c.oid, 'pg_class') "                                               \
  "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "         \
  "WHERE n.nspname = $1 AND c.relkind IN ('r', 'v', 'm', 'p', 'f') "

constexpr std::string_view kTables = TOOLPOST_TABLE_COLUMNS
    "AND NOT c.relispartition AND ($2 = '' OR c.relname::text LIKE $2) "
    "AND c.relname::text COLLATE \"C\" > $3 COLLATE \"C\" "
    "ORDER BY c.relname::text COLLATE \"C\" LIMIT $4::int";

constexpr std::string_view kNamedTables = TOOLPOST_TABLE_COLUMNS "AND c.relname = ANY($2::name[])";

constexpr std::string_view kSchema = "SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1";

constexpr std::string_view kSchemas =
    "SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> "
    "'information_schema' AND pg_catalog.has_schema_privilege(oid, 'USAGE') "
    "ORDER BY nspname LIMIT 100";

constexpr std::string_view kColumns = R"(
SELECT c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
  pg_catalog.pg_get_expr(d.adbin, d.adrelid),
  CASE WHEN a.attidentity <> '' THEN 'identity' WHEN a.attgenerated = 's' THEN 'stored'
    WHEN a.attgenerated = 'v' THEN 'virtual' ELSE '' END,
  pg_catalog.col_description(c.oid, a.attnum),
  (SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e
   WHERE e.enumtypid IN (t.oid, t.typelem, t.typbasetype))
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE n.nspname = $1 AND c.relname = ANY($2::name[]) ORDER BY c.relname, a.attnum)";

constexpr std::string_view kConstraints = R"(
SELECT c.relname, k.contype,
  (SELECT pg_catalog.json_agg(a.attname ORDER BY u.i)
   FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY u(n, i)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n),
  CASE WHEN fn.nspname = n.nspname THEN f.relname ELSE fn.nspname || '.' || f.relname END,
  (SELECT pg_catalog.json_agg(a.attname ORDER BY u.i)
   FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY u(n, i)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n),
  CASE k.confdeltype WHEN 'r' THEN 'restrict' WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null'
    WHEN 'd' THEN 'set default' ELSE '' END,
  pg_catalog.pg_get_constraintdef(k.oid)
FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
LEFT JOIN pg_catalog.pg_namespace fn ON fn.oid = f.relnamespace
WHERE n.nspname = $1 AND c.relname = ANY($2::name[]) AND k.contype IN ('p', 'f', 'c')
ORDER BY c.relname, k.conname)";

constexpr std::string_view kIndexes = R"(
SELECT c.relname, x.relname, i.indisunique, m.amname,
  pg_catalog.pg_get_expr(i.indpred, i.indrelid),
  (SELECT pg_catalog.json_agg(pg_catalog.pg_get_indexdef(i.indexrelid, k, true) ORDER BY k)
   FROM pg_catalog.generate_series(1, i.indnkeyatts::int) k)
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
JOIN pg_catalog.pg_am m ON m.oid = x.relam
WHERE n.nspname = $1 AND c.relname = ANY($2::name[]) ORDER BY c.relname, x.relname)";

std::string Text(const PostgresParameter& value) { return value.value_or(std::string()); }

std::optional<std::int64_t> Number(const PostgresParameter& value) {
  std::int64_t number = 0;
  if (!value) return std::nullopt;
  std::from_chars(value->data(), value->data() + value->size(), number);
  return number;
}

// A JSON array of strings.
std::vector<std::string> Strings(const PostgresParameter& value) {
  std::vector<std::string> out;
  if (!value) return out;
  const Result<Json> parsed = base::ParseJson(*value);
  if (!parsed || !parsed->is_array()) return out;
  for (const Json& item : parsed->get_array()) {
    if (item.is_string()) out.emplace_back(std::string_view(item.get_string()));
  }
  return out;
}

TableSummary Summary(const std::vector<PostgresParameter>& row) {
  return {Text(row[0]), Text(row[1]), Text(row[2]), Number(row[3]), Number(row[4]), Text(row[5])};
}

std::string SchemaOr(std::string_view schema) {
  return schema.empty() ? std::string("public") : std::string(schema);
}

Result<void> CheckName(std::string_view name) {
  if (name.find('\0') == std::string_view::npos && base::IsValidUtf8(name)) return {};
  return Error::InvalidParams("A name contains a NUL character or is not UTF-8");
}

void AddColumn(TableDetails& table, const std::vector<PostgresParameter>& row) {
  ColumnDetails column;
  column.name = Text(row[1]);
  column.type = Text(row[2]);
  column.nullable = row[3] == "t";
  column.generated = Text(row[5]);
  column.default_value = Text(row[4]);
  column.comment = Text(row[6]);
  column.enum_values = Strings(row[7]);
  table.columns.push_back(std::move(column));
}

void AddConstraint(TableDetails& table, const std::vector<PostgresParameter>& row) {
  const std::string kind = Text(row[1]);
  if (kind == "p") {
    table.primary_key = Strings(row[2]);
  } else if (kind == "f") {
    table.foreign_keys.push_back({Strings(row[2]), Text(row[3]), Strings(row[4]), Text(row[5])});
  } else {
    table.checks.push_back(Text(row[6]));
  }
}

void AddIndex(TableDetails& table, const std::vector<PostgresParameter>& row) {
  table.indexes.push_back(
      {Text(row[1]), Strings(row[5]), row[2] == "t", Text(row[3]), Text(row[4])});
}

}  // namespace

Result<TablePage> ListPostgresTables(PostgresSession& session, const TableFilter& filter,
                                     const Patience& patience) {
  for (const std::string* text : {&filter.schema, &filter.pattern, &filter.after}) {
    RETURN_IF_ERROR(CheckName(*text));
  }
  const int limit = std::clamp(filter.limit, 1, kMostTables);
  const PostgresParameter parameters[] = {SchemaOr(filter.schema), filter.pattern, filter.after,
                                          std::to_string(limit + 1)};
  ASSIGN_OR_RETURN(const Rows rows, session.Rows({.sql = kTables,
                                                  .parameters = parameters,
                                                  .deadline = patience.deadline,
                                                  .stop = patience.stop}));
  TablePage page;
  for (const auto& row : rows) page.tables.push_back(Summary(row));
  page.more = page.tables.size() > static_cast<std::size_t>(limit);
  if (page.more) page.tables.pop_back();
  ASSIGN_OR_RETURN(
      const Rows schemas,
      session.Rows({.sql = kSchemas, .deadline = patience.deadline, .stop = patience.stop}));
  for (const auto& row : schemas) page.schemas.push_back(Text(row[0]));
  if (!page.tables.empty()) return page;
  ASSIGN_OR_RETURN(const Rows schema, session.Rows({.sql = kSchema,
                                                    .parameters = {parameters, 1},
                                                    .deadline = patience.deadline,
                                                    .stop = patience.stop}));
  if (!schema.empty()) return page;
  return Error::NotFound(base::StrCat("There is no schema ", *parameters[0], ": there are ",
                                      base::Join(page.schemas, ", ")));
}

Result<std::vector<TableDetails>> DescribePostgresTables(PostgresSession& session,
                                                         std::string_view schema,
                                                         std::span<const std::string> tables,
                                                         const Patience& patience) {
  RETURN_IF_ERROR(CheckName(schema));
  JsonArray names;
  for (const std::string& name : tables) {
    RETURN_IF_ERROR(CheckName(name));
    names.push_back(boost::json::string(name));
  }
  const PostgresType array{.name = "name[]", .element = 19};
  ASSIGN_OR_RETURN(const PostgresParameter wanted,
                   ToPostgresParameter(Json(std::move(names)), 0, &array));
  const PostgresParameter parameters[] = {SchemaOr(schema), wanted};
  const auto read = [&](std::string_view sql) {
    return session.Rows({.sql = sql,
                         .parameters = parameters,
                         .deadline = patience.deadline,
                         .stop = patience.stop});
  };
  std::map<std::string, TableDetails> found;
  ASSIGN_OR_RETURN(const Rows summaries, read(kNamedTables));
  for (const auto& row : summaries) found[Text(row[1])].summary = Summary(row);
  ASSIGN_OR_RETURN(const Rows columns, read(kColumns));
  ASSIGN_OR_RETURN(const Rows constraints, read(kConstraints));
  ASSIGN_OR_RETURN(const Rows indexes, read(kIndexes));
  const auto distribute = [&](const Rows& rows, auto add) {
    for (const auto& row : rows) {
      if (const auto table = found.find(Text(row[0])); table != found.end())
        add(table->second, row);
    }
  };
  distribute(columns, AddColumn);
  distribute(constraints, AddConstraint);
  distribute(indexes, AddIndex);
  std::vector<TableDetails> out;
  for (const std::string& name : tables) {
    const auto table = found.find(name);
    if (table == found.end()) {
      return Error::NotFound(
          base::StrCat("There is no table ", name, " in the schema ", *parameters[0],
                       name.find('.') == std::string::npos
                           ? ""
                           : ": pass the schema of the table as `schema`, not with its name"));
    }
    out.push_back(table->second);
  }
  return out;
}

}  // namespace toolpost::db
