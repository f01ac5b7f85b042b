// Statements that only read, by what they use.
#include "db/postgres_cases_fixture.h"

namespace toolpost::db {

const std::vector<StatementCategory>& HarmlessStatements() {
  static const std::vector<StatementCategory> kCategories = {
      {"plain reading",
       {"SELECT 1",
        "SELECT 1;",
        "select 1 -- done",
        "VALUES (1, 'a'), (2, 'b')",
        "TABLE customers",
        "(SELECT 1)",
        "((SELECT id FROM customers) ORDER BY id LIMIT 2)",
        "SELECT",
        "SELECT * FROM customers ORDER BY id LIMIT 5",
        "SELECT * FROM ONLY customers",
        "SELECT ALL name FROM customers OFFSET 3",
        "SELECT * FROM customers FETCH FIRST 3 ROWS ONLY",
        "SELECT * FROM customers ORDER BY country FETCH FIRST 1 ROW WITH TIES",
        "SELECT * FROM customers ORDER BY name COLLATE \"C\" DESC NULLS LAST, id USING <",
        "SELECT * FROM customers WHERE name ILIKE '%1%' AND country IN ('DE', 'FR')",
        "SELECT * FROM customers WHERE id = ANY (ARRAY[1,2,3]) OR country IS NULL",
        "SELECT * FROM customers WHERE name ~ '^customer [0-9]+$'",
        "SELECT * FROM customers WHERE (id, country) IN ((1, 'DE'), (2, 'FR'))",
        ("SELECT * FROM customers WHERE ROW(id, name) < ROW(5, 'x') AND NOT (country IS NOT "
         "DISTINCT FROM 'DE')"),
        "SELECT DISTINCT country FROM customers WHERE id BETWEEN SYMMETRIC 9 AND 1",
        "SELECT DISTINCT ON (country) * FROM customers ORDER BY country, joined DESC",
        ("SELECT page.page_number, p.page_size, p.http_status, p.lo_date, p.random FROM page, "
         "page p"),
        "SELECT (p).page_number, (p).* FROM page p",
        "SELECT c, c.*, c IS NULL FROM customers c LIMIT 1",
        "SELECT suppress FROM (SELECT 1 AS suppress) t",
        "SELECT mood, mood::text::mood, orders.mood FROM orders LIMIT 1",
        ("SELECT orders.id, orders.placed::date, customers.name FROM orders, customers WHERE "
         "orders.customer = customers.id"),
        "SELECT c.country, c.tags[1], c.profile->'score' FROM customers AS c",
        "SELECT count(c.*), count(c), max(c.id) FROM customers c",
        ("SELECT x.n, x.length, x.value, x.size, x.text FROM (SELECT 1 AS n, 2 AS length, 3 "
         "AS value, 4 AS size, 'a' AS text) x"),
        ("SELECT t.date, t.name, t.time, t.version, t.version FROM (SELECT 1 AS date, 2 AS "
         "name, 3 AS time, 4 AS version) t"),
        ("SELECT o.now, o.random, o.count, o.user_name, o.md5 FROM (SELECT 1 AS now, 2 AS "
         "random, 3 AS count, 4 AS user_name, 5 AS md5) o")}},
      {"joins and lateral",
       {"SELECT c.name, o.amount FROM customers c JOIN orders o ON o.customer = c.id",
        ("SELECT * FROM customers c CROSS JOIN LATERAL (SELECT max(amount) FROM orders o "
         "WHERE o.customer = c.id) m"),
        "SELECT * FROM customers NATURAL JOIN (SELECT 1 AS id) x",
        ("SELECT * FROM customers c FULL JOIN orders o ON o.id = c.id WHERE c.id IS NULL OR "
         "o.id IS NULL"),
        ("SELECT * FROM customers a RIGHT JOIN customers b USING (id) AS both_ids WHERE "
         "both_ids.id < 3"),
        "SELECT c.id, t.tag FROM customers c, unnest(c.tags) AS t(tag)",
        ("SELECT c.id, t.tag, t.n FROM customers c LEFT JOIN LATERAL unnest(c.tags) WITH "
         "ORDINALITY AS t(tag, n) ON true"),
        ("SELECT c.id, last.amount FROM customers c LEFT JOIN LATERAL (SELECT amount FROM "
         "orders o WHERE o.customer = c.id ORDER BY placed DESC LIMIT 1) last ON true"),
        "SELECT c.id, g FROM customers c, LATERAL generate_series(1, c.id) g WHERE c.id < 3",
        "SELECT c.id, k FROM customers c, LATERAL jsonb_object_keys(c.profile) k LIMIT 3",
        ("SELECT * FROM (VALUES (1, 'one'), (2, 'two')) AS words(n, word) JOIN customers c ON "
         "c.id = words.n"),
        ("SELECT * FROM customers c JOIN (orders o JOIN page p ON p.page_number = o.id) ON "
         "o.customer = c.id"),
        "SELECT a, b FROM unnest(ARRAY[1,2], ARRAY['x','y']) WITH ORDINALITY AS t(a, b, n)",
        "SELECT * FROM ROWS FROM (generate_series(1,2), generate_series(1,3)) AS t(a, b)",
        ("SELECT * FROM ROWS FROM (jsonb_to_recordset('[{\"a\":1}]') AS (a int), "
         "generate_series(1, 2)) WITH ORDINALITY AS t(a, g, n)")}},
      {"subqueries and sets",
       {"SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 EXCEPT SELECT 3 ORDER BY 1",
        ("(SELECT id FROM customers ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM orders "
         "ORDER BY id DESC LIMIT 1)"),
        "SELECT id FROM customers EXCEPT ALL SELECT customer FROM orders WHERE amount > 100",
        "SELECT * FROM customers WHERE id IN (SELECT customer FROM orders WHERE amount > 100)",
        ("SELECT * FROM customers c WHERE EXISTS (SELECT FROM orders o WHERE o.customer = "
         "c.id AND o.amount > 290)"),
        ("SELECT * FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer "
         "= c.id)"),
        ("SELECT name, (SELECT count(*) FROM orders o WHERE o.customer = c.id) AS ordered "
         "FROM customers c"),
        "SELECT * FROM orders WHERE amount > ALL (SELECT amount FROM orders WHERE id < 10)",
        "SELECT * FROM orders WHERE amount = (SELECT max(amount) FROM orders)",
        "SELECT ARRAY(SELECT id FROM customers ORDER BY id LIMIT 3)",
        "SELECT (SELECT ROW(1, 2)) = ROW(1, 2), (1, 2) = (SELECT 1, 2)",
        "SELECT * FROM (SELECT id, name FROM customers) AS c(number, label) WHERE number < 3",
        ("SELECT CASE WHEN amount > 10 THEN 'big' ELSE 'small' END, COALESCE(mood::text, "
         "'?'), NULLIF(1, 2), GREATEST(1, 2) FROM orders"),
        ("SELECT CASE country WHEN 'DE' THEN 1 WHEN 'FR' THEN 2 END, LEAST(id, 3) FROM "
         "customers")}},
      {"windows",
       {("SELECT name, row_number() OVER (PARTITION BY country ORDER BY joined DESC) FROM "
         "customers"),
        ("SELECT sum(amount) OVER w, lag(amount) OVER w FROM orders WINDOW w AS (ORDER BY "
         "placed ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)"),
        ("SELECT rank() OVER (ORDER BY amount), ntile(4) OVER (ORDER BY id), first_value(id) "
         "OVER () FROM orders"),
        ("SELECT dense_rank() OVER w, percent_rank() OVER w, cume_dist() OVER w FROM orders "
         "WINDOW w AS (PARTITION BY customer ORDER BY amount)"),
        ("SELECT lead(amount, 2, 0.0) OVER (ORDER BY placed), last_value(id) OVER (ORDER BY "
         "placed RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders"),
        "SELECT nth_value(amount, 2) OVER (PARTITION BY customer ORDER BY id) FROM orders",
        ("SELECT avg(amount) OVER (ORDER BY placed RANGE BETWEEN interval '1 day' PRECEDING "
         "AND CURRENT ROW) FROM orders"),
        ("SELECT sum(amount) OVER (ORDER BY customer GROUPS BETWEEN 1 PRECEDING AND 1 "
         "FOLLOWING EXCLUDE CURRENT ROW) FROM orders"),
        ("SELECT count(*) OVER (), count(*) FILTER (WHERE amount > 10) OVER (PARTITION BY "
         "customer) FROM orders"),
        "SELECT amount - lag(amount) OVER (ORDER BY id) AS change FROM orders",
        ("SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer ORDER BY amount "
         "DESC) AS n FROM orders) ranked WHERE n = 1"),
        "SELECT sum(sum(amount)) OVER (ORDER BY customer) FROM orders GROUP BY customer",
        ("SELECT max(amount) OVER a, min(amount) OVER (a ROWS 3 PRECEDING) FROM orders WINDOW "
         "a AS (ORDER BY id)"),
        ("SELECT array_agg(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING "
         "EXCLUDE TIES) FROM orders")}},
      {"aggregates and grouping sets",
       {("SELECT country, count(*), avg(amount) FROM customers c LEFT JOIN orders o ON "
         "o.customer = c.id GROUP BY 1 HAVING count(*) > 1"),
        ("SELECT country, mood, count(*) FROM customers, orders GROUP BY GROUPING SETS "
         "((country), (mood), ())"),
        "SELECT country, count(*) FROM customers GROUP BY ROLLUP (country)",
        ("SELECT country, extract(year FROM joined), GROUPING(country, extract(year FROM "
         "joined)), count(*) FROM customers GROUP BY CUBE (country, extract(year FROM joined))"),
        ("SELECT country, count(*) FROM customers GROUP BY DISTINCT ROLLUP (country), ROLLUP "
         "(country)"),
        ("SELECT country, joined, count(*) FROM customers GROUP BY GROUPING SETS (ROLLUP "
         "(country, joined), CUBE (joined))"),
        "SELECT array_agg(id ORDER BY id DESC) FILTER (WHERE id < 5) FROM customers",
        ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP "
         "(ORDER BY mood) FROM orders"),
        ("SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY amount), "
         "rank(50) WITHIN GROUP (ORDER BY amount) FROM orders"),
        "SELECT string_agg(name, ', ') FROM customers",
        "SELECT string_agg(DISTINCT country, ', ' ORDER BY country) FROM customers",
        ("SELECT corr(amount, id), stddev(amount), regr_slope(amount, id), bool_and(amount > "
         "0), bit_or(id::int) FROM orders"),
        ("SELECT count(DISTINCT customer), count(*) FILTER (WHERE mood = 'ok'), every(amount "
         "> 0), var_pop(amount), covar_samp(amount, id) FROM orders"),
        ("SELECT min(placed), max(placed), sum(amount)::money, bit_and(id::int), "
         "bit_xor(id::int) FROM orders"),
        ("SELECT range_agg(int4range(id::int, id::int + 1)), range_intersect_agg(int4range(0, "
         "10)) FROM customers")}},
      {"recursive CTEs",
       {("WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 100) "
         "SELECT sum(n) FROM t"),
        ("WITH a AS MATERIALIZED (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a) SELECT * "
         "FROM a UNION ALL SELECT * FROM b"),
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SEARCH "
         "DEPTH FIRST BY n SET o SELECT * FROM t"),
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT (n + 1) % 5 FROM t) CYCLE n SET again "
         "USING path SELECT * FROM t"),
        ("WITH RECURSIVE t(n, path) AS (SELECT 1, ARRAY[1] UNION ALL SELECT n * 2, path || n "
         "* 2 FROM t WHERE n < 50) SELECT path FROM t ORDER BY n DESC LIMIT 1"),
        ("WITH RECURSIVE days(d) AS (SELECT DATE '2024-01-01' UNION ALL SELECT d + 1 FROM "
         "days WHERE d < '2024-01-10') SELECT d, count(o.id) FROM days LEFT JOIN orders o ON "
         "o.placed::date = d GROUP BY d"),
        ("WITH RECURSIVE fib(a, b) AS (VALUES (0::numeric, 1::numeric) UNION ALL SELECT b, a "
         "+ b FROM fib WHERE b < 1e9) SELECT a FROM fib"),
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SEARCH "
         "BREADTH FIRST BY n SET o SELECT n FROM t ORDER BY o"),
        ("WITH RECURSIVE odd(n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM odd WHERE n < 9), "
         "even(n) AS (SELECT n + 1 FROM odd) SELECT * FROM even"),
        ("WITH x AS NOT MATERIALIZED (SELECT * FROM orders) SELECT count(*) FROM x WHERE id < "
         "10"),
        ("WITH big AS (SELECT * FROM orders WHERE amount > 100), who AS (SELECT DISTINCT "
         "customer FROM big) SELECT name FROM customers JOIN who ON who.customer = id"),
        "SELECT * FROM (WITH inner_one AS (SELECT 1 AS a) SELECT * FROM inner_one) t",
        ("WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT n FROM t "
         "LIMIT 10")}},
      {"JSON",
       {("SELECT profile->>'score', profile @> '{\"score\": 1}', profile ? 'score', "
         "jsonb_path_query(profile, '$.score') FROM customers"),
        ("SELECT jsonb_agg(c), json_build_object('a', 1), jsonb_pretty('{}'), to_jsonb(1) "
         "FROM customers c"),
        "SELECT key, value FROM jsonb_each('{\"a\": 1}')",
        "SELECT * FROM jsonb_to_recordset('[{\"a\":1}]') AS t(a int)",
        ("SELECT profile #> '{score}', profile #>> '{score}', profile ?| ARRAY['a', 'score'], "
         "profile ?& ARRAY['score'] FROM customers"),
        "SELECT profile['score'], ('{\"a\": [1, 2]}'::jsonb)['a'][1] FROM customers",
        ("SELECT jsonb_set('{\"a\": 1}', '{a}', '2'), jsonb_insert('{\"a\": [1]}', '{a, 0}', "
         "'0'), jsonb_strip_nulls('{\"a\": null}'), '{\"a\": 1}'::jsonb - 'a'"),
        ("SELECT jsonb_path_exists('{\"a\": [1, 2, 3]}', '$.a[*] ? (@ > 2)'), '{\"a\": "
         "5}'::jsonb @? '$.a', '{\"a\": 5}'::jsonb @@ '$.a > 3'"),
        ("SELECT jsonb_path_query_array('[1, 2, 3]', '$[*] ? (@ > $least)', '{\"least\": "
         "1}'), jsonb_path_query_first('[1, 2]', '$[0]')"),
        ("SELECT * FROM json_each_text('{\"a\": \"b\"}'), json_array_elements('[1, 2]'), "
         "jsonb_array_elements_text('[\"x\"]')"),
        "SELECT * FROM jsonb_to_record('{\"a\": 1, \"b\": \"x\"}') AS t(a int, b text)",
        ("SELECT * FROM jsonb_populate_record(NULL::page, '{\"page_number\": 7}'), "
         "jsonb_populate_recordset(NULL::page, '[{\"page_size\": 1}]')"),
        ("SELECT row_to_json(c), json_agg(c ORDER BY c.id), json_object_agg(c.id, c.name) "
         "FROM customers c GROUP BY c.id LIMIT 2"),
        ("SELECT json_typeof('[]'), jsonb_typeof('1'), json_array_length('[1,2]'), "
         "json_object('{a, 1, b, 2}'), json_build_array(1, 'a', NULL)"),
        ("SELECT jsonb_object_agg(name, profile) FILTER (WHERE id < 3), "
         "jsonb_object_keys('{\"a\": 1}') FROM customers"),
        ("SELECT '[1, 2]'::jsonb || '[3]'::jsonb, '{\"a\": {\"b\": 1}}'::jsonb #- '{a, b}', "
         "'[1,2]'::jsonb <@ '[1,2,3]'::jsonb")}},
      {"full text",
       {"SELECT to_tsvector('english', name) @@ plainto_tsquery('customer') FROM customers",
        ("SELECT ts_rank(to_tsvector('a b'), to_tsquery('a')), ts_headline('a b', "
         "to_tsquery('a'))"),
        "SELECT ts_rewrite('a & b'::tsquery, 'a'::tsquery, 'c'::tsquery)",
        ("SELECT name FROM customers WHERE to_tsvector('simple', name) @@ "
         "websearch_to_tsquery('simple', 'customer -2')"),
        ("SELECT phraseto_tsquery('english', 'quick brown'), 'fat <-> cat'::tsquery, "
         "to_tsquery('english', 'cat & !dog')"),
        ("SELECT setweight(to_tsvector('title'), 'A') || setweight(to_tsvector('body'), 'B'), "
         "strip(to_tsvector('a b')), length(to_tsvector('a b'))"),
        ("SELECT ts_rank_cd('{0.1, 0.2, 0.4, 1.0}', to_tsvector('a b c'), to_tsquery('a & "
         "c'), 1)"),
        ("SELECT ts_headline('english', 'The quick fox', to_tsquery('fox'), 'StartSel=<b>, "
         "StopSel=</b>')"),
        ("SELECT numnode('a & b'::tsquery), querytree('a & !b'::tsquery), "
         "tsvector_to_array('a:1 b:2'::tsvector), ts_delete('a:1 b:2'::tsvector, 'a')"),
        ("SELECT * FROM ts_debug('english', 'a cat'), ts_parse('default', 'x y'), "
         "ts_token_type('default')"),
        ("SELECT ts_lexize('english_stem', 'stars'), get_current_ts_config(), "
         "tsquery_phrase('a', 'b')"),
        "SELECT * FROM unnest('a:1 b:2'::tsvector)",
        ("SELECT 'fat cats'::tsvector @@ 'cats'::tsquery, 'a'::tsquery && 'b'::tsquery, !! "
         "'a'::tsquery")}},
      {"ranges",
       {"SELECT int4range(1, 5) @> 3, '[1,2]'::numrange",
        ("SELECT int4range(1, 5) * int4range(3, 9), int8range(1, 3) + int8range(3, 5), "
         "numrange(1, 9) - numrange(5, 9)"),
        ("SELECT daterange('2024-01-01', '2024-02-01', '[]') && daterange('2024-01-15', "
         "NULL), isempty('empty'::int4range)"),
        ("SELECT lower(int4range(1, 5)), upper(r), lower_inc(r), upper_inf(r) FROM (SELECT "
         "'[1,)'::int8range AS r) x"),
        ("SELECT tstzrange(now(), NULL) @> now() + interval '1 hour', tsrange('2024-01-01', "
         "'2024-01-02') -|- tsrange('2024-01-02', '2024-01-03')"),
        ("SELECT '{[1,3), [5,7)}'::int4multirange @> 6, int4multirange(int4range(1, 2), "
         "int4range(4, 5)), unnest('{[1,3)}'::int4multirange)"),
        ("SELECT range_merge(int4range(1, 2), int4range(5, 6)), int4range(1, 3) << "
         "int4range(5, 6), int4range(1, 9) &> int4range(0, 2)"),
        ("SELECT datemultirange(daterange(d, d + 1)) FROM generate_series(DATE '2024-01-01', "
         "DATE '2024-01-03', '1 day') g, LATERAL (SELECT g::date AS d) x"),
        "SELECT count(*) FROM orders WHERE tstzrange('2024-01-01', '2024-01-03') @> placed"}},
      {"arrays",
       {("SELECT '{1,2,3}'::int[] && '{3}', '{1,2}'::int[] @> '{1}', ARRAY[1,2] || 3, "
         "(ARRAY[[1,2],[3,4]])[2][1]"),
        ("SELECT array_length(tags, 1), cardinality(tags), array_position(tags, 'x'), "
         "array_remove(tags, 'x'), array_to_string(tags, ',') FROM customers"),
        "SELECT unnest(tags), generate_subscripts(tags, 1) FROM customers LIMIT 4",
        ("SELECT (ARRAY[1,2,3,4])[2:3], (ARRAY[1,2,3])[:2], array_lower(ARRAY[1], 1), "
         "array_ndims(ARRAY[[1]]), array_dims(ARRAY[1,2])"),
        ("SELECT array_append('{1}', 2), array_prepend(0, '{1}'), array_cat('{1}', '{2}'), "
         "array_replace('{1,2}', 2, 3), trim_array(ARRAY[1,2,3], 1)"),
        ("SELECT string_to_array('a,b', ','), string_to_table('a,b', ','), "
         "array_positions(ARRAY[1,2,1], 1), array_fill(0, ARRAY[3])"),
        "SELECT 3 = ANY (ARRAY[1,2,3]), 4 <> ALL ('{1,2}'::int[]), NULL = ANY ('{}'::int[])",
        ("SELECT ARRAY[]::text[], '{{1,2},{3,4}}'::int[][], ARRAY['a', NULL], ARRAY[ROW(1, "
         "'x')]"),
        "SELECT array_agg(ARRAY[id, id * 2]) FROM customers WHERE id < 4",
        "SELECT ARRAY(SELECT DISTINCT t FROM customers, unnest(tags) t ORDER BY t)"}},
      {"extension functions",
       {"SELECT similarity('abc', 'abd'), 'abc' % 'abd', show_trgm('x')",
        ("SELECT word_similarity('word', 'two words'), strict_word_similarity('word', "
         "'words'), 'abc' <-> 'abd', 'word' <% 'two words', show_limit()"),
        "SELECT name FROM customers ORDER BY name <-> 'customer 7' LIMIT 3",
        "SELECT 'a=>1'::hstore -> 'a', hstore('a', 'b') || hstore('c', 'd')",
        ("SELECT akeys('a=>1'::hstore), avals('a=>1'), hstore_to_json('a=>1'), 'a=>1'::hstore "
         "? 'a', slice('a=>1, b=>2'::hstore, ARRAY['a']), hstore(ROW(1, 2))"),
        "SELECT * FROM each('a=>1, b=>2'::hstore)",
        "SELECT 'ABC'::citext = 'abc'::citext",
        ("SELECT regexp_replace('ABC'::citext, 'b', 'x'), 'Straße'::citext LIKE 'stra%', "
         "max(name::citext) FROM customers"),
        "SELECT encode(digest('x', 'sha256'), 'hex'), gen_random_uuid(), gen_random_bytes(4)",
        ("SELECT crypt('secret', gen_salt('md5')) <> '', hmac('a', 'key', 'sha1'), "
         "encode(encrypt('x', 'key', 'aes'), 'hex'), armor('x')"),
        "SELECT uuid_generate_v4()",
        ("SELECT uuid_generate_v5(uuid_ns_url(), 'http://example.com'), uuid_nil(), "
         "uuid_generate_v1()"),
        "SELECT 'a.b.c'::ltree <@ 'a'::ltree",
        ("SELECT subpath('a.b.c', 1), nlevel('a.b'), 'a.b.c'::ltree ~ 'a.*'::lquery, "
         "'a.b'::ltree @ 'a & b'::ltxtquery, lca('a.b.c', 'a.b.d'), ltree2text('a.b')"),
        "SELECT unaccent('é'), levenshtein('a', 'b'), soundex('x')",
        ("SELECT difference('Anne', 'Ann'), metaphone('Thompson', 4), dmetaphone('Smith'), "
         "levenshtein_less_equal('a', 'bc', 1), unaccent('unaccent', 'ü')"),
        "SELECT cube(1, 2), '{1,2}'::int[] && '{2}'::int[], sort('{3,1}'::int[])",
        ("SELECT cube_distance('(1,2)'::cube, '(3,4)'), cube_union('(1)', '(2)'), "
         "'(1,2)'::cube <-> '(3,4)'::cube, cube_dim('(1,2)')"),
        ("SELECT uniq('{1,1,2}'::int[]), idx('{5,6}'::int[], 6), subarray('{1,2,3}'::int[], "
         "1, 2), '{1,2}'::int[] + 3, '{1,2,3}'::int[] @@ '1&2'::query_int, "
         "icount('{1}'::int[])"),
        "SELECT * FROM normal_rand(3, 0, 1)",
        ("SELECT xpath_string('<a>x</a>', '/a'), xpath_number('<a>1</a>', '/a'), "
         "xml_encode_special_chars('<')")}},
      {"dates and times",
       {("SELECT now(), current_date, clock_timestamp(), date_trunc('month', now()), "
         "extract(year FROM now()), age(now())"),
        "SELECT generate_series(DATE '2024-01-01', DATE '2024-01-05', interval '1 day')",
        "SELECT interval '1 day' * 2, timestamp '2024-01-01' AT TIME ZONE 'Europe/Berlin'",
        ("SELECT date_trunc('day', placed, 'Europe/Berlin'), date_part('dow', placed), "
         "to_char(placed, 'YYYY-MM-DD HH24:MI') FROM orders"),
        ("SELECT date_bin('15 minutes', placed, TIMESTAMPTZ '2024-01-01'), extract(epoch FROM "
         "placed) FROM orders"),
        ("SELECT make_date(2024, 2, 29), make_timestamptz(2024, 1, 1, 0, 0, 0, 'UTC'), "
         "make_interval(days => 3), justify_interval('36 hours')"),
        ("SELECT to_timestamp(0), to_date('2024-01-31', 'YYYY-MM-DD'), localtime(0) IS NULL, "
         "localtimestamp, current_time(0) IS NOT NULL, statement_timestamp() <= "
         "clock_timestamp()"),
        ("SELECT (DATE '2024-01-01', DATE '2024-02-01') OVERLAPS (DATE '2024-01-15', DATE "
         "'2024-03-01'), DATE '2024-03-01' - DATE '2024-02-01', 'infinity'::timestamptz, "
         "isfinite(now())"),
        "SELECT placed::date AS day, count(*) FROM orders GROUP BY day ORDER BY day",
        ("SELECT age(timestamp '2024-03-01', timestamp '2023-01-15'), timezone('UTC', now()), "
         "timeofday() <> '', transaction_timestamp() = now()"),
        "SELECT name, utc_offset FROM pg_timezone_names WHERE name = 'Europe/Berlin'",
        ("SELECT INTERVAL '1' YEAR, INTERVAL '1-2' YEAR TO MONTH, TIME '10:00' + INTERVAL '1 "
         "hour', TIMETZ '10:00+02'")}},
      {"strings and patterns",
       {("SELECT regexp_replace('a1', '[0-9]', 'x'), regexp_matches('ab', '(.)', 'g'), "
         "split_part('a,b', ',', 1), repeat('ab', 3), lpad('x', 5)"),
        ("SELECT substring('abc' FROM 2), overlay('abc' PLACING 'x' FROM 2), trim(both 'x' "
         "from 'xax'), position('b' in 'abc')"),
        ("SELECT regexp_count('aaa', 'a'), regexp_instr('abc', 'b'), regexp_substr('abc', "
         "'b.'), regexp_like('Abc', '^a', 'i'), regexp_split_to_table('a b', ' ')"),
        ("SELECT substring('abc' SIMILAR 'a#\"b#\"c' ESCAPE '#'), 'abc' SIMILAR TO '(a|b)%', "
         "'a_b' LIKE 'a!_b' ESCAPE '!', 'abc' ~* 'B', 'abc' !~ 'z'"),
        ("SELECT initcap('a b'), reverse('abc'), translate('abc', 'ab', 'xy'), ascii('A'), "
         "chr(65), btrim(' x '), ltrim('xxa', 'x'), left('abc', 2), right('abc', -1)"),
        ("SELECT concat_ws(', ', 'a', NULL, 'b'), format('%s %1$s %2$I %2$L', 'x', 'y'), "
         "starts_with('abc', 'a'), strpos('abc', 'c'), octet_length('é'), char_length('é')"),
        ("SELECT normalize(U&'\\0061\\0308', NFC), 'a' IS NFC NORMALIZED, unistr('\\0041'), "
         "quote_literal('it''s'), quote_nullable(NULL), to_hex(255), parse_ident('a.\"B\"')"),
        ("SELECT encode('\\x0102'::bytea, 'hex'), decode('AQI=', 'base64'), "
         "get_byte('\\x01'::bytea, 0), sha256('x'), md5('x'), convert_from('\\x41', 'UTF8'), "
         "length('\\x0102'::bytea), bit_count('\\x03'::bytea)"),
        ("SELECT pg_typeof(1), pg_column_size('x'), quote_ident('a'), format('%I %L', 'a', "
         "'b'), md5('x'), encode('x', 'base64')"),
        ("SELECT 'a'\n  'b', 'x'::char(3) || '|', 'abc'::varchar(2), name COLLATE "
         "\"de-x-icu\" FROM customers")}},
      {"large constants",
       {"SELECT strpos(repeat('a', 1000000), 'b' || repeat('a', 500))",
        "SELECT position('needle' IN repeat('hay', 1000000) || 'needle')",
        "SELECT length(replace(repeat('ab', 1000000), 'ab', 'c'))",
        "SELECT length(split_part(repeat('ab,', 100000), ',', 7))",
        "SELECT cardinality(string_to_array(repeat('a,', 100000), ','))",
        "SELECT count(*) FROM string_to_table(repeat('a,', 1000), ',')",
        "SELECT length(translate(repeat('abc', 100000), 'abc', 'xyz'))",
        "SELECT length(trim(both 'xy' FROM repeat('x', 100000)))",
        "SELECT repeat('a', 100000) LIKE '%b%', repeat('a', 100000) ILIKE 'A%' ESCAPE '!'",
        "SELECT name LIKE ANY (ARRAY['%1', '%2']) FROM customers",
        "SELECT array_fill('a'::text, ARRAY[1000]) && ARRAY['b', 'c']",
        "SELECT array_fill(1, ARRAY[1000]) @> array_fill(2, ARRAY[1000])",
        ("SELECT ('[' || repeat('1,', 1000) || '1]')::jsonb ?| ARRAY['b'], ('[' || repeat('1,', "
         "1000) || '1]')::jsonb - 'b'"),
        "SELECT word_similarity('ab', repeat('cd ab ', 1000))",
        "SELECT length(concat(repeat('a', 1000000), repeat('b', 1000000)))",
        "SELECT repeat('a', 1000000) = repeat('a', 1000000)",
        "SELECT length(repeat('a', 100000) || repeat('b', 100000)) - 1 - 2 - 3",
        "SELECT strpos(name, repeat('a', 1000000)) FROM customers",
        "SELECT starts_with(repeat('a', 1000000), repeat('a', 1000000))",
        "SELECT length(overlay(repeat('a', 1000000) PLACING repeat('b', 1000) FROM 5))"}},
      {"numbers and bits",
       {"SELECT width_bucket(5, 0, 10, 5), log(10), sqrt(2), 7 % 3, 2 ^ 10, @ -5, |/ 4",
        ("SELECT round(2.567, 2), trunc(-2.5), ceil(1.2), floor(-1.2), sign(-3), mod(7, 3), "
         "div(7, 2), gcd(12, 8), lcm(4, 6), factorial(5), scale(1.50), trim_scale(1.50)"),
        ("SELECT power(2, 3), exp(1), ln(2), cbrt(27), degrees(pi()), sind(30), atan2(1, 1), "
         "tanh(0), random() < 2, min_scale(8.4100)"),
        ("SELECT 5 & 3, 5 | 3, 5 # 3, ~5, 1 << 4, 16 >> 2, B'101' & B'100', 5::bit(8), "
         "bit_length('abc'), set_bit(B'000', 1, 1)"),
        ("SELECT 'NaN'::float8, 'Infinity'::numeric, 1e400::numeric, 0.1::float4, "
         "9223372036854775807, -170141183460469231731687303715884105728"),
        "SELECT 10 / 4, 10 / 4.0, 10.0::int, '42'::int + 1, 1::bool, true::int, 3.7::int8",
        ("SELECT to_number('1,234.5', '9G999D9'), to_char(1234.5, 'FM9,999.00'), "
         "'12.34'::money, 100::numeric(5, 1), pg_size_pretty(1234567::bigint)"),
        "SELECT random() < 2, setseed(0.5)"}},
      {"types, casts and operators",
       {"SELECT 1::positive, 'ok'::mood, mood 'happy'",
        ("SELECT enum_range(NULL::mood), enum_first('sad'::mood), 'ok'::mood < 'happy'::mood, "
         "mood = 'ok' FROM orders LIMIT 1"),
        "SELECT OPERATOR(pg_catalog.-) 1, 1 OPERATOR(pg_catalog.+) 2",
        ("SELECT CAST('1' AS int), int '7', '1'::text::int, float8 '1.5', DATE "
         "'2024-01-01'::timestamptz, 'public.orders'::regclass, 'int4'::regtype, "
         "'now'::regproc"),
        "SELECT pg_catalog.lower('X'), int4('7'), text(1)",
        "SELECT inet '10.0.0.1' << inet '10.0.0.0/8', host('10.0.0.1')",
        ("SELECT network('10.1.2.3/8'::inet), masklen('10.0.0.0/8'::cidr), '10.0.0.1'::inet + "
         "5, family('::1'), '08:00:2b:01:02:03'::macaddr, inet_merge('10.0.0.1', '10.0.0.9')"),
        "SELECT point(1,2) <-> point(3,4), area(box '((0,0),(1,1))')",
        ("SELECT circle '((0,0),2)' @> point '(1,1)', lseg '((0,0),(1,1))' ?# lseg "
         "'((0,1),(1,0))', polygon '((0,0),(1,1),(1,0))', path '[(0,0),(1,1)]', "
         "diameter(circle '((0,0),2)'), center(box '((0,0),(2,2))')"),
        "SELECT xpath('/a/text()', '<a>x</a>'::xml), xmlelement(name a, 'b')",
        "SELECT * FROM XMLTABLE('/r/a' PASSING xml '<r><a>1</a></r>' COLUMNS v int PATH '.')",
        ("SELECT xmlforest(id AS number, name), xmlconcat('<a/>', '<b/>'), xmlparse(content "
         "'x'), xmlserialize(content '<a/>' AS text), xmlagg(xmlelement(name c, name)) FROM "
         "customers GROUP BY id LIMIT 1"),
        ("SELECT xml_is_well_formed('<a/>'), xpath_exists('/a', '<a/>'), xmlroot('<a/>', "
         "version '1.0'), xmlpi(name php), xmlcomment('x'), '<a/>' IS DOCUMENT"),
        ("SELECT ROW(1, 'a') = ROW(1, 'a'), (ROW(1, 2)).f1, (page).page_size, (p.*)::page "
         "FROM page, page p"),
        ("SELECT 1 IS NULL, NULL IS UNKNOWN, true IS NOT FALSE, 1 ISNULL, 2 NOTNULL, "
         "num_nulls(1, NULL), num_nonnulls(1)")}},
      {"functions of the database and its views",
       {"SELECT pure(1), public.pure(2), app.twice(3)",
        "SELECT pure_sum(page_size), public.first_of(http_status) FROM page",
        "SELECT pure_sum(id::int) OVER (ORDER BY id), first_of(name) OVER () FROM customers",
        ("SELECT float_range(1, 2), float_range(1, 2, '[]'), '[1,2)'::float_range && "
         "float_range(0, 9), float_ranges(float_range(1, 2), float_range(3, 4)), float_ranges()"),
        ("SELECT upper(name) FROM customers WHERE pure(id::int) = 2 OR pure(1) + app.twice(0) "
         "= 3"),
        "SELECT * FROM rich, spent", "SELECT * FROM trap", "SELECT liar(5)",
        "SELECT id, (SELECT x FROM trap) FROM customers WHERE id < 3",
        "SELECT * FROM measurements WHERE at > DATE '2024-02-01'",
        "SELECT tableoid::regclass, count(*) FROM measurements GROUP BY 1",
        "SELECT ctid, xmin, cmax, tableoid FROM page", "SELECT * FROM app.settings",
        ("SELECT pg_partition_root('measurements_2024'), "
         "pg_get_partkeydef('measurements'::regclass)")}},
      {"the catalogue and what goes on",
       {("SELECT pg_size_pretty(pg_total_relation_size('orders')), "
         "pg_database_size(current_database())"),
        "SELECT relname, pg_relation_size(oid) FROM pg_class LIMIT 5",
        "SELECT * FROM pg_stat_user_tables",
        "SELECT * FROM pg_stat_activity",
        "SELECT * FROM information_schema.columns WHERE table_name = 'orders'",
        "SELECT * FROM pg_indexes",
        "SELECT * FROM pg_locks",
        ("SELECT version(), current_user, current_database(), current_schema(), "
         "pg_backend_pid(), pg_is_in_recovery()"),
        "SELECT current_setting('server_version_num')::int",
        "SELECT current_setting('TimeZone'), pg_catalog.current_setting('max_connections', true)",
        "SELECT CURRENT_SETTING('search_path'::text)",
        "SELECT has_table_privilege('orders', 'SELECT')",
        "SELECT obj_description('orders'::regclass)",
        ("SELECT format_type(23, NULL), pg_get_indexdef('orders_pkey'::regclass), "
         "pg_get_viewdef('rich'::regclass)"),
        "SELECT col_description('orders'::regclass, 3)",
        "SELECT txid_current_if_assigned(), pg_current_wal_lsn() IS NULL",
        "SELECT * FROM pg_partition_tree('measurements')",
        ("SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = "
         "'orders'::regclass"),
        ("SELECT a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, "
         "d.adrelid) FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND "
         "d.adnum = a.attnum WHERE a.attrelid = 'orders'::regclass AND a.attnum > 0"),
        ("SELECT p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), "
         "p.provolatile FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace"),
        "SELECT * FROM pg_stat_database WHERE datname = current_database()",
        ("SELECT relname, seq_scan, idx_scan, n_live_tup FROM pg_stat_all_tables ORDER BY "
         "seq_scan DESC LIMIT 5"),
        "SELECT * FROM pg_statio_user_indexes;",
        ("SELECT wait_event, pg_blocking_pids(pid), age(now(), query_start) FROM "
         "pg_stat_activity"),
        "SELECT name, setting, unit FROM pg_settings WHERE name LIKE 'work%'",
        "SELECT rolname, rolcanlogin FROM pg_roles",
        "SELECT schema_name FROM information_schema.schemata",
        "SELECT table_name, privilege_type FROM information_schema.role_table_grants LIMIT 3",
        ("SELECT to_regclass('public.nothing'), to_regtype('int'), "
         "pg_table_is_visible('orders'::regclass), pg_get_serial_sequence('orders', 'id')"),
        "SELECT age(datfrozenxid), mxid_age(datminmxid) FROM pg_database",
        "SELECT enumlabel FROM pg_enum ORDER BY enumsortorder",
        "SELECT * FROM pg_available_extensions WHERE installed_version IS NOT NULL",
        ("SELECT pg_indexes_size('orders'), pg_table_size('orders'), "
         "pg_relation_filenode('orders'), pg_encoding_to_char(6), inet_server_addr(), "
         "pg_postmaster_start_time() < now()"),
        "SELECT last_value FROM counter",
        "SELECT * FROM pg_sequences",
        ("SELECT pg_get_functiondef('pure'::regproc), pg_get_userbyid(10), "
         "pg_describe_object('pg_class'::regclass, 'orders'::regclass, 0)"),
        ("SELECT * FROM pg_identify_object('pg_class'::regclass, 'orders'::regclass, 0), "
         "pg_identify_object_as_address('pg_class'::regclass, 'orders'::regclass, 0)"),
        ("SELECT pg_collation_for(name), "
         "pg_index_column_has_property('orders_pkey'::regclass, 1, 'asc'), "
         "pg_tablespace_size('pg_default') > 0 FROM customers LIMIT 1"),
        ("SELECT has_column_privilege('orders', 'id', 'SELECT'), "
         "has_schema_privilege('public', 'USAGE'), pg_has_role('pg_monitor', 'MEMBER'), "
         "row_security_active('orders')"),
        ("SELECT pg_wal_lsn_diff('0/2', '0/1'), pg_last_wal_receive_lsn(), "
         "pg_conf_load_time() < now(), inet_client_addr(), pg_my_temp_schema(), "
         "pg_jit_available()"),
        "SELECT * FROM pg_stat_wal, pg_stat_bgwriter, pg_stat_archiver",
        ("SELECT * FROM pg_stat_replication, pg_stat_progress_vacuum, pg_stat_subscription, "
         "pg_stat_wal_receiver"),
        "SELECT * FROM pg_tables, pg_views, pg_matviews LIMIT 1",
        "SELECT * FROM pg_policies, pg_rules, pg_trigger, pg_user LIMIT 1",
        "SELECT * FROM session.cursors",
        "SELECT * FROM (SELECT 1 AS pg_cursor) AS pg_prepared_statement",
        "SELECT * FROM pg_prepared_xacts",
        "SELECT name, pg_prepared_statements FROM page AS pg_prepared_statements, customers",
        "SELECT inhrelid::regclass FROM pg_inherits",
        "SELECT classid::regclass, objid, deptype FROM pg_depend LIMIT 2",
        "SELECT word FROM pg_get_keywords() LIMIT 2",
        "SELECT * FROM pg_options_to_table(ARRAY['fillfactor=70'])",
        "SELECT * FROM pg_timezone_abbrevs LIMIT 1",
        ("SELECT pg_stat_get_live_tuples('orders'::regclass), "
         "pg_stat_get_numscans('orders_pkey'::regclass)"),
        "SELECT pg_get_triggerdef(oid) FROM pg_trigger LIMIT 1",
        ("SELECT pg_current_snapshot(), pg_visible_in_snapshot('3', pg_current_snapshot()), "
         "txid_snapshot_xmin(txid_current_snapshot()), pg_xact_status('3')"),
        ("SELECT shobj_description(1, 'pg_database'), pg_relation_is_updatable('orders', "
         "false), pg_filenode_relation(0, 1259)"),
        "SELECT * FROM pg_listening_channels()",
        "SELECT * FROM pg_lock_status()",
        ("SELECT pgp_sym_encrypt('x', 'key') IS NOT NULL, "
         "pgp_sym_decrypt(pgp_sym_encrypt('x', 'key'), 'key'), pgp_key_id(NULL)"),
        ("SELECT xpath_list('<a><b>1</b></a>', '/a/b'), xpath_nodeset('<a><b>1</b></a>', "
         "'/a/b')"),
        ("SELECT * FROM information_schema.tables t JOIN information_schema.table_constraints "
         "c USING (table_schema, table_name)"),
        ("SELECT * FROM information_schema.key_column_usage k JOIN "
         "information_schema.referential_constraints r USING (constraint_name)"),
        "SELECT * FROM information_schema.views, information_schema.routines LIMIT 1",
        "SELECT count(*) FROM pg_ts_config, pg_ts_dict, pg_opclass",
        ("SELECT pg_get_statisticsobjdef(1), pg_get_ruledef(1), "
         "pg_get_function_identity_arguments('pure'::regproc), "
         "pg_function_is_visible('pure'::regproc)"),
        "SELECT pg_relation_filepath('orders')",
        "SELECT pg_current_wal_insert_lsn() > '0/0', pg_walfile_name('0/1000000')",
        "SELECT current_schemas(true), current_role, session_user, user, current_catalog",
        "SELECT currval('counter') WHERE false",
        "SELECT lastval() WHERE false"}},
      {"samples and series",
       {"SELECT * FROM generate_series(1, 1000) n WHERE n % 7 = 0",
        "SELECT * FROM page TABLESAMPLE system (50) REPEATABLE (1)",
        "SELECT * FROM orders TABLESAMPLE bernoulli (10)",
        "SELECT * FROM orders TABLESAMPLE system_rows (3)",
        "SELECT g, g::text FROM generate_series(10, 1, -3) g",
        "SELECT generate_series(1, 3), generate_series(1, 2)",
        "SELECT x FROM generate_series(0.0, 1.0, 0.25) AS x",
        ("SELECT d::date FROM generate_series(TIMESTAMP '2024-01-01', '2024-01-03', '6 "
         "hours') d")}},
      {"words of writers where they write nothing",
       {"SELECT 'x' AS \"select\", \"id\" FROM \"customers\" AS \"c\"",
        "SELECT $$it's; DROP TABLE x$$, E'a\\'b', U&'\\0041', 'DELETE FROM page'",
        "SELECT 'INSERT' AS \"DELETE\" -- UPDATE", "SELECT /* DROP TABLE page; */ 1",
        "SELECT /* a /* nested */ comment; COMMIT */ 1 -- ; TRUNCATE page",
        "SELECT 'COPY page TO ''/tmp/x''', $copy$ COPY $copy$, $a$ $b$ ; $b$ $a$",
        "SELECT name AS update, id AS delete, country AS \"insert into\" FROM customers",
        "SELECT 1 AS lock, 2 AS commit, 3 AS call, 4 AS prepare, 5 AS listen, 6 AS set",
        "SELECT * FROM (SELECT 1 AS truncate) AS vacuum(analyze_me)",
        ("SELECT name FROM customers WHERE name <> 'pg_read_file(''/etc/passwd'')' AND name "
         "NOT LIKE '%lo_import%'"),
        "SELECT \"update\".id FROM customers AS \"update\" WHERE \"update\".id = 1",
        "SELECT U&\"\\006Eame\", U&'d\\0061t\\+000061' FROM customers",
        "SELECT 'a'';--', E'\\\\', ';' FROM page;", "SELECT pg_sleep FROM (SELECT 1 AS pg_sleep) t",
        "SELECT 'nextval(''counter'')' AS nextval, 'set_config' AS set_config",
        ("WITH \"delete\" AS (SELECT 1), \"insert\" AS (SELECT 2) SELECT * FROM \"delete\", "
         "\"insert\"")}},
      {"types whose checks take locks",
       {"SELECT 5::locking",
        "SELECT CAST(5 AS public.locking)",
        "SELECT locking(5)",
        "SELECT (5).locking",
        "SELECT n.locking FROM generate_series(1, 2) AS n",
        "SELECT '(9)'::holds_locking",
        "SELECT ROW(8)::holds_locking",
        "SELECT holds_locking '(9)'",
        "SELECT '{11}'::_locking",
        "SELECT '{11}'::locking[]",
        "SELECT ('{11}')._locking",
        "SELECT ('{(12)}')._holds_locking",
        "SELECT _locking('{11}')",
        "SELECT ('{\"(\\\"(7)\\\",)\"}')._safes",
        "SELECT '(\"(9)\",{10})'::safes",
        "SELECT jsonb_populate_record(NULL::holds_locking, '{\"a\": 7}')",
        "SELECT * FROM jsonb_to_record('{\"a\": 7}') AS t(a locking)",
        "SELECT * FROM XMLTABLE('/a' PASSING '<a>3</a>' COLUMNS b locking PATH '.')",
        "SELECT array_in('{11}', 'locking'::regtype, -1)::text",
        "SELECT jsonb_populate_record(one, '{\"a\": 7}') FROM safes",
        "SELECT * FROM safes WHERE many = '{11}'",
        "EXPLAIN SELECT '(9)'::holds_locking"}},
      {"EXPLAIN and SHOW",
       {"EXPLAIN SELECT * FROM orders", "EXPLAIN ANALYZE SELECT count(*) FROM orders",
        "EXPLAIN (FORMAT JSON, VERBOSE, COSTS OFF) SELECT 1",
        "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY) TABLE orders", "EXPLAIN VALUES (1)",
        ("EXPLAIN (FORMAT YAML, SETTINGS) SELECT * FROM customers c JOIN orders o ON "
         "o.customer = c.id"),
        "EXPLAIN (ANALYZE, WAL, FORMAT XML) WITH x AS (SELECT 1) SELECT * FROM x",
        "EXPLAIN VERBOSE SELECT row_number() OVER () FROM orders", "SHOW server_version",
        "SHOW TimeZone", "SHOW search_path", "SHOW transaction_read_only",
        "SHOW transaction isolation level", "SHOW work_mem"}}};
  return kCategories;
}

}  // namespace toolpost::db
