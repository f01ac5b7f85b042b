// pg_proc, pg_operator, pg_cast, pg_type and the account.
#include "db/postgres_catalog.h"

#include <charconv>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::db {
namespace {

using Rows = std::vector<std::vector<PostgresParameter>>;

// An aggregate is as volatile as the functions it is made of, and as trusted; PostgreSQL itself
// calls it internal, and so it calls the constructors of range types.
constexpr std::string_view kFunctions = R"(
SELECT n.nspname, p.proname, coalesce(e.extname, ''),
  bool_or(p.provolatile = 'v' OR s.volatile), bool_or(p.prosecdef OR s.definer),
  bool_or(coalesce(s.untrusted, false) OR NOT (l.lanpltrusted OR p.prokind = 'a'
    OR (l.lanname = 'internal' AND p.prosrc ~ '^(multi)?range_constructor[0-3]$'))),
  bool_or(p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1)
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::regclass
  AND d.objid = p.oid AND d.deptype = 'e'
LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
LEFT JOIN (
  SELECT a.aggfnoid AS oid, bool_or(f.provolatile = 'v') AS volatile,
    bool_or(f.prosecdef) AS definer,
    bool_or(NOT fl.lanpltrusted AND fn.nspname <> 'pg_catalog') AS untrusted
  FROM pg_catalog.pg_aggregate a
  JOIN pg_catalog.pg_proc ap ON ap.oid = a.aggfnoid
    AND ap.pronamespace <> 'pg_catalog'::regnamespace
  JOIN pg_catalog.pg_proc f ON f.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn,
    a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
  JOIN pg_catalog.pg_language fl ON fl.oid = f.prolang
  JOIN pg_catalog.pg_namespace fn ON fn.oid = f.pronamespace
  GROUP BY 1) s ON s.oid = p.oid
WHERE n.nspname !~ '^pg_(toast|temp)'
GROUP BY 1, 2, 3)";

constexpr std::string_view kOperators = R"(
SELECT n.nspname, o.oprname, coalesce(e.extname, ''), bool_or(p.provolatile = 'v'),
  bool_or(p.prosecdef), bool_or(NOT l.lanpltrusted AND pn.nspname <> 'pg_catalog'), false
FROM pg_catalog.pg_operator o
JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
JOIN pg_catalog.pg_namespace pn ON pn.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_operator'::regclass
  AND d.objid = o.oid AND d.deptype = 'e'
LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
WHERE n.nspname <> 'pg_catalog'
GROUP BY 1, 2, 3)";

constexpr std::string_view kCasts = R"(
SELECT n.nspname, t.typname, coalesce(e.extname, ''), bool_or(p.provolatile = 'v'),
  bool_or(p.prosecdef), bool_or(NOT l.lanpltrusted AND n.nspname <> 'pg_catalog'),
  bool_or(c.castcontext = 'i')
FROM pg_catalog.pg_cast c
JOIN pg_catalog.pg_type t ON t.oid = c.casttarget
JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_cast'::regclass
  AND d.objid = c.oid AND d.deptype = 'e'
LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
WHERE n.nspname <> 'pg_catalog'
GROUP BY 1, 2, 3)";

// Of an array by its elements.
constexpr std::string_view kCodelessTypes = R"(
SELECT t.typname, coalesce(string_agg(DISTINCT x.extname, ' '), '')
FROM pg_catalog.pg_type t
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
JOIN pg_catalog.pg_namespace n ON n.oid = coalesce(e.typnamespace, t.typnamespace)
LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_type'::regclass
  AND d.objid = coalesce(e.oid, t.oid) AND d.deptype = 'e'
LEFT JOIN pg_catalog.pg_extension x ON x.oid = d.refobjid
GROUP BY 1
HAVING bool_and(n.nspname IN ('pg_catalog', 'information_schema') OR x.oid IS NOT NULL
  OR coalesce(e.typtype, t.typtype) = 'e'))";

// int2vector and oidvector call themselves arrays and are not printed as such.
constexpr std::string_view kTypes = R"(
SELECT t.oid, CASE WHEN e.oid IS NULL THEN t.typname ELSE e.typname || '[]' END,
  coalesce(nullif(e.typbasetype, 0), e.oid, 0), coalesce(e.typdelim, ','), t.typname
FROM pg_catalog.pg_type t
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A' AND t.typtype = 'b'
  AND t.oid NOT IN (22, 30)
LEFT JOIN pg_catalog.pg_class c ON c.oid = coalesce(nullif(t.typrelid, 0), e.typrelid)
WHERE )";

// Row types of tables are left out until they are met: there are two for each table.
constexpr std::string_view kMostTypes = "c.oid IS NULL OR c.relkind = 'c'";
constexpr std::string_view kTheseTypes = "t.oid = ANY($1::oid[])";

