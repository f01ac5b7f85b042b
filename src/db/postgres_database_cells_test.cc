#include "db/postgres_database_fixture.h"

namespace toolpost::db {
namespace {

using PostgresCellsTest = PostgresDatabaseTest;

TEST_F(PostgresCellsTest, GivesExactValuesWithTheirKinds) {
  const struct {
    const char* sql;
    CellKind kind;
    const char* text;
    const char* type;
  } cases[] = {
      {"SELECT NULL::int", CellKind::kNull, "null", "int4"},
      {"SELECT true", CellKind::kBoolean, "true", "bool"},
      {"SELECT false", CellKind::kBoolean, "false", "bool"},
      {"SELECT 32767::smallint", CellKind::kNumber, "32767", "int2"},
      {"SELECT 9223372036854775807", CellKind::kNumber, "9223372036854775807", "int8"},
      {"SELECT 12345678901234567890.123456789012345678901234567890::numeric", CellKind::kNumber,
       "12345678901234567890.123456789012345678901234567890", "numeric"},
      {"SELECT 1.50", CellKind::kNumber, "1.50", "numeric"},
      {"SELECT 'NaN'::numeric", CellKind::kText, "NaN", "numeric"},
      {"SELECT 0.1::float8", CellKind::kNumber, "0.1", "float8"},
      {"SELECT 1e300::float8", CellKind::kNumber, "1e+300", "float8"},
      {"SELECT '-Infinity'::float8", CellKind::kText, "-Infinity", "float8"},
      {"SELECT 'Infinity'::float4", CellKind::kText, "Infinity", "float4"},
      {"SELECT 'it''s'", CellKind::kText, "it's", "text"},
      {"SELECT ''", CellKind::kText, "", "text"},
      {"SELECT 'x'::varchar(5)", CellKind::kText, "x", "varchar"},
      {"SELECT '\\x61620a'::bytea", CellKind::kBytes, "ab\n", "bytea"},
      {"SELECT ''::bytea", CellKind::kBytes, "", "bytea"},
      {"SELECT '{\"a\": [1, null]}'::jsonb", CellKind::kJson, "{\"a\": [1, null]}", "jsonb"},
      {"SELECT '[1]'::json", CellKind::kJson, "[1]", "json"},
      {"SELECT ARRAY[1, NULL, 3]", CellKind::kJson, "[1,null,3]", "int4[]"},
      {"SELECT ARRAY[[1,2],[3,4]]::bigint[]", CellKind::kJson, "[[1,2],[3,4]]", "int8[]"},
      {"SELECT ARRAY[9007199254740993, 1]", CellKind::kJson, "[\"9007199254740993\",1]", "int8[]"},
      {"SELECT ARRAY[9007199254740992, -1234567890123456]", CellKind::kJson,
       "[9007199254740992,-1234567890123456]", "int8[]"},
      {"SELECT ARRAY[123456789012345678901234567890.50, 1]", CellKind::kJson,
       "[\"123456789012345678901234567890.50\",\"1\"]", "numeric[]"},
      {"SELECT ARRAY['\\x00ff'::bytea]", CellKind::kJson, "[\"AP8=\"]", "bytea[]"},
      {"SELECT '[0:1]={5,6}'::int[]", CellKind::kJson, "[5,6]", "int4[]"},
      {"SELECT '{}'::text[]", CellKind::kJson, "[]", "text[]"},
      {"SELECT ARRAY['a b', 'c\"d', 'e\\f', 'NULL', NULL, '', '{x,y}']", CellKind::kJson,
       "[\"a b\",\"c\\\"d\",\"e\\\\f\",\"NULL\",null,\"\",\"{x,y}\"]", "text[]"},
      {"SELECT ARRAY[true, false]", CellKind::kJson, "[true,false]", "bool[]"},
      {"SELECT ARRAY[1.5, 'NaN']::float8[]", CellKind::kJson, "[1.5,\"NaN\"]", "float8[]"},
      {"SELECT ARRAY['{\"a\": 1}']::jsonb[]", CellKind::kJson, "[{\"a\": 1}]", "jsonb[]"},
      {"SELECT ARRAY[box '((0,0),(1,1))', box '((0,0),(2,2))']", CellKind::kJson,
       "[\"(1,1),(0,0)\",\"(2,2),(0,0)\"]", "box[]"},
      {"SELECT ARRAY['ok', 'sad']::mood[]", CellKind::kJson, "[\"ok\",\"sad\"]", "mood[]"},
      {"SELECT 'happy'::mood", CellKind::kText, "happy", "mood"},
      {"SELECT '1 2'::int2vector", CellKind::kText, "1 2", "int2vector"},
      {"SELECT 5::positive", CellKind::kNumber, "5", "int4"},
      {"SELECT int4range(1, 5)", CellKind::kText, "[1,5)", "int4range"},
      {"SELECT DATE '2026-02-03'", CellKind::kText, "2026-02-03", "date"},
      {"SELECT TIMESTAMPTZ '2026-02-03 04:05:06.789+02'", CellKind::kText,
       "2026-02-03T02:05:06.789+00:00", "timestamptz"},
      {"SELECT TIMESTAMPTZ '0001-01-01 00:00:00+00'", CellKind::kText, "0001-01-01T00:00:00+00:00",
       "timestamptz"},
      {"SELECT TIMESTAMPTZ '294276-12-31 23:59:59.999999+00'", CellKind::kText,
       "294276-12-31T23:59:59.999999+00:00", "timestamptz"},
      {"SELECT TIMESTAMPTZ '0044-03-15 12:00:00+00 BC'", CellKind::kText,
       "0044-03-15 12:00:00+00 BC", "timestamptz"},
      {"SELECT '-infinity'::timestamptz", CellKind::kText, "-infinity", "timestamptz"},
      {"SELECT TIMESTAMP '2026-02-03 04:05:06.5'", CellKind::kText, "2026-02-03T04:05:06.5",
       "timestamp"},
      {"SELECT TIMESTAMP '0044-03-15 12:00:00 BC'", CellKind::kText, "0044-03-15 12:00:00 BC",
       "timestamp"},
      {"SELECT 'infinity'::timestamp", CellKind::kText, "infinity", "timestamp"},
      {"SELECT TIME '04:05:06.5'", CellKind::kText, "04:05:06.5", "time"},
      {"SELECT TIMETZ '04:05:06.5-08'", CellKind::kText, "04:05:06.5-08:00", "timetz"},
      {"SELECT TIMETZ '04:05:06+05:30'", CellKind::kText, "04:05:06+05:30", "timetz"},
      {"SELECT TIMETZ '04:05:06+05:30:07'", CellKind::kText, "04:05:06+05:30:07", "timetz"},
      {"SELECT ARRAY[TIMESTAMP '2026-02-03 04:05:06']", CellKind::kJson,
       "[\"2026-02-03 04:05:06\"]", "timestamp[]"},
      {"SELECT tsrange('2026-02-03', NULL)", CellKind::kText, "[\"2026-02-03 00:00:00\",)",
       "tsrange"},
      {"SELECT interval '1 year 2 days 03:04:05'", CellKind::kText, "P1Y2DT3H4M5S", "interval"},
      {"SELECT '00000000-0000-0000-0000-000000000001'::uuid", CellKind::kText,
       "00000000-0000-0000-0000-000000000001", "uuid"},
      {"SELECT inet '10.0.0.0/8'", CellKind::kText, "10.0.0.0/8", "inet"},
      {"SELECT ROW(1, 'a')", CellKind::kText, "(1,a)", "record"},
      {"SELECT 'caf\xC3\xA9 \xF0\x9F\x90\x98'", CellKind::kText, "caf\xC3\xA9 \xF0\x9F\x90\x98",
       "text"},
  };
  const auto database = Open();
  for (const auto& one : cases) {
    KeptRows rows;
    const auto done = Read(*database, one.sql, rows);
    ASSERT_TRUE(done) << one.sql << ": " << done.error().message;
    ASSERT_EQ(rows.rows.size(), 1u) << one.sql;
    EXPECT_EQ(rows.rows[0][0], one.text) << one.sql;
    EXPECT_EQ(rows.kinds[0][0], one.kind) << one.sql;
    EXPECT_EQ(rows.columns[0].type, one.type) << one.sql;
  }
}
}  // namespace
}  // namespace toolpost::db
