// Statements that try to change something, and statements that must not be mistaken for such.
#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "base/strings.h"
#include "db/postgres_database_fixture.h"
#include "db/select_guard_postgres_text.h"

namespace toolpost::db {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Category {
  const char* name;
  std::vector<std::string> statements;
};

// DROP stands for a directory that the server may write to.
const std::vector<Category>& HostileStatements() {
  static const std::vector<Category> kCategories = {
      {"stacked",
       {"SELECT 1; DROP TABLE page", "SELECT 1; COMMIT; DROP TABLE page",
        "COMMIT; DELETE FROM page", "SELECT 1;; DELETE FROM page",
        "SELECT ';'; DELETE FROM page --'", "BEGIN; DELETE FROM page; COMMIT"}},
      {"comment and quote tricks",
       {"/* SELECT */ DELETE FROM page", "-- SELECT\nDELETE FROM page",
        "/* /* nested */ */ DELETE FROM page", "SELECT 1 /* ; */ ; DELETE FROM page",
        "SELECT $a$;$a$; DELETE FROM page", "SELECT E'\\'' ; DELETE FROM page --'",
        "SELECT U&'\\0027'; DELETE FROM page", "SELECT 'a''; '; DELETE FROM page"}},
      {"transaction control",
       {"COMMIT", "END", "ROLLBACK", "ABORT", "BEGIN", "START TRANSACTION READ WRITE",
        "COMMIT AND CHAIN", "SAVEPOINT a", "RELEASE a", "ROLLBACK TO a", "PREPARE TRANSACTION 'x'",
        "SET TRANSACTION READ WRITE", "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"}},
      {"session state",
       {"SET default_transaction_read_only = off",
        "SET LOCAL work_mem = '1GB'",
        "RESET ALL",
        "DISCARD ALL",
        "SET ROLE toolpost",
        "SET SESSION AUTHORIZATION toolpost",
        "SELECT set_config('work_mem', '1GB', false)",
        "SELECT pg_catalog.set_config('default_transaction_read_only', 'off', false)",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        "DEALLOCATE ALL",
        "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
        "FETCH 1 FROM c",
        "CLOSE ALL",
        "LISTEN x",
        "NOTIFY x",
        "UNLISTEN *",
        "SELECT pg_notify('x', 'y')",
        "SHOW ALL",
        "SHOW data_directory",
        "SELECT set_limit(0.5)",
        "LOAD 'auto_explain'"}},
      {"writes",
       {"INSERT INTO page VALUES (1)",
        "UPDATE page SET page_size = 0",
        "DELETE FROM page",
        "TRUNCATE page",
        ("MERGE INTO page USING customers c ON false WHEN NOT MATCHED THEN INSERT "
         "VALUES (1)"),
        "CREATE TABLE x (a int)",
        "CREATE TEMP TABLE x (a int)",
        "DROP TABLE page",
        "ALTER TABLE page ADD x int",
        "CREATE VIEW x AS SELECT 1",
        "CREATE INDEX ON page (page_size)",
        "REFRESH MATERIALIZED VIEW spent",
        "GRANT ALL ON page TO PUBLIC",
        "COMMENT ON TABLE page IS 'x'",
        "CREATE ROLE x SUPERUSER",
        "ALTER SYSTEM SET work_mem = '1GB'",
        "CREATE EXTENSION seg",
        "CREATE FUNCTION x() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "DO 'BEGIN DELETE FROM page; END'",
        "CALL x()",
        "IMPORT FOREIGN SCHEMA a FROM SERVER b INTO c",
        "SECURITY LABEL ON TABLE page IS 'x'",
        "REASSIGN OWNED BY toolpost TO toolpost",
        "CREATE DATABASE x",
        ("CREATE SUBSCRIPTION s "
         "CONNECTION 'x' PUBLICATION y"),
        "CREATE PUBLICATION p FOR ALL TABLES",
        "ALTER ROLE toolpost NOLOGIN"}},
      {"data-modifying CTEs",
       {"WITH x AS (DELETE FROM page RETURNING *) SELECT * FROM x",
        "WITH x AS (INSERT INTO page VALUES (1) RETURNING 1) SELECT 1",
        "WITH a AS (SELECT 1), b AS (UPDATE page SET page_size = 1 RETURNING 1) SELECT * FROM a, b",
        "WITH x AS (WITH y AS (DELETE FROM page RETURNING 1) SELECT * FROM y) SELECT * FROM x",
        ("WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r), d AS (DELETE FROM page "
         "RETURNING 1) "
         "SELECT 1"),
        "WITH x AS (SELECT 1) DELETE FROM page", "WITH x AS (SELECT 1) INSERT INTO page SELECT 1"}},
      {"SELECT INTO and locks",
       {"SELECT * INTO x FROM page", "SELECT * INTO TEMP x FROM page",
        "SELECT 1 AS a INTO UNLOGGED x", "SELECT * FROM page FOR UPDATE",
        "SELECT * FROM page FOR NO KEY UPDATE SKIP LOCKED", "SELECT * FROM page FOR SHARE",
        "SELECT * FROM (SELECT * FROM page FOR KEY SHARE) x",
        "WITH x AS (SELECT * FROM page FOR UPDATE) SELECT * FROM x",
        "SELECT (SELECT page_size FROM page LIMIT 1 FOR UPDATE)",
        "LOCK TABLE page IN ACCESS EXCLUSIVE MODE", "(SELECT * INTO x FROM page)",
        "SELECT * INTO x FROM page UNION SELECT * FROM page"}},
      {"EXPLAIN of writers",
       {"EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1",
        "EXPLAIN ANALYZE CREATE MATERIALIZED VIEW x AS SELECT 1",
        "EXPLAIN ANALYZE SELECT 1 AS a INTO x", "EXPLAIN ANALYZE DELETE FROM page",
        "EXPLAIN INSERT INTO page VALUES (1)", "EXPLAIN (ANALYZE) UPDATE page SET page_size = 0",
        "EXPLAIN ANALYZE EXECUTE p", "EXPLAIN ANALYZE DECLARE c CURSOR FOR SELECT 1",
        "EXPLAIN ANALYZE WITH x AS (DELETE FROM page RETURNING 1) SELECT * FROM x",
        "EXPLAIN ANALYZE REFRESH MATERIALIZED VIEW spent"}},
      {"COPY",
       {"COPY page TO 'DROP/copy'", "COPY (SELECT 1) TO 'DROP/copy'",
        "COPY page FROM '/etc/hostname'", "COPY (SELECT 1) TO PROGRAM 'touch DROP/program'",
        "COPY page TO STDOUT", "COPY page FROM STDIN",
        "COPY page FROM PROGRAM 'touch DROP/program'"}},
      {"large objects",
       {"SELECT lo_create(1)", "SELECT lo_creat(-1)", "SELECT lo_from_bytea(0, 'x')",
        "SELECT lo_put(4242, 0, 'x')", "SELECT lo_unlink(4242)",
        "SELECT lo_import('/etc/hostname')", "SELECT lo_export(4242, 'DROP/lo')",
        "SELECT lo_truncate(lo_open(4242, 131072), 0)",
        "SELECT lowrite(lo_open(4242, 131072), 'x')", "SELECT (4242::oid).lo_unlink",
        "SELECT lo_get(4242)", "SELECT * FROM pg_largeobject"}},
      {"files",
       {"SELECT pg_read_file('/etc/hostname')", "SELECT * FROM pg_read_file('/etc/hostname')",
        "SELECT pg_read_binary_file('/etc/hostname')", "SELECT pg_ls_dir('.')",
        "SELECT * FROM pg_ls_waldir()", "SELECT pg_stat_file('/etc/hostname')",
        "SELECT pg_file_write('DROP/f', 'x', false)", "SELECT pg_file_unlink('DROP/f')",
        "SELECT * FROM pg_hba_file_rules", "SELECT pg_hba_file_rules()", "TABLE pg_file_settings",
        "SELECT pg_current_logfile()", "SELECT get_raw_page('page', 0)",
        "SELECT * FROM heap_page_items(get_raw_page('page', 0))"}},
      {"attribute notation",
       {"SELECT ('/etc/hostname').pg_read_file", "SELECT ('/etc/hostname'::text).pg_read_file",
        "SELECT (1).sneaky", "SELECT (5.0).pg_sleep",
        "SELECT x.pg_read_file FROM lower('/etc/hostname') AS x",
        "SELECT x.sneaky FROM abs(7) AS x", "SELECT customers.row_sneaky FROM customers",
        "SELECT c.row_sneaky FROM customers c", "SELECT (c).row_sneaky FROM customers c",
        "SELECT public.customers.row_sneaky FROM public.customers",
        "SELECT ((c)).row_sneaky FROM customers c ORDER BY c.row_sneaky",
        "SELECT (SELECT '/etc/hostname'::text).pg_read_file",
        "SELECT (1::bigint).pg_advisory_lock"}},
      {"Unicode escapes and quoting",
       {"SELECT U&\"\\0070g_read_file\"('/etc/hostname')",
        "SELECT U&\"!0070g_sleep\" UESCAPE '!' (1)", "SELECT \"pg_read_file\"('/etc/hostname')",
        "SELECT PG_READ_FILE('/etc/hostname')",
        "SELECT \"pg_catalog\".\"pg_read_file\"('/etc/hostname')",
        "SELECT pg_catalog . pg_read_file ('/etc/hostname')",
        "SELECT U&\"\\+000070g_read_file\"('/etc/hostname')", "SELECT * FROM U&\"pg\\005fauthid\"",
        "SELECT ('/etc/hostname').U&\"\\0070g_read_file\"",
        "SELECT pg_catalog/**/./**/pg_read_file/**/('/etc/hostname')"}},
      {"SQL in strings",
       {"SELECT query_to_xml('DELETE FROM page', true, true, '')",
        "SELECT table_to_xml('page', true, true, '')",
        "SELECT cursor_to_xml('c', 1, true, true, '')", "SELECT database_to_xml(true, true, '')",
        "SELECT schema_to_xml_and_xmlschema('public', true, true, '')",
        "SELECT * FROM ts_stat('SELECT to_tsvector(name) FROM customers')",
        "SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')",
        "SELECT * FROM crosstab('SELECT 1, 2, 3') AS x(a int, b int)",
        ("SELECT * FROM connectby('a', 'b', 'c', 'd', 0) AS "
         "t(a text, b text, c int)"),
        "SELECT * FROM xpath_table('a', 'b', 'c', '/', 'true') AS t(a int)",
        "SELECT query_to_xml_and_xmlschema('SELECT 1', true, true, '')"}},
      {"other servers",
       {"SELECT dblink('dbname=postgres', 'DELETE FROM x')",
        "SELECT * FROM dblink('dbname=x', 'SELECT 1') AS t(a int)",
        "SELECT dblink_exec('dbname=x', 'DELETE FROM x')", "SELECT dblink_connect('a', 'dbname=x')",
        "SELECT dblink_send_query('a', 'x')", "SELECT xslt_process('<a/>', '<a/>')"}},
      {"locks and other sessions",
       {"SELECT pg_advisory_lock(1)", "SELECT pg_try_advisory_lock(1)",
        "SELECT pg_advisory_xact_lock(1)", "SELECT pg_advisory_lock_shared(1, 2)",
        "SELECT pg_advisory_unlock_all()", "SELECT pg_terminate_backend(1)",
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity",
        "SELECT pg_log_backend_memory_contexts(1)", "SELECT * FROM pgrowlocks('page')",
        "SELECT pg_sleep(10)", "SELECT pg_sleep_for('10 s')",
        "SELECT pg_sleep_until(now() + interval '10 s')"}},
      {"sequences and numbers",
       {"SELECT nextval('counter')", "SELECT setval('counter', 99)",
        "SELECT pg_catalog.nextval('counter'::regclass)", "SELECT txid_current()",
        "SELECT pg_current_xact_id()",
        "SELECT pg_nextoid('pg_class', 'oid', 'pg_class_oid_index')"}},
      {"administration",
       {"CHECKPOINT",
        "VACUUM",
        "ANALYZE",
        "REINDEX TABLE page",
        "CLUSTER",
        "SELECT pg_reload_conf()",
        "SELECT pg_rotate_logfile()",
        "SELECT pg_switch_wal()",
        "SELECT pg_create_restore_point('x')",
        "SELECT pg_backup_start('x')",
        "SELECT pg_promote()",
        "SELECT pg_wal_replay_pause()",
        "SELECT pg_create_physical_replication_slot('x')",
        "SELECT pg_create_logical_replication_slot('x', 'pgoutput')",
        "SELECT pg_drop_replication_slot('x')",
        "SELECT pg_replication_origin_create('x')",
        "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "SELECT pg_export_snapshot()",
        "SELECT pg_stat_reset()",
        "SELECT pg_stat_reset_shared('bgwriter')",
        "SELECT pg_import_system_collations('public')",
        "SELECT gin_clean_pending_list('x')",
        "SELECT brin_summarize_new_values('x')",
        "SELECT pg_prewarm('page')",
        "SELECT binary_upgrade_set_next_pg_type_oid(1)",
        "SELECT pg_extension_config_dump('page', '')"}},
      {"functions of the database",
       {"SELECT sneaky(1)", "SELECT public.sneaky(1)", "SELECT writer()", "SELECT definer()",
        "SELECT * FROM definer()", "SELECT 1 <!> 2", "SELECT 1 OPERATOR(public.<!>) 2",
        "SELECT sneaky_sum(page_size) FROM page", "SELECT 1::sticky", "SELECT CAST(1 AS sticky)",
        "SELECT sticky(1)", "SELECT to_sticky(1)",
        "SELECT sum(x) OVER (ORDER BY sneaky(1)) FROM (VALUES (1)) v(x)",
        "SELECT * FROM page ORDER BY page_size USING <!>", "SELECT 1 <!> ANY (ARRAY[1])",
        "SELECT no_such_function(1)", "SELECT pg_temp.f()", "SELECT other.catalog.f()"}},
      {"secrets",
       {"SELECT * FROM pg_authid", "SELECT * FROM pg_shadow",
        "SELECT rolpassword FROM pg_catalog.pg_authid", "SELECT * FROM pg_user_mapping",
        "SELECT * FROM pg_statistic", "TABLE pg_stats", "SELECT * FROM pg_config",
        "SELECT (SELECT passwd FROM pg_shadow LIMIT 1)",
        "SELECT 1 WHERE EXISTS (SELECT FROM pg_authid)", "SELECT * FROM pg_toast.pg_toast_1255",
        "SELECT * FROM pg_backend_memory_contexts"}},
      {"exhaustion",
       {"SELECT repeat('x', 1000000000)", "SELECT repeat(repeat(repeat('x', 1000), 1000), 1000)",
        "SELECT length(lpad('x', 900000000))", "SELECT rpad('x', 1024*1024*512)",
        "SELECT array_fill(1, ARRAY[100000, 10000])",
        "SELECT replace(repeat('x', 1000000), 'x', repeat('y', 1000000))",
        "SELECT repeat('x', power(10, 9)::int)",
        "SELECT repeat('a', 10000000) || repeat('b', 10000000)",
        "SELECT md5(repeat('x', (10^9)::int))", "SELECT * FROM generate_series(1, 100000000000)",
        "SELECT concat(repeat('a', 9000000), repeat('b', 9000000))"}},
      {"invisible characters",
       {"SELECT\xC2\xA0x", "SELECT 1\xE2\x80\x8B", "\xEF\xBB\xBFSELECT 1",
        "SELECT 1 -- \xE2\x80\xAE", "SELECT\xE3\x80\x80x", std::string("SELECT 1\0", 9),
        "SELECT 1\x01", "SELECT \"a\xE2\x80\x8B\" FROM page", "SELECT '\xFF'"}},
  };
  return kCategories;
}

// A hostile expression X in every place an expression can be.
const char* const kPlaces[] = {
    "SELECT X",
    "SELECT 1 WHERE X IS NULL",
    "SELECT * FROM page WHERE X = page_size",
    "SELECT * FROM page a JOIN page b ON X IS NOT NULL",
    "SELECT * FROM page, LATERAL (SELECT X) l",
    "SELECT count(*) FROM page GROUP BY X",
    "SELECT count(*) FROM page HAVING X IS NULL",
    "SELECT * FROM page ORDER BY X",
    "SELECT * FROM page LIMIT X",
    "SELECT * FROM page OFFSET X",
    "SELECT sum(page_size) OVER (PARTITION BY X) FROM page",
    "SELECT sum(page_size) OVER (ORDER BY X) FROM page",
    "SELECT sum(1) OVER w FROM page WINDOW w AS (ORDER BY X)",
    "SELECT count(*) FILTER (WHERE X IS NULL) FROM page",
    "SELECT CASE WHEN true THEN X END",
    "SELECT CASE X WHEN NULL THEN 1 ELSE 2 END",
    "SELECT COALESCE(NULL, X)",
    "SELECT ARRAY[X]",
    "SELECT ROW(1, X)",
    "SELECT 1 IN (SELECT X)",
    "SELECT 1 = ANY (ARRAY[X])",
    "VALUES (X)",
    "SELECT (SELECT X)",
    "SELECT EXISTS (SELECT X)",
    "SELECT 1 UNION ALL SELECT X",
    "WITH c AS (SELECT X AS v) SELECT * FROM c",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT X FROM r WHERE n < 2) SELECT * FROM r",
    "SELECT DISTINCT ON (X) 1 FROM page",
    "SELECT max(X)",
    "SELECT array_agg(1 ORDER BY X)",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY X)",
    "SELECT * FROM ROWS FROM (generate_series(1, X)) t",
    "SELECT (ARRAY[1,2])[X]",
    "SELECT (ARRAY[1,2])[1:X]",
    "SELECT CAST(X AS text)",
    "SELECT X::text COLLATE \"C\"",
    "SELECT 'a' LIKE 'b' ESCAPE X",
    "SELECT 1 BETWEEN X AND 2",
    "SELECT X IS DISTINCT FROM 1",
    "SELECT xmlelement(name a, X)",
    "SELECT GREATEST(1, X)",
    "SELECT NULLIF(X, 1)",
    "SELECT (X)",
    "SELECT -X",
    "SELECT NOT (X IS NULL)",
    "SELECT * FROM page TABLESAMPLE bernoulli (X)",
    "SELECT * FROM page FETCH FIRST (X) ROWS ONLY",
    "SELECT GROUPING(X)",
    "SELECT count(*) FROM page GROUP BY GROUPING SETS ((X), ())",
    "SELECT lower(string => X)",
    "SELECT concat(VARIADIC ARRAY[X])",
    "SELECT * FROM json_to_recordset(X) AS t(a int)",
    "SELECT now() AT TIME ZONE X",
    "SELECT sum(1) OVER (ROWS X PRECEDING)",
    "EXPLAIN SELECT X",
    "EXPLAIN (ANALYZE, FORMAT JSON) SELECT X",
    "SELECT * FROM XMLTABLE('/a' PASSING X COLUMNS b int)",
    "SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS b int DEFAULT X)"};

