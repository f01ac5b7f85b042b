// The sample database.
#include "db/postgres_database_fixture.h"

#include <stdlib.h>

#include "base/strings.h"

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReaderPassword = "planted-reader-password";

constexpr const char* kSchema[] = {
    "CREATE TABLE customers (id bigint PRIMARY KEY, name text NOT NULL, country text, "
    "joined date DEFAULT CURRENT_DATE, tags text[], profile jsonb)",
    "INSERT INTO customers SELECT i, 'customer ' || i, (ARRAY['DE','FR','US'])[1 + i % 3], "
    "DATE '2020-01-01' + i, ARRAY['t' || i % 5, 'x'], jsonb_build_object('score', i) "
    "FROM generate_series(1, 50) i",
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')",
    "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
    "CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "customer bigint NOT NULL REFERENCES customers ON DELETE CASCADE, "
    "amount numeric(12,2) NOT NULL CHECK (amount >= 0), placed timestamptz DEFAULT now(), "
    "mood mood, total numeric GENERATED ALWAYS AS (amount * 1.2) STORED)",
    "COMMENT ON TABLE orders IS 'What was ordered'",
    "COMMENT ON COLUMN orders.amount IS 'without tax'",
    "CREATE INDEX orders_big ON orders (lower(amount::text), placed) WHERE amount > 100",
    "INSERT INTO orders (customer, amount, mood, placed) SELECT 1 + i % 50, i * 1.5, 'ok', "
    "TIMESTAMPTZ '2024-01-01' + i * interval '1 hour' FROM generate_series(1, 200) i",
    "CREATE TABLE page (page_number int, page_size int, http_status int, lo_date date, random int)",
    "INSERT INTO page VALUES (1, 2, 200, DATE '2024-01-01', 4)",
    "CREATE TABLE measurements (at date NOT NULL, value int) PARTITION BY RANGE (at)",
    "CREATE TABLE measurements_2024 PARTITION OF measurements "
    "FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
    "INSERT INTO measurements SELECT DATE '2024-01-01' + i, i FROM generate_series(1, 100) i",
    "CREATE VIEW rich AS SELECT customer, sum(amount) AS spent FROM orders GROUP BY customer",
    "CREATE MATERIALIZED VIEW spent AS SELECT * FROM rich",
    "CREATE SEQUENCE counter",
    "SELECT nextval('counter')",
    "SELECT lo_from_bytea(4242, 'large')",
    "CREATE FUNCTION pure(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 + 1'",
    "CREATE FUNCTION sneaky(int) RETURNS int LANGUAGE plpgsql AS "
    "'BEGIN PERFORM pg_advisory_lock($1); RETURN $1; END'",
    "CREATE FUNCTION liar(int) RETURNS int STABLE LANGUAGE plpgsql AS "
    "'BEGIN PERFORM pg_advisory_lock($1); RETURN $1; END'",
    "CREATE FUNCTION writer() RETURNS int LANGUAGE sql AS "
    "'INSERT INTO page VALUES (9,9,9) RETURNING 1'",
    "CREATE FUNCTION definer() RETURNS text STABLE SECURITY DEFINER LANGUAGE sql AS "
    "'SELECT rolpassword::text FROM pg_authid LIMIT 1'",
    "CREATE FUNCTION row_sneaky(customers) RETURNS int LANGUAGE plpgsql AS "
    "'BEGIN PERFORM pg_advisory_lock(77); RETURN 1; END'",
    "CREATE OPERATOR <!> (LEFTARG = int, RIGHTARG = int, FUNCTION = sneaky_pair)",
    "CREATE AGGREGATE sneaky_sum(int) (SFUNC = sneaky_pair, STYPE = int)",
    "CREATE FUNCTION unknown_code(int, int) RETURNS int IMMUTABLE LANGUAGE internal AS 'int4pl'",
    "CREATE AGGREGATE unknown_sum(int) (SFUNC = unknown_code, STYPE = int)",
    "CREATE AGGREGATE pure_sum(int) (SFUNC = int4pl, STYPE = int)",
    "CREATE FUNCTION keep_first(anyelement, anyelement) RETURNS anyelement IMMUTABLE LANGUAGE sql "
    "AS 'SELECT $1'",
    "CREATE AGGREGATE first_of(anyelement) (SFUNC = keep_first, STYPE = anyelement)",
    "CREATE TYPE float_range AS RANGE (SUBTYPE = float8, MULTIRANGE_TYPE_NAME = float_ranges)",
    "CREATE TYPE sticky AS (x int)",
    "CREATE FUNCTION to_sticky(int) RETURNS sticky LANGUAGE plpgsql AS "
    "'BEGIN PERFORM pg_advisory_lock($1); RETURN ROW($1); END'",
    "CREATE CAST (int AS sticky) WITH FUNCTION to_sticky(int)",
    "CREATE VIEW trap AS SELECT liar(99) AS x",
    "CREATE DOMAIN locking AS int CHECK (liar(VALUE) > 0)",
    "CREATE TYPE holds_locking AS (a locking)",
    "CREATE TABLE safes (one holds_locking, many locking[])",
    "INSERT INTO safes VALUES (NULL, NULL)",
    // What the guard keeps from callers and tests must see.
    "CREATE SCHEMA session",
    "CREATE VIEW session.statements AS SELECT * FROM pg_prepared_statements",
    "CREATE VIEW session.cursors AS SELECT * FROM pg_cursors",
    "CREATE SCHEMA app",
    "CREATE TABLE app.settings (key text PRIMARY KEY, value text)",
    "CREATE FUNCTION app.twice(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 * 2'",
};