// What an account may become with SET ROLE counts as its own. Privileges that come by themselves
// are already among its own, so that the relations are gone through once, as a rule. From 16384 on
// they are not the system's.
constexpr std::string_view kAccount = R"(
WITH roles AS (
  SELECT m.*, m.oid = r.oid AS own,
    m.oid = r.oid OR NOT pg_catalog.pg_has_role(r.oid, m.oid, 'USAGE') AS apart
  FROM pg_catalog.pg_roles r JOIN pg_catalog.pg_roles m
    ON pg_catalog.pg_has_role(r.oid, m.oid, 'MEMBER')
  WHERE r.rolname = current_user),
relations AS (
  SELECT c.oid, c.relkind FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'f', 'S') AND n.nspname !~ '^pg_'
  AND n.nspname <> 'information_schema')
SELECT bool_or(rolsuper AND own), bool_or(rolsuper), bool_or(rolreplication), bool_or(rolbypassrls),
  bool_or(rolcreaterole), bool_or(rolcreatedb),
  string_agg(rolname, ' ' ORDER BY rolname) FILTER (
    WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files',
      'pg_execute_server_program', 'pg_signal_backend', 'pg_write_all_data', 'pg_maintain',
      'pg_checkpoint', 'pg_create_subscription')),
  bool_or(apart AND pg_catalog.has_database_privilege(oid, pg_catalog.current_database(), 'CREATE')),
  EXISTS (SELECT FROM roles m, pg_catalog.pg_namespace n WHERE m.apart AND n.nspname !~ '^pg_'
   AND pg_catalog.has_schema_privilege(m.oid, n.oid, 'CREATE')),
  EXISTS (SELECT FROM roles m, relations c WHERE m.apart AND c.relkind <> 'S'
   AND pg_catalog.has_table_privilege(m.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) OR
  EXISTS (SELECT FROM roles m, pg_catalog.pg_attribute a WHERE m.apart AND a.attacl IS NOT NULL
   AND a.attrelid >= 16384
   AND pg_catalog.has_column_privilege(m.oid, a.attrelid, a.attnum, 'INSERT, UPDATE')),
  EXISTS (SELECT FROM roles m, relations c WHERE m.apart AND CASE c.relkind WHEN 'S'
   THEN pg_catalog.has_sequence_privilege(m.oid, c.oid, 'USAGE, UPDATE') END),
  pg_catalog.pg_is_in_recovery()
FROM roles)";

constexpr std::string_view kSearchPath =
    "SELECT pg_catalog.unnest(pg_catalog.current_schemas(true))";

// A command that gives a passphrase has it in it as a rule.
constexpr std::string_view kSecretSettings = R"(
SELECT count(*) > 0 FROM pg_catalog.pg_settings
WHERE (name = 'primary_conninfo' AND setting ~* 'passw') OR
  (name = 'ssl_passphrase_command' AND setting <> ''))";

constexpr std::string_view kNotOnlyTables = R"(
SELECT EXISTS (
  SELECT FROM pg_catalog.jsonb_to_recordset($1::jsonb) AS w(s text, t text)
  JOIN pg_catalog.pg_class c ON c.relname = w.t
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE (CASE w.s WHEN '' THEN pg_catalog.pg_table_is_visible(c.oid) ELSE n.nspname = w.s END)
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND (c.relkind NOT IN ('r', 'p', 'm') OR c.relrowsecurity OR EXISTS (
    SELECT FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_type e ON e.oid = y.typelem AND y.typcategory = 'A'
    WHERE a.attrelid = c.oid AND coalesce(e.typtype, y.typtype) IN ('c', 'd')))))";

std::string Text(const PostgresParameter& value) { return value.value_or(std::string()); }
bool True(const PostgresParameter& value) { return value == "t"; }

Oid Number(const PostgresParameter& value) {
  Oid number = 0;
  if (value) std::from_chars(value->data(), value->data() + value->size(), number);
  return number;
}

Result<std::vector<OperatorFacts>> ReadOperators(PostgresSession& session, std::string_view sql,
                                                 const Patience& patience) {
  ASSIGN_OR_RETURN(
      const Rows rows,
      session.Rows({.sql = sql, .deadline = patience.deadline, .stop = patience.stop}));
  std::vector<OperatorFacts> facts;
  for (const auto& row : rows) {
    facts.push_back({Text(row[0]), Text(row[1]), Text(row[2]), True(row[3]), True(row[4]),
                     True(row[5]), True(row[6])});
  }
  return facts;
}