const char* const kHostileExpressions[] = {"pg_advisory_lock(31337)",
                                           "sneaky(31337)",
                                           "nextval('counter')",
                                           "pg_read_file('/etc/hostname')",
                                           "lo_create(31337)",
                                           "(31337).sneaky",
                                           "set_config('work_mem', '1GB', false)",
                                           "definer()"};

const char* const kHarmless[] = {
    "SELECT 1",
    "SELECT 1;",
    "select 1 -- done",
    "VALUES (1, 'a'), (2, 'b')",
    "TABLE customers",
    "(SELECT 1)",
    "SELECT * FROM customers ORDER BY id LIMIT 5",
    "SELECT c.name, o.amount FROM customers c JOIN orders o ON o.customer = c.id",
    ("SELECT country, count(*), avg(amount) FROM customers c LEFT JOIN orders o ON o.customer = "
     "c.id GROUP BY 1 HAVING count(*) > 1"),
    "SELECT name, row_number() OVER (PARTITION BY country ORDER BY joined DESC) FROM customers",
    ("SELECT sum(amount) OVER w, lag(amount) OVER w FROM orders WINDOW w AS (ORDER BY placed ROWS "
     "BETWEEN 2 PRECEDING AND CURRENT ROW)"),
    ("SELECT rank() OVER (ORDER BY amount), ntile(4) OVER (ORDER BY id), first_value(id) OVER () "
     "FROM orders"),
    ("WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 100) SELECT "
     "sum(n) "
     "FROM t"),
    ("WITH a AS MATERIALIZED (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a) SELECT * FROM a "
     "UNION "
     "ALL SELECT * FROM b"),
    ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SEARCH DEPTH "
     "FIRST BY n SET o SELECT * FROM t"),
    ("SELECT profile->>'score', profile @> '{\"score\": 1}', profile ? 'score', "
     "jsonb_path_query(profile, '$.score') FROM customers"),
    ("SELECT jsonb_agg(c), json_build_object('a', 1), jsonb_pretty('{}'), to_jsonb(1) FROM "
     "customers c"),
    "SELECT key, value FROM jsonb_each('{\"a\": 1}')",
    "SELECT * FROM jsonb_to_recordset('[{\"a\":1}]') AS t(a int)",
    "SELECT to_tsvector('english', name) @@ plainto_tsquery('customer') FROM customers",
    "SELECT ts_rank(to_tsvector('a b'), to_tsquery('a')), ts_headline('a b', to_tsquery('a'))",
    "SELECT ts_rewrite('a & b'::tsquery, 'a'::tsquery, 'c'::tsquery)",
    "SELECT similarity('abc', 'abd'), 'abc' % 'abd', show_trgm('x')",
    "SELECT 'a=>1'::hstore -> 'a', hstore('a', 'b') || hstore('c', 'd')",
    "SELECT 'ABC'::citext = 'abc'::citext",
    "SELECT encode(digest('x', 'sha256'), 'hex'), gen_random_uuid(), gen_random_bytes(4)",
    "SELECT uuid_generate_v4()",
    "SELECT 'a.b.c'::ltree <@ 'a'::ltree",
    "SELECT unaccent('é'), levenshtein('a', 'b'), soundex('x')",
    "SELECT cube(1, 2), '{1,2}'::int[] && '{2}'::int[], sort('{3,1}'::int[])",
    "SELECT * FROM normal_rand(3, 0, 1)",
    ("SELECT now(), current_date, clock_timestamp(), date_trunc('month', now()), extract(year FROM "
     "now()), age(now())"),
    "SELECT generate_series(DATE '2024-01-01', DATE '2024-01-05', interval '1 day')",
    "SELECT * FROM generate_series(1, 1000) n WHERE n % 7 = 0",
    "SELECT random() < 2, setseed(0.5)",
    "SELECT * FROM page TABLESAMPLE system (50) REPEATABLE (1)",
    "SELECT * FROM orders TABLESAMPLE bernoulli (10)",
    "SELECT * FROM orders TABLESAMPLE system_rows (3)",
    "SELECT pg_size_pretty(pg_total_relation_size('orders')), pg_database_size(current_database())",
    "SELECT relname, pg_relation_size(oid) FROM pg_class LIMIT 5",
    "SELECT * FROM pg_stat_user_tables",
    "SELECT * FROM pg_stat_activity",
    "SELECT * FROM information_schema.columns WHERE table_name = 'orders'",
    "SELECT * FROM pg_indexes",
    "SELECT * FROM pg_locks",
    ("SELECT version(), current_user, current_database(), current_schema(), pg_backend_pid(), "
     "pg_is_in_recovery()"),
    "SELECT current_setting('server_version_num')::int",
    "SELECT has_table_privilege('orders', 'SELECT')",
    "SELECT obj_description('orders'::regclass)",
    ("SELECT format_type(23, NULL), pg_get_indexdef('orders_pkey'::regclass), "
     "pg_get_viewdef('rich'::regclass)"),
    "SELECT col_description('orders'::regclass, 3)",
    "SELECT page.page_number, p.page_size, p.http_status, p.lo_date, p.random FROM page, page p",
    "SELECT (p).page_number, (p).* FROM page p",
    "SELECT pure(1), public.pure(2), app.twice(3)",
    "SELECT 1::positive, 'ok'::mood, mood 'happy'",
    "SELECT * FROM rich, spent",
    "SELECT * FROM trap",
    "SELECT liar(5)",
    "SELECT id, (SELECT x FROM trap) FROM customers WHERE id < 3",
    "SELECT * FROM measurements WHERE at > DATE '2024-02-01'",
    "SELECT array_agg(id ORDER BY id DESC) FILTER (WHERE id < 5) FROM customers",
    ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY "
     "mood) FROM orders"),
    "SELECT string_agg(name, ', ') FROM customers",
    ("SELECT country, mood, count(*) FROM customers, orders GROUP BY GROUPING SETS ((country), "
     "(mood), ())"),
    "SELECT country, count(*) FROM customers GROUP BY ROLLUP (country)",
    "SELECT a, b FROM unnest(ARRAY[1,2], ARRAY['x','y']) WITH ORDINALITY AS t(a, b, n)",
    "SELECT * FROM ROWS FROM (generate_series(1,2), generate_series(1,3)) AS t(a, b)",
    "SELECT DISTINCT ON (country) * FROM customers ORDER BY country, joined DESC",
    "SELECT * FROM customers WHERE name ILIKE '%1%' AND country IN ('DE', 'FR')",
    "SELECT * FROM customers WHERE id = ANY (ARRAY[1,2,3]) OR country IS NULL",
    "SELECT * FROM customers WHERE name ~ '^customer [0-9]+$'",
    ("SELECT CASE WHEN amount > 10 THEN 'big' ELSE 'small' END, COALESCE(mood::text, '?'), "
     "NULLIF(1, 2), GREATEST(1, 2) FROM orders"),
    ("SELECT * FROM customers c CROSS JOIN LATERAL (SELECT max(amount) FROM orders o WHERE "
     "o.customer = c.id) m"),
    "SELECT * FROM customers NATURAL JOIN (SELECT 1 AS id) x",
    "SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 EXCEPT SELECT 3 ORDER BY 1",
    "SELECT * FROM customers FETCH FIRST 3 ROWS ONLY",
    ("SELECT regexp_replace('a1', '[0-9]', 'x'), regexp_matches('ab', '(.)', 'g'), "
     "split_part('a,b', ',', 1), repeat('ab', 3), lpad('x', 5)"),
    ("SELECT substring('abc' FROM 2), overlay('abc' PLACING 'x' FROM 2), trim(both 'x' from "
     "'xax'), "
     "position('b' in 'abc')"),
    "SELECT int4range(1, 5) @> 3, '[1,2]'::numrange",
    "SELECT inet '10.0.0.1' << inet '10.0.0.0/8', host('10.0.0.1')",
    "SELECT point(1,2) <-> point(3,4), area(box '((0,0),(1,1))')",
    "SELECT xpath('/a/text()', '<a>x</a>'::xml), xmlelement(name a, 'b')",
    "SELECT * FROM XMLTABLE('/r/a' PASSING xml '<r><a>1</a></r>' COLUMNS v int PATH '.')",
    "SELECT interval '1 day' * 2, timestamp '2024-01-01' AT TIME ZONE 'Europe/Berlin'",
    "SELECT 'x' AS \"select\", \"id\" FROM \"customers\" AS \"c\"",
    "SELECT $$it's; DROP TABLE x$$, E'a\\'b', U&'\\0041', 'DELETE FROM page'",
    "SELECT 'INSERT' AS \"DELETE\" -- UPDATE",
    "SELECT /* DROP TABLE page; */ 1",
    "EXPLAIN SELECT * FROM orders",
    "EXPLAIN ANALYZE SELECT count(*) FROM orders",
    "EXPLAIN (FORMAT JSON, VERBOSE, COSTS OFF) SELECT 1",
    "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY) TABLE orders",
    "SHOW server_version",
    "SHOW TimeZone",
    "SHOW search_path",
    "SHOW transaction_read_only",
    "SELECT OPERATOR(pg_catalog.-) 1, 1 OPERATOR(pg_catalog.+) 2",
    "SELECT pg_catalog.lower('X'), int4('7'), text(1)",
    ("SELECT corr(amount, id), stddev(amount), regr_slope(amount, id), bool_and(amount > 0), "
     "bit_or(id::int) FROM orders"),
    "SELECT width_bucket(5, 0, 10, 5), log(10), sqrt(2), 7 % 3, 2 ^ 10, @ -5, |/ 4",
    ("SELECT pg_typeof(1), pg_column_size('x'), quote_ident('a'), format('%I %L', 'a', 'b'), "
     "md5('x'), encode('x', 'base64')"),
    "SELECT txid_current_if_assigned(), pg_current_wal_lsn() IS NULL",
    "SELECT * FROM pg_partition_tree('measurements')"};