constexpr const char* kExtensions[] = {
    "pg_trgm",    "hstore",    "citext",        "pgcrypto", "uuid-ossp",  "tablefunc",
    "ltree",      "unaccent",  "fuzzystrmatch", "cube",     "intarray",   "dblink",
    "pgrowlocks", "adminpack", "pageinspect",   "xml2",     "pg_prewarm", "tsm_system_rows",
    "lo"};

// Of the suite that runs.
struct Sample {
  std::string url, reader_url;
  std::unique_ptr<Postgres> admin;
  fs::path drop;
};

Sample& TheSample() {
  static Sample sample;
  return sample;
}

std::string Text(const Cell& cell) {
  return cell.kind == CellKind::kNull ? std::string("null") : std::string(cell.text);
}

}  // namespace

void KeptRows::Begin(std::span<const ResultColumn> header) {
  ++begun;
  columns.assign(header.begin(), header.end());
}

bool KeptRows::Add(std::span<const Cell> row) {
  auto& texts = rows.emplace_back();
  auto& classes = kinds.emplace_back();
  for (const Cell& cell : row) {
    texts.push_back(Text(cell));
    classes.push_back(cell.kind);
  }
  return rows.size() < limit_;
}

Sql& PostgresDatabaseTest::admin() { return *TheSample().admin; }
const std::string& PostgresDatabaseTest::url() { return TheSample().url; }
const fs::path& PostgresDatabaseTest::drop_directory() { return TheSample().drop; }

void PostgresDatabaseTest::SetUpTestSuite() {
  Sample& sample = TheSample();
  sample.url = PostgresServer::Get().NewDatabase();
  sample.admin = Postgres::Open({.url = sample.url}).value();
  const auto run = [&](const std::string& sql) {
    const auto done = sample.admin->Query(sql);
    if (!done) ADD_FAILURE() << sql << ": " << done.error().message;
  };
  run("CREATE FUNCTION sneaky_pair(int, int) RETURNS int LANGUAGE plpgsql AS "
      "'BEGIN PERFORM pg_advisory_lock($1); RETURN $1; END'");
  for (const char* sql : kSchema) run(sql);
  for (const char* name : kExtensions) run(base::StrCat("CREATE EXTENSION \"", name, "\""));
  run(base::StrCat("DO $$ BEGIN CREATE ROLE plain_reader LOGIN PASSWORD '", kReaderPassword,
                   "'; EXCEPTION WHEN duplicate_object THEN NULL; END $$"));
  run("GRANT USAGE ON SCHEMA session TO plain_reader");
  run("GRANT SELECT ON ALL TABLES IN SCHEMA public, session TO plain_reader");
  run("ALTER SYSTEM SET autovacuum = off");
  run("SELECT pg_reload_conf()");
  run("ANALYZE");
  sample.reader_url = sample.url;
  const std::string owner = base::StrCat("toolpost:", PostgresServer::kPassword);
  sample.reader_url.replace(sample.reader_url.find(owner), owner.size(),
                            base::StrCat("plain_reader:", kReaderPassword));
  std::string pattern = (fs::temp_directory_path() / "toolpost-drop-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  sample.drop = pattern;
  fs::permissions(sample.drop, fs::perms::all);
}

void PostgresDatabaseTest::TearDownTestSuite() {
  TheSample().admin.reset();
  fs::remove_all(TheSample().drop);
}

std::unique_ptr<Database> PostgresDatabaseTest::Open(int connections) {
  return OpenPostgresDatabase({.url = TheSample().url, .max_connections = connections}).value();
}

std::unique_ptr<Database> PostgresDatabaseTest::OpenAsReader(int connections) {
  return OpenPostgresDatabase({.url = TheSample().reader_url, .max_connections = connections})
      .value();
}

Result<void> PostgresDatabaseTest::Read(Database& database, std::string_view sql, RowSink& sink,
                                        const Json* parameters) {
  return database.Read({.sql = sql,
                        .parameters = parameters,
                        .deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30),
                        .stop = {}},
                       sink);
}

