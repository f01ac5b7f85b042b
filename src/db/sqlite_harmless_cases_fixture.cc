// Statements that only read, by what they use.
#include "db/sqlite_cases_fixture.h"

namespace toolpost::db {

const char* SqliteCasesSchema() {
  return "CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, boss "
         "INTEGER REFERENCES staff(id), team TEXT, salary INTEGER CHECK (salary > 0), hired TEXT, "
         "yearly INTEGER GENERATED ALWAYS AS (salary * 12) VIRTUAL, label TEXT GENERATED ALWAYS AS "
         "(name || '/' || team) STORED);"
         "INSERT INTO staff VALUES (1, 'Grace', NULL, 'board', 900, '2019-01-15'), (2, 'Linus', 1, "
         "'kernel', 500, '2020-02-29'), (3, 'Ken', 1, 'tools', 700, '2020-07-01'), (4, 'Dennis', "
         "3, 'tools', 600, '2021-12-31'), (5, 'Barbara', 2, 'kernel', 500, '2022-03-01');"
         "CREATE INDEX staff_team ON staff (team, salary DESC);"
         "CREATE INDEX staff_early ON staff (lower(name)) WHERE hired < '2021-01-01';"
         "CREATE VIEW team_costs (team, heads, cost) AS SELECT team, count(*), sum(salary) FROM "
         "staff GROUP BY team;"
         "CREATE TABLE codes (code TEXT PRIMARY KEY, meaning TEXT) WITHOUT ROWID;"
         "INSERT INTO codes VALUES ('a_b', '100% sure'), ('axb', 'half'), ('A_C', 'done');"
         "CREATE TABLE typed (n INT, r REAL, t TEXT, b BLOB, a ANY) STRICT;"
         "INSERT INTO typed VALUES (7, 2, 'seven', x'07', '7');"
         "CREATE TABLE documents (id INTEGER PRIMARY KEY, body TEXT);"
         "INSERT INTO documents VALUES (1, "
         "'{\"kind\":\"order\",\"items\":[{\"sku\":\"x\",\"qty\":2},{\"sku\":\"y\",\"qty\":3}]}'), "
         "(2, '{\"kind\":\"note\",\"text\":\"hi\",\"items\":[]}');";
}

const std::vector<SqliteCase>& HarmlessSqliteStatements() {
  static const std::vector<SqliteCase> kCases = {
      {"windows",
       "SELECT name, rank() OVER (ORDER BY salary DESC) AS r FROM staff ORDER BY r, name LIMIT 3",
       "text:Grace|num:1\ntext:Ken|num:2\ntext:Dennis|num:3"},
      {"windows",
       "SELECT dense_rank() OVER (ORDER BY salary), ntile(2) OVER (ORDER BY id) FROM staff ORDER "
       "BY id",
       "num:4|num:1\nnum:1|num:1\nnum:3|num:1\nnum:2|num:2\nnum:1|num:2"},
      {"windows",
       "SELECT name, salary - lag(salary, 1, 0) OVER (ORDER BY id) FROM staff WHERE id < 4",
       "text:Grace|num:900\ntext:Linus|num:-400\ntext:Ken|num:200"},
      {"windows",
       "SELECT lead(name) OVER w, first_value(name) OVER w FROM staff WINDOW w AS (PARTITION BY "
       "team ORDER BY id) ORDER BY id",
       "null:|text:Grace\ntext:Barbara|text:Linus\ntext:Dennis|text:Ken\nnull:|text:Ken\nnull:|"
       "text:Linus"},
      {"windows",
       "SELECT sum(salary) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM staff",
       "num:1400\nnum:2100\nnum:1800\nnum:1800\nnum:1100"},
      {"windows",
       "SELECT count(*) FILTER (WHERE salary > 550) OVER (PARTITION BY team) FROM staff ORDER BY "
       "id",
       "num:1\nnum:0\nnum:2\nnum:2\nnum:0"},
      {"windows",
       "SELECT max(salary) OVER (ORDER BY hired GROUPS 1 PRECEDING EXCLUDE CURRENT ROW) FROM staff",
       "null:\nnum:900\nnum:500\nnum:700\nnum:600"},
      {"windows",
       "SELECT name FROM (SELECT name, row_number() OVER (PARTITION BY team ORDER BY salary DESC, "
       "id) AS n FROM staff) WHERE n = 1 ORDER BY name",
       "text:Grace\ntext:Ken\ntext:Linus"},
      {"windows",
       "SELECT round(percent_rank() OVER (ORDER BY salary), 2), cume_dist() OVER (ORDER BY salary) "
       "FROM staff ORDER BY id LIMIT 2",
       "num:1.0|num:1.0\nnum:0.0|num:0.4"},
      {"windows",
       "SELECT nth_value(name, 2) OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND "
       "UNBOUNDED FOLLOWING) FROM staff LIMIT 1",
       "text:Linus"},
      {"recursive and other CTEs",
       "WITH RECURSIVE under(id, name, depth) AS (SELECT id, name, 0 FROM staff WHERE boss IS NULL "
       "UNION ALL SELECT s.id, s.name, depth + 1 FROM staff s JOIN under u ON s.boss = u.id) "
       "SELECT depth, count(*) FROM under GROUP BY depth",
       "num:0|num:1\nnum:1|num:2\nnum:2|num:2"},
      {"recursive and other CTEs",
       "WITH RECURSIVE path(id, text) AS (SELECT id, name FROM staff WHERE id = 5 UNION ALL SELECT "
       "s.boss, (SELECT name FROM staff b WHERE b.id = s.boss) || ' > ' || text FROM path JOIN "
       "staff s USING (id) WHERE s.boss IS NOT NULL) SELECT text FROM path ORDER BY length(text) "
       "DESC LIMIT 1",
       "text:Grace > Linus > Barbara"},
      {"recursive and other CTEs",
       "WITH RECURSIVE days(d) AS (VALUES ('2024-02-27') UNION ALL SELECT date(d, '+1 day') FROM "
       "days WHERE d < '2024-03-01') SELECT group_concat(d, ' ') FROM days",
       "text:2024-02-27 2024-02-28 2024-02-29 2024-03-01"},
      {"recursive and other CTEs",
       "WITH RECURSIVE fib(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM fib LIMIT 10) "
       "SELECT max(a) FROM fib",
       "num:34"},
      {"recursive and other CTEs",
       "WITH a AS MATERIALIZED (SELECT salary FROM staff), b AS NOT MATERIALIZED (SELECT "
       "max(salary) AS m FROM a) SELECT m FROM b",
       "num:900"},
      {"recursive and other CTEs",
       "WITH RECURSIVE split(word, rest) AS (SELECT '', 'red,green,blue' || ',' UNION ALL SELECT "
       "substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1) FROM split WHERE "
       "rest <> '') SELECT word FROM split WHERE word <> '' ORDER BY word",
       "text:blue\ntext:green\ntext:red"},
      {"recursive and other CTEs",
       "WITH one AS (SELECT 1 AS x), two AS (SELECT x + 1 AS x FROM one) SELECT * FROM one UNION "
       "ALL SELECT * FROM two",
       "num:1\nnum:2"},
      {"JSON",
       "SELECT body ->> '$.kind', json_array_length(body, '$.items') FROM documents ORDER BY id",
       "text:order|num:2\ntext:note|num:0"},
      {"JSON",
       "SELECT sum(item.value ->> 'qty') FROM documents, json_each(body, '$.items') AS item",
       "num:5"},
      {"JSON",
       "SELECT fullkey, atom FROM documents, json_tree(documents.body) WHERE documents.id = 1 AND "
       "key = 'qty'",
       "text:$.items[0].qty|num:2\ntext:$.items[1].qty|num:3"},
      {"JSON", "SELECT json_object('name', name, 'pay', salary) FROM staff WHERE id = 2",
       "text:{\"name\":\"Linus\",\"pay\":500}"},
      {"JSON", "SELECT json_group_object(team, heads) FROM team_costs",
       "text:{\"board\":1,\"kernel\":2,\"tools\":2}"},
      {"JSON",
       "SELECT json_set('{\"a\":1}', '$.b', json('[2]')), json_remove('[0,1,2]', '$[1]'), "
       "json_insert('[1]', '$[#]', 2)",
       "text:{\"a\":1,\"b\":[2]}|text:[0,2]|text:[1,2]"},
      {"JSON",
       "SELECT json_valid('{'), json_type('[1]', '$[0]'), json_quote('a\"b'), json_array(1, NULL, "
       "'x')",
       "num:0|text:integer|text:\"a\\\"b\"|text:[1,null,\"x\"]"},
      {"JSON", "SELECT count(*) FROM documents WHERE json_extract(body, '$.kind') = 'note'",
       "num:1"},
      {"JSON",
       "SELECT '[1,2,3]' -> '$[#-1]', '{\"a\":{\"b\":5}}' ->> '$.a.b', json_replace('{\"a\":1}', "
       "'$.a', 2)",
       "text:3|num:5|text:{\"a\":2}"},
      {"dates", "SELECT strftime('%Y-%W %j %H:%M', '2024-05-06 07:08:09')",
       "text:2024-19 127 07:08"},
      {"dates",
       "SELECT date('2024-01-31', '+1 month'), date('2024-03-31', 'start of month', '-1 day')",
       "text:2024-03-02|text:2024-02-29"},
      {"dates",
       "SELECT unixepoch('1970-01-02'), datetime(86400, 'unixepoch'), time('12:34:56', '+90 "
       "minutes')",
       "num:86400|text:1970-01-02 00:00:00|text:14:04:56"},
      {"dates", "SELECT julianday('2024-03-01') - julianday('2024-02-01')", "num:29.0"},
      {"dates",
       "SELECT strftime('%Y', hired) AS year, count(*) FROM staff GROUP BY year ORDER BY year",
       "text:2019|num:1\ntext:2020|num:2\ntext:2021|num:1\ntext:2022|num:1"},
      {"dates",
       "SELECT name FROM staff WHERE hired BETWEEN date('2020-01-01') AND date('2020-12-31') ORDER "
       "BY hired DESC",
       "text:Ken\ntext:Linus"},
      {"dates",
       "SELECT date('now') >= '2024-01-01', CURRENT_TIMESTAMP > '2024', typeof(CURRENT_DATE)",
       "num:1|num:1|text:text"},
      {"dates",
       "SELECT datetime('2024-01-01 12:00', 'localtime') IS NOT NULL, strftime('%w', '2024-01-01', "
       "'weekday 0')",
       "num:1|text:0"},
      {"full text and boxes", "SELECT title FROM notes WHERE notes MATCH 'quick AND fox'",
       "text:one"},
      {"full text and boxes",
       "SELECT title FROM notes WHERE notes MATCH 'body : dog* OR lazy' ORDER BY rank", "text:two"},
      {"full text and boxes",
       "SELECT count(*) FROM notes WHERE notes MATCH '\"quick brown\" NOT cat'", "num:1"},
      {"full text and boxes",
       "SELECT rowid, title FROM notes WHERE body MATCH 'NEAR(quick fox, 3)'", "num:1|text:one"},
      {"full text and boxes", "SELECT snippet(old_notes) FROM old_notes WHERE body MATCH 'old'",
       "text:plain <b>old</b> text"},
      {"full text and boxes", "SELECT count(*) FROM boxes WHERE x1 > 0.5 AND y0 < 2", "num:1"},
      {"joins and subqueries",
       "SELECT s.name, b.name FROM staff s LEFT JOIN staff b ON b.id = s.boss ORDER BY s.id",
       "text:Grace|null:\ntext:Linus|text:Grace\ntext:Ken|text:Grace\ntext:Dennis|text:Ken\ntext:"
       "Barbara|text:Linus"},
      {"joins and subqueries", "SELECT count(*) FROM people CROSS JOIN staff", "num:15"},
      {"joins and subqueries",
       "SELECT p.name FROM people p FULL JOIN staff s ON s.id = p.id + 3 WHERE p.id IS NULL OR "
       "s.id = 5 ORDER BY p.name NULLS LAST LIMIT 1",
       "text:Bob"},
      {"joins and subqueries",
       "SELECT name FROM staff s WHERE salary > (SELECT avg(salary) FROM staff t WHERE t.team = "
       "s.team)",
       "text:Ken"},
      {"joins and subqueries",
       "SELECT name FROM staff WHERE (team, salary) IN (SELECT team, max(salary) FROM staff GROUP "
       "BY team) ORDER BY id",
       "text:Grace\ntext:Linus\ntext:Ken\ntext:Barbara"},
      {"joins and subqueries",
       "SELECT name FROM staff s WHERE NOT EXISTS (SELECT 1 FROM staff WHERE boss = s.id) ORDER BY "
       "name DESC",
       "text:Dennis\ntext:Barbara"},
      {"joins and subqueries",
       "SELECT (SELECT group_concat(name, '+') FROM (SELECT name FROM staff WHERE boss = b.id "
       "ORDER BY name)) FROM staff b WHERE id = 1",
       "text:Ken+Linus"},
      {"joins and subqueries", "SELECT count(*) FROM staff NATURAL JOIN (SELECT 'tools' AS team)",
       "num:2"},
      {"joins and subqueries",
       "SELECT v.column2, name FROM (VALUES (1, 'one'), (2, 'two')) AS v JOIN people ON people.id "
       "= v.column1 WHERE v.column2 = 'two'",
       "text:two|text:Bob"},
      {"compound selects", "SELECT team FROM staff EXCEPT SELECT 'board' ORDER BY 1 DESC",
       "text:tools\ntext:kernel"},
      {"compound selects", "SELECT id FROM people INTERSECT SELECT boss FROM staff ORDER BY id",
       "num:1\nnum:2\nnum:3"},
      {"compound selects", "SELECT 'a' AS x UNION ALL SELECT 'a' UNION SELECT 'b' ORDER BY x",
       "text:a\ntext:b"},
      {"compound selects",
       "SELECT * FROM (SELECT name FROM people ORDER BY age LIMIT 1) UNION ALL SELECT * FROM "
       "(SELECT name FROM people ORDER BY age DESC LIMIT 1)",
       "text:Ünal\ntext:Bob"},
      {"compound selects", "VALUES (1), (2), (3) EXCEPT VALUES (2)", "num:1\nnum:3"},
      {"aggregates",
       "SELECT team, count(*) FILTER (WHERE salary >= 600), total(salary) FROM staff GROUP BY team "
       "ORDER BY team",
       "text:board|num:1|num:900.0\ntext:kernel|num:0|num:1000.0\ntext:tools|num:2|num:1300.0"},
      {"aggregates", "SELECT sum(DISTINCT salary), count(DISTINCT team), avg(salary) FROM staff",
       "num:2700|num:3|num:640.0"},
      {"aggregates",
       "SELECT team, group_concat(name, '|') FROM (SELECT * FROM staff ORDER BY name) GROUP BY "
       "team HAVING count(*) > 1 ORDER BY team",
       "text:kernel|text:Barbara|Linus\ntext:tools|text:Dennis|Ken"},
      {"aggregates", "SELECT name, max(salary) FROM staff", "text:Grace|num:900"},
      {"aggregates",
       "SELECT strftime('%Y', hired) || '-' || team AS k, min(salary) FROM staff GROUP BY 1 ORDER "
       "BY k LIMIT 2",
       "text:2019-board|num:900\ntext:2020-kernel|num:500"},
      {"collations and ordering", "SELECT name FROM staff WHERE name = 'GRACE'", "text:Grace"},
      {"collations and ordering", "SELECT code FROM codes ORDER BY code COLLATE NOCASE, code DESC",
       "text:a_b\ntext:A_C\ntext:axb"},
      {"collations and ordering", "SELECT 'a ' = 'a' COLLATE RTRIM, 'a' = 'A' COLLATE BINARY",
       "num:1|num:0"},
      {"collations and ordering", "SELECT note FROM people ORDER BY note NULLS LAST LIMIT 1",
       "num:1.5"},
      {"collations and ordering",
       "SELECT DISTINCT team FROM staff ORDER BY length(team), team LIMIT 2 OFFSET 1",
       "text:tools\ntext:kernel"},
      {"patterns", "SELECT code FROM codes WHERE code LIKE 'a!_b' ESCAPE '!'", "text:a_b"},
      {"patterns", "SELECT meaning FROM codes WHERE meaning LIKE '%\\%%' ESCAPE '\\'",
       "text:100% sure"},
      {"patterns", "SELECT count(*) FROM codes WHERE code GLOB '[aA]?[bC]'", "num:3"},
      {"patterns", "SELECT name NOT LIKE '%a', name GLOB '*[^a-z]*' FROM people WHERE id = 3",
       "num:1|num:1"},
      {"patterns",
       "SELECT instr('haystack', 'st'), replace('aXbX', 'X', '--'), substr('hello', -3, 2), "
       "unicode('ü'), char(65, 0x20AC)",
       "num:4|text:a--b--|text:ll|num:252|text:A€"},
      {"casts, cases and operators",
       "SELECT CAST('12abc' AS INTEGER), CAST(3.99 AS INT), CAST(7 AS TEXT) || '!', "
       "typeof(CAST('1' AS NUMERIC))",
       "num:12|num:3|text:7!|text:integer"},
      {"casts, cases and operators",
       "SELECT CASE team WHEN 'tools' THEN 1 WHEN 'kernel' THEN 2 ELSE 0 END FROM staff ORDER BY "
       "id",
       "num:0\nnum:2\nnum:1\nnum:1\nnum:2"},
      {"casts, cases and operators",
       "SELECT iif(salary > 550, 'more', 'less'), coalesce(boss, 'nobody'), nullif(team, 'board') "
       "FROM staff WHERE id = 1",
       "text:more|text:nobody|null:"},
      {"casts, cases and operators",
       "SELECT 7 / 2, 7 % 3, 7 / 2.0, 1 << 4, 5 & 3, 5 | 3, ~5, -(-3)",
       "num:3|num:1|num:3.5|num:16|num:1|num:7|num:-6|num:3"},
      {"casts, cases and operators",
       "SELECT NULL IS NULL, 1 IS NOT 2, NULL IS NOT DISTINCT FROM NULL, 3 BETWEEN 1 AND 5, 4 NOT "
       "IN (1, 2)",
       "num:1|num:1|num:1|num:1|num:1"},
      {"casts, cases and operators",
       "SELECT TRUE AND NOT FALSE, 'abc' < 'abd', x'0a' = x'0A', 0x1F, 1e3",
       "num:1|num:1|num:1|num:31|num:1000.0"},
      {"casts, cases and operators", "SELECT n, r, t, b, typeof(a) FROM typed",
       "num:7|num:2.0|text:seven|bytes:\007|text:text"},
      {"casts, cases and operators",
       "SELECT abs(-3), round(2.567, 2), max(1, 9, 4), min('b', 'a'), sign(-2), ceil(1.2), "
       "floor(-1.2), trunc(2.7), mod(7, 4)",
       "num:3|num:2.57|num:9|text:a|num:-1|num:2.0|num:-2.0|num:2.0|num:3.0"},
      {"casts, cases and operators",
       "SELECT quote('it''s'), quote(x'01'), hex(zeroblob(2)), printf('%-5s|%+d|%,d', 'ab', 5, "
       "1234567), upper('é'), likely(1)",
       "text:'it''s'|text:X'01'|text:0000|text:ab   |+5|1,234,567|text:é|num:1"},
      {"views, generated columns and other tables",
       "SELECT cost FROM team_costs WHERE heads = 2 ORDER BY cost DESC", "num:1300\nnum:1000"},
      {"views, generated columns and other tables",
       "SELECT name, yearly, label FROM staff WHERE yearly > 8000 ORDER BY yearly DESC",
       "text:Grace|num:10800|text:Grace/board\ntext:Ken|num:8400|text:Ken/tools"},
      {"views, generated columns and other tables", "SELECT meaning FROM codes WHERE code = 'axb'",
       "text:half"},
      {"views, generated columns and other tables",
       "SELECT count(*) FROM staff INDEXED BY staff_team WHERE team = 'tools'", "num:2"},
      {"views, generated columns and other tables",
       "SELECT count(*) FROM staff NOT INDEXED WHERE team = 'tools'", "num:2"},
      {"views, generated columns and other tables",
       "SELECT rowid, oid, _rowid_ FROM people WHERE rowid = 2", "num:2|num:2|num:2"},
      {"views, generated columns and other tables",
       "SELECT main.people.name AS \"first name\", people.* FROM main.people WHERE id = 1",
       "text:Ada|num:1|text:Ada|num:36|null:"},
      {"views, generated columns and other tables",
       "SELECT \"select\" FROM (SELECT 1 AS \"select\", 2 AS [delete], 3 AS `drop`)", "num:1"},
      {"the schema", "SELECT name, hidden FROM pragma_table_xinfo('staff') WHERE hidden > 0",
       "text:yearly|num:2\ntext:label|num:3"},
      {"the schema", "SELECT name FROM pragma_index_list('staff') ORDER BY name",
       "text:staff_early\ntext:staff_team"},
      {"the schema", "SELECT name FROM pragma_index_info('staff_team')", "text:team\ntext:salary"},
      {"the schema", "SELECT \"desc\" FROM pragma_index_xinfo('staff_team') WHERE name = 'salary'",
       "num:1"},
      {"the schema", "SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list('staff')",
       "text:staff|text:boss|text:id"},
      {"the schema", "SELECT type, wr FROM pragma_table_list WHERE name = 'codes'",
       "text:table|num:1"},
      {"the schema",
       "SELECT m.name, count(*) FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.name "
       "IN ('people', 'codes') GROUP BY m.name",
       "text:codes|num:2\ntext:people|num:4"},
      {"the schema", "SELECT count(*) FROM sqlite_temp_schema", "num:0"},
      {"the schema", "SELECT type, tbl_name FROM sqlite_master WHERE name = 'staff_early'",
       "text:index|text:staff"},
      {"the schema", "SELECT schema, type FROM pragma_table_list WHERE name = 'sqlite_schema'",
       "text:main|text:table"},
      {"the schema", "SELECT count(*) > 0 FROM pragma_function_list WHERE name = 'upper'", "num:1"},
      {"the schema", "SELECT name FROM pragma_collation_list ORDER BY name",
       "text:BINARY\ntext:NOCASE\ntext:RTRIM"},
  };
  return kCases;
}

}  // namespace toolpost::db