std::string Replace(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::string OutsideLiterals(std::string_view sql,
                            const std::function<std::string(std::string_view)>& change_word,
                            std::string_view space) {
  std::string out;
  while (!sql.empty()) {
    const SqlToken token = NextPostgresToken(sql);
    sql.remove_prefix(token.text.size());
    if (token.kind == SqlToken::Kind::kWord) {
      out += change_word(token.text);
    } else if (token.kind == SqlToken::Kind::kSpace) {
      out += space;
    } else {
      out += token.text;
    }
  }
  return out;
}

std::string Same(std::string_view word) { return std::string(word); }
std::string Upper(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return out;
}
std::string Mixed(std::string_view word) {
  std::string out(word);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = i % 2 == 0 ? Upper(std::string_view(&out[i], 1))[0] : base::ToLower(out[i]);
  }
  return out;
}

std::vector<std::string> Variants(const std::string& sql) {
  return {OutsideLiterals(sql, Upper, " "),
          OutsideLiterals(sql, Mixed, " "),
          OutsideLiterals(sql, Same, "/**/ "),
          OutsideLiterals(sql, Same, " -- x\n"),
          OutsideLiterals(sql, Same, "\r\n\t"),
          "/* SELECT 1 */ " + sql,
          "(" + sql + ")",
          "((" + sql + "))",
          "WITH t AS (" + sql + ") SELECT * FROM t",
          "SELECT * FROM (" + sql + ") t",
          "SELECT (" + sql + ")",
          "EXPLAIN " + sql,
          "EXPLAIN ANALYZE " + sql,
          "EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) " + sql,
          "SELECT 1; " + sql,
          sql + "; SELECT 1",
          ";" + sql,
          "SELECT 1 UNION ALL " + sql,
          "VALUES ((" + sql + "))"};
}