std::string PostgresDatabaseTest::Value(Database& database, std::string_view sql,
                                        const Json* parameters) {
  KeptRows rows;
  const Result<void> done = Read(database, sql, rows, parameters);
  if (!done) return "ERROR: " + done.error().message;
  return rows.rows.size() == 1 && rows.rows[0].size() == 1 ? rows.rows[0][0] : "not one value";
}

std::string PostgresDatabaseTest::State() {
  const auto digest = admin().Query(
      "SELECT concat_ws('|', txid_snapshot_xmax(txid_current_snapshot()), "
      "(SELECT md5(string_agg(c::text, ',' ORDER BY oid)) FROM (SELECT oid, relname, relkind, "
      " relfilenode, relacl, relowner FROM pg_class WHERE relpersistence = 'p') c), "
      "(SELECT count(*) FROM pg_class WHERE relpersistence <> 'p'), "
      "(SELECT md5(string_agg(p::text, ',' ORDER BY p.oid)) FROM pg_proc p), "
      "(SELECT md5(string_agg(a::text, ',' ORDER BY a.oid)) FROM pg_authid a), "
      "(SELECT md5(string_agg(n::text, ',' ORDER BY n.oid)) FROM pg_namespace n), "
      "(SELECT md5(string_agg(n::text, ',')) FROM pg_db_role_setting n), "
      "(SELECT md5(string_agg(d::text, ',')) FROM pg_description d), "
      "(SELECT count(*) FROM pg_extension), (SELECT count(*) FROM pg_database), "
      "(SELECT md5(string_agg(l::text, ',')) FROM pg_largeobject l), "
      "(SELECT count(*) FROM pg_largeobject_metadata), "
      "(SELECT last_value || is_called::text FROM counter), "
      "(SELECT md5(string_agg(c::text, ',' ORDER BY id)) FROM customers c), "
      "(SELECT md5(string_agg(o::text, ',' ORDER BY id)) FROM orders o), "
      "(SELECT md5(string_agg(p::text, ',')) FROM page p), "
      "(SELECT count(*) FROM measurements), (SELECT count(*) FROM app.settings), "
      "(SELECT count(*) FROM pg_prepared_xacts), (SELECT count(*) FROM pg_replication_slots), "
      "(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), "
      "(SELECT count(*) FROM pg_locks WHERE mode LIKE '%Exclusive%' AND locktype = 'relation'), "
      "(SELECT count(*) FROM pg_replication_origin), (SELECT count(*) FROM pg_stat_activity "
      " WHERE state LIKE 'idle in transaction%'), "
      "(SELECT md5(string_agg(concat(name, '=', setting), ',' ORDER BY seqno)) "
      " FROM pg_file_settings), "
      "(SELECT md5(string_agg(f, ',' ORDER BY f)) FROM pg_ls_dir('.') f), "
      "(SELECT concat_ws(' ', d.stats_reset, b.stats_reset, w.stats_reset, a.stats_reset, "
      "  (SELECT max(stats_reset) FROM pg_stat_slru)) FROM pg_stat_database d, pg_stat_bgwriter b, "
      "  pg_stat_wal w, pg_stat_archiver a WHERE d.datname = current_database()))");
  std::string state = digest ? TextOr((*digest)[0][0], "?") : digest.error().message;
  for (const auto& file : fs::directory_iterator(drop_directory())) {
    state += "|" + file.path().filename().string();
  }
  return state;
}

// Settings with a dot come with a library, when its first function is called.
std::string PostgresDatabaseTest::SessionState(Database& database) {
  return Value(
      database,
      "SELECT concat_ws('|', current_setting('default_transaction_read_only'), "
      "current_setting('transaction_read_only'), current_setting('search_path'), "
      "current_setting('TimeZone'), current_setting('DateStyle'), current_setting('work_mem'), "
      "current_setting('row_security'), current_setting('role'), current_user, session_user, "
      "current_setting('lock_timeout'), current_setting('standard_conforming_strings'), "
      "(SELECT md5(string_agg(concat(name, '=', setting), ',' ORDER BY name)) FROM pg_settings "
      " WHERE name <> 'statement_timeout' AND name NOT LIKE '%.%'), "
      "(SELECT count(*) FROM session.statements WHERE name !~ '^toolpost_'), "
      "(SELECT count(*) FROM session.cursors WHERE name <> ''), "
      "(SELECT count(*) FROM pg_listening_channels()), "
      "(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'))");
}

}  // namespace toolpost::db