Result<CatalogFacts> ReadFacts(PostgresSession& session, const Patience& patience) {
  CatalogFacts facts;
  ASSIGN_OR_RETURN(
      const Rows path,
      session.Rows({.sql = kSearchPath, .deadline = patience.deadline, .stop = patience.stop}));
  for (const auto& row : path) facts.search_path.push_back(Text(row[0]));
  ASSIGN_OR_RETURN(
      const Rows functions,
      session.Rows({.sql = kFunctions, .deadline = patience.deadline, .stop = patience.stop}));
  for (const auto& row : functions) {
    facts.functions.push_back({Text(row[0]), Text(row[1]), Text(row[2]), True(row[3]), True(row[4]),
                               True(row[5]), True(row[6])});
  }
  ASSIGN_OR_RETURN(facts.operators, ReadOperators(session, kOperators, patience));
  ASSIGN_OR_RETURN(facts.casts, ReadOperators(session, kCasts, patience));
  ASSIGN_OR_RETURN(
      const Rows types,
      session.Rows({.sql = kCodelessTypes, .deadline = patience.deadline, .stop = patience.stop}));
  for (const auto& row : types) {
    CodelessType& type = facts.codeless_types.emplace_back(CodelessType{Text(row[0]), {}});
    if (Text(row[1]).empty()) continue;
    for (const std::string_view one : base::Split(*row[1], ' ')) type.extensions.emplace_back(one);
  }
  ASSIGN_OR_RETURN(
      const Rows secrets,
      session.Rows({.sql = kSecretSettings, .deadline = patience.deadline, .stop = patience.stop}));
  facts.secret_settings = secrets.empty() || True(secrets[0][0]);
  return facts;
}

Result<std::vector<std::string>> ReadPrivileges(PostgresSession& session,
                                                const Patience& patience) {
  ASSIGN_OR_RETURN(
      const Rows rows,
      session.Rows({.sql = kAccount, .deadline = patience.deadline, .stop = patience.stop}));
  std::vector<std::string> out;
  if (rows.empty()) return out;
  const auto& row = rows[0];
  if (True(row[0])) return std::vector<std::string>{"superuser"};
  const auto add = [&](std::size_t first, std::initializer_list<std::string_view> words) {
    for (const std::string_view each : words) {
      if (True(row[first++])) out.emplace_back(each);
    }
  };
  add(1, {"may become a superuser", "may replicate", "bypasses row-level security",
          "may create roles", "may create databases"});
  if (row[6]) {
    for (const std::string_view role : base::Split(*row[6], ' ')) {
      out.push_back(base::StrCat("member of ", role));
    }
  }
  if (True(row[11])) return out;  // a standby cannot be written to
  add(7,
      {"may create schemas", "may create tables", "may write to tables", "may change sequences"});
  return out;
}

PostgresTypes::Map Types(const Rows& rows) {
  PostgresTypes::Map types;
  for (const auto& row : rows) {
    types[Number(row[0])] = {Text(row[1]), Number(row[2]), Text(row[3]).front()};
  }
  return types;
}

}  // namespace

Result<std::shared_ptr<const PostgresSnapshot>> ReadPostgresSnapshot(
    PostgresSession& session, const PostgresDatabaseOptions& options, const Patience& patience) {
  ASSIGN_OR_RETURN(CatalogFacts facts, ReadFacts(session, patience));
  const std::string types = base::StrCat(kTypes, kMostTypes);
  ASSIGN_OR_RETURN(
      const Rows rows,
      session.Rows({.sql = types, .deadline = patience.deadline, .stop = patience.stop}));
  for (const auto& row : rows) facts.types.push_back(Text(row[4]));
  ASSIGN_OR_RETURN(std::vector<std::string> privileges, ReadPrivileges(session, patience));
  return std::make_shared<const PostgresSnapshot>(PostgresSnapshot{
      FunctionPolicy(std::move(facts), options.function_schemas, options.trusted_extensions),
      std::make_unique<PostgresTypes>(Types(rows)), std::move(privileges),
      std::chrono::steady_clock::now()});
}

Result<void> LearnPostgresTypes(PostgresSession& session, const std::vector<Oid>& oids,
                                PostgresTypes& types, const Patience& patience) {
  std::string list = "{";
  for (const Oid oid : oids) list += base::StrCat(list.size() > 1 ? "," : "", oid);
  const PostgresParameter parameter = list + "}";
  const std::string sql = base::StrCat(kTypes, kTheseTypes);
  ASSIGN_OR_RETURN(const Rows rows, session.Rows({.sql = sql,
                                                  .parameters = {&parameter, 1},
                                                  .deadline = patience.deadline,
                                                  .stop = patience.stop}));
  types.Add(Types(rows));
  return {};
}

Result<bool> ReadsOnlyTables(PostgresSession& session, const std::vector<RelationName>& relations,
                             const Patience& patience) {
  JsonArray wanted;
  for (const RelationName& one : relations) {
    wanted.push_back(JsonObject{{"s", one.schema}, {"t", one.name}});
  }
  const PostgresParameter parameter = base::ToJson(Json(std::move(wanted)));
  ASSIGN_OR_RETURN(const Rows rows, session.Rows({.sql = kNotOnlyTables,
                                                  .parameters = {&parameter, 1},
                                                  .deadline = patience.deadline,
                                                  .stop = patience.stop}));
  return !rows.empty() && !True(rows[0][0]);
}

}  // namespace toolpost::db