class PostgresHostileTest : public PostgresDatabaseTest {
 protected:
  // The statement is refused, and nothing has changed for anybody.
  static void ExpectRefused(Database& database, const std::string& sql) {
    KeptRows rows;
    const Result<void> done = Read(database, sql, rows);
    EXPECT_FALSE(done) << "accepted: " << sql;
    EXPECT_EQ(rows.begun, 0) << sql;
    if (!done) {
      EXPECT_THAT(done.error().code,
                  ::testing::AnyOf(Code::kInvalidArgument, Code::kPermissionDenied))
          << sql << ": " << done.error().message;
    }
  }

  // Not because it is wrong, nor by the server.
  static void ExpectRefusedByGuard(Database& database, const std::string& sql) {
    ExpectRefused(database, sql);
    KeptRows rows;
    EXPECT_THAT(Read(database, sql, rows).error().message,
                Not(::testing::AnyOf(HasSubstr("not valid PostgreSQL"), StartsWith("PostgreSQL:"))))
        << sql;
  }

  static void RefuseAll(Database& database) {
    const std::string before = State(), session = SessionState(database);
    ASSERT_THAT(session, Not(HasSubstr("ERROR")));
    int refused = 0;
    for (const Category& category : HostileStatements()) {
      SCOPED_TRACE(category.name);
      for (const std::string& pattern : category.statements) {
        const std::string sql = Replace(pattern, "DROP/", drop_directory().string() + "/");
        ExpectRefusedByGuard(database, sql);
        for (const std::string& variant : Variants(sql)) ExpectRefused(database, variant);
        refused += 1 + static_cast<int>(Variants(sql).size());
        ASSERT_EQ(SessionState(database), session) << sql;
      }
      ASSERT_EQ(State(), before);
    }
    RecordProperty("refused", refused);
  }
};

TEST_F(PostgresHostileTest, PRD_FR_016_1_RefusesEveryHostileStatementOfASuperuser) {
  const auto database = Open();
  RefuseAll(*database);
}

TEST_F(PostgresHostileTest, PRD_FR_016_1_RefusesEveryHostileStatementOfAReader) {
  const auto database = OpenAsReader();
  RefuseAll(*database);
}

TEST_F(PostgresHostileTest, RefusesHostileExpressionsInEveryPlace) {
  const auto database = Open();
  const std::string before = State(), session = SessionState(*database);
  for (const char* place : kPlaces) {
    for (const char* expression : kHostileExpressions) {
      const std::string sql = Replace(place, "X", expression);
      // XMLTABLE contains the letter.
      ExpectRefused(
          *database,
          Replace(Replace(sql, std::string(expression) + "MLTABLE", "XMLTABLE"), "\\", ""));
    }
    ASSERT_EQ(SessionState(*database), session) << place;
  }
  EXPECT_EQ(State(), before);
}

// Three times each: the first goes as it is, later ones are prepared where that is safe.
TEST_F(PostgresHostileTest, AllowsEveryReadingStatementAndNothingChanges) {
  for (const bool reader : {false, true}) {
    const auto database = reader ? OpenAsReader() : Open();
    const std::string before = State(), session = SessionState(*database);
    int refused = 0;
    for (const char* sql : kHarmless) {
      for (int turn = 0; turn < 3; ++turn) {
        KeptRows rows;
        const Result<void> done = Read(*database, sql, rows);
        if (!done && reader && done.error().code == Code::kPermissionDenied) {
          ++refused;
          break;
        }
        ASSERT_TRUE(done) << sql << "\n  " << done.error().message;
        EXPECT_EQ(rows.begun, 1) << sql;
      }
      ASSERT_EQ(SessionState(*database), session) << sql;
    }
    EXPECT_EQ(State(), before);
    EXPECT_LE(refused, 2);  // of another schema
  }
}

// Splices, swaps, repeats and removes tokens of all the statements above.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {
    for (const Category& category : HostileStatements()) {
      for (const std::string& sql : category.statements) AddSeed(sql);
    }
    for (const char* sql : kHarmless) {
      AddSeed(sql);
      AddSeed(sql);
    }
    for (const char* place : kPlaces)
      AddSeed(Replace(place, "X", kHostileExpressions[Below(std::size(kHostileExpressions))]));
  }

  std::string Next() {
    std::vector<std::string> tokens = seeds_[Below(seeds_.size())];
    for (std::size_t i = 1 + Below(4); i > 0; --i) Mutate(tokens);
    std::string sql;
    for (const std::string& token : tokens) sql += token;
    return sql;
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  void AddSeed(std::string_view sql) {
    auto& tokens = seeds_.emplace_back();
    while (!sql.empty()) {
      tokens.emplace_back(NextPostgresToken(sql).text);
      sql.remove_prefix(tokens.back().size());
    }
  }

  void Mutate(std::vector<std::string>& tokens) {
    const auto& other = seeds_[Below(seeds_.size())];
    if (tokens.empty()) tokens = other;
    const std::size_t at = Below(tokens.size());
    const auto here = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t from = Below(other.size()),
                      count = std::min(1 + Below(6), other.size() - from);
    const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    switch (Below(8)) {
      case 0:
        tokens.erase(here);
        break;
      case 1:
        tokens.insert(here, first, last);
        break;
      case 2:
        *here = *first;
        break;
      case 3:
        std::swap(*here, tokens[Below(tokens.size())]);
        break;
      case 4:
        *here = Below(2) == 0 ? Upper(*here) : "\"" + *here + "\"";
        break;
      case 5:
        tokens.insert(here, {"(", "SELECT ", tokens[Below(tokens.size())], ")"});
        break;
      case 6:
        *here = "/**/" + *here;
        break;
      default:
        for (std::string& token : tokens) {
          if (token.size() > 1 && token == other[from]) token = *first;
        }
        // A call of another function.
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
          if (tokens[i + 1] != "(") continue;
          for (std::size_t j = 0; j + 1 < other.size(); ++j) {
            if (other[j + 1] == "(") tokens[i] = other[j];
          }
        }
    }
  }

  std::mt19937 random_;
  std::vector<std::vector<std::string>> seeds_;
};

// Whatever a mutation turns a statement into: if it is let through, it changes nothing.
TEST_F(PostgresHostileTest, NoMutatedStatementThatIsAcceptedChangesAnything) {
  const bool full = std::getenv("TOOLPOST_FULL") != nullptr;
  const int count = full ? 1'000'000 : 20'000;
  const std::uint32_t seed = full ? std::random_device{}() : 20250707;
  SCOPED_TRACE(base::StrCat("seed ", seed));
  Mutator mutator(seed);
  const auto database = Open();
  const std::string before = State(), session = SessionState(*database);
  std::vector<std::string> recent;
  int accepted = 0;
  for (int i = 0; i < count; ++i) {
    const std::string sql = mutator.Next();
    KeptRows rows(20);
    const Result<void> done = database->Read(
        {.sql = sql,
         .deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500),
         .stop = {}},
        rows);
    if (done) {
      ++accepted;
      recent.push_back(sql);
    } else {
      ASSERT_THAT(done.error().code, Not(::testing::AnyOf(Code::kInternal, Code::kCancelled)))
          << sql << ": " << done.error().message;
    }
    if (recent.size() < 200 && i + 1 < count) continue;
    ASSERT_EQ(State(), before) << ::testing::PrintToString(recent);
    ASSERT_EQ(SessionState(*database), session) << ::testing::PrintToString(recent);
    recent.clear();
  }
  RecordProperty("accepted", accepted);
  EXPECT_GT(accepted, count / 50);
}

}  // namespace
}  // namespace toolpost::db
