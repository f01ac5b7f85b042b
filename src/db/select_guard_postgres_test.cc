#include "db/select_guard_postgres.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/strings.h"
#include "db/select_guard_postgres_text.h"

namespace toolpost::db {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = SqlToken::Kind;

FunctionPolicy Policy(std::vector<std::string> schemas = {},
                      const std::vector<std::string>& extensions = {}) {
  CatalogFacts facts;
  facts.search_path = {"public"};
  for (const char* name : {"lower",  "count",      "repeat",  "lpad",   "concat", "generate_series",
                           "max",    "array_fill", "replace", "power",  "system", "current_setting",
                           "strpos", "translate",  "btrim",   "length", "format", "exp",
                           "abs",    "int4abs"}) {
    facts.functions.push_back({.schema = "pg_catalog", .name = name});
  }
  const auto add = [&](FunctionFacts function) { facts.functions.push_back(std::move(function)); };
  add({.schema = "pg_catalog", .name = "random", .is_volatile = true});
  add({.schema = "pg_catalog", .name = "setseed", .is_volatile = true, .attribute = true});
  add({.schema = "pg_catalog", .name = "pg_read_file", .is_volatile = true, .attribute = true});
  add({.schema = "pg_catalog", .name = "unheard_of_volatile", .is_volatile = true});
  add({.schema = "pg_catalog", .name = "ts_rewrite", .is_volatile = true});
  add({.schema = "public", .name = "pure", .attribute = true});
  add({.schema = "public", .name = "page_count"});
  add({.schema = "public", .name = "writes", .is_volatile = true, .attribute = true});
  add({.schema = "public", .name = "definer", .definer = true});
  add({.schema = "hidden", .name = "pure"});
  add({.schema = "hidden", .name = "lower", .is_volatile = true, .attribute = true});
  add({.schema = "public", .name = "similarity", .extension = "pg_trgm", .untrusted = true});
  add({.schema = "public", .name = "gen_salt", .extension = "pgcrypto", .is_volatile = true});
  add({.schema = "public", .name = "native", .extension = "unheard_of", .untrusted = true});
  facts.operators.push_back({.schema = "public", .name = "<!>", .is_volatile = true});
  facts.operators.push_back({.schema = "hidden", .name = "<?>", .is_volatile = true});
  facts.operators.push_back({.schema = "public", .name = "<+>"});
  facts.casts.push_back({.schema = "public", .name = "sticky", .is_volatile = true});
  facts.casts.push_back({.schema = "public", .name = "checked"});
  facts.types = {"text", "int4", "sticky", "checked", "ltree", "native"};
  facts.codeless_types = {
      {"text", {}}, {"int4", {}}, {"ltree", {"ltree"}}, {"native", {"unheard_of"}}};
  return FunctionPolicy(std::move(facts), std::move(schemas), extensions);
}

Result<GuardedStatement> Guard(std::string_view sql, const FunctionPolicy& policy = Policy()) {
  RETURN_IF_ERROR(CheckPostgresText(sql));
  return GuardPostgresStatement(sql, policy);
}

std::string Refusal(std::string_view sql, const FunctionPolicy& policy = Policy()) {
  const auto guarded = Guard(sql, policy);
  return guarded ? "allowed" : guarded.error().message;
}

TEST(SelectGuardPostgres, SaysWhatAStatementNeeds) {
  const auto guarded = Guard("SELECT lower($2), $1 FROM a JOIN s.b ON true JOIN a x ON true");
  ASSERT_TRUE(guarded);
  EXPECT_EQ(guarded->kind, GuardedStatement::Kind::kSelect);
  EXPECT_EQ(guarded->parameters, 2);
  EXPECT_THAT(guarded->relations,
              ::testing::UnorderedElementsAre(RelationName{"", "a"}, RelationName{"s", "b"}));
  EXPECT_FALSE(guarded->own_code);
  EXPECT_EQ(Guard("EXPLAIN SELECT 1")->kind, GuardedStatement::Kind::kExplain);
  EXPECT_EQ(Guard("SHOW TimeZone")->kind, GuardedStatement::Kind::kShow);
}

TEST(SelectGuardPostgres, MarksCodeOfTheDatabaseAndStateThatStays) {
  EXPECT_TRUE(Guard("SELECT pure(1)")->own_code);
  EXPECT_TRUE(Guard("SELECT hidden.pure(1)")->own_code);
  EXPECT_TRUE(Guard("SELECT (1).pure")->own_code);
  EXPECT_TRUE(Guard("SELECT 1 <+> 2")->own_code);
  EXPECT_TRUE(Guard("SELECT 1::checked")->own_code);
  EXPECT_TRUE(Guard("SELECT (1).checked")->own_code);
  EXPECT_TRUE(Guard("SELECT ('{}')._of_rows")->own_code);
  EXPECT_TRUE(Guard("SELECT '(1)'::made_since")->own_code);
  EXPECT_TRUE(Guard("SELECT 'x'::native")->own_code);
  EXPECT_FALSE(Guard("SELECT 'x'::native", Policy({}, {"unheard_of"}))->own_code);
  EXPECT_FALSE(Guard("SELECT 'a'::ltree, 'a'::text, ('1').int4, t.name FROM t")->own_code);
  EXPECT_FALSE(Guard("SELECT similarity('a', 'b'), random()")->own_code);
  EXPECT_TRUE(Guard("SELECT setseed(0.1)")->keeps_state);
  EXPECT_TRUE(Guard("SELECT (0.1).setseed")->keeps_state);
  EXPECT_FALSE(Guard("SELECT random()")->keeps_state);
}

TEST(SelectGuardPostgres, ErrorsNameWhatIsRefusedAndWhatIsAllowed) {
  EXPECT_THAT(Refusal("DELETE FROM a"), HasSubstr("DELETE is not allowed"));
  EXPECT_THAT(Refusal("DELETE FROM a"), HasSubstr("Allowed are SELECT"));
  EXPECT_THAT(Refusal("SELECT 1; SELECT 2"), HasSubstr("These are 2 statements"));
  EXPECT_THAT(Refusal("EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1"),
              HasSubstr("EXPLAIN of CREATE TABLE AS"));
  EXPECT_THAT(Refusal("EXPLAIN (generic_plan) SELECT 1"), HasSubstr("option generic_plan"));
  EXPECT_THAT(Refusal("SHOW data_directory"),
              ::testing::AllOf(HasSubstr("setting data_directory"), HasSubstr("server_version")));
  EXPECT_THAT(Refusal("SELECT current_setting($1)"), HasSubstr("name is computed"));
  EXPECT_THAT(Refusal("SELECT pg_read_file('x')"), HasSubstr("reads files of the server"));
  EXPECT_THAT(Refusal("SELECT FROM WHERE"),
              HasSubstr("syntax error at or near \"WHERE\" (character 13)"));
  EXPECT_THAT(Refusal("SELECT 1 FROM pg_catalog.pg_authid"),
              HasSubstr("pg_authid may not be read"));
  EXPECT_EQ(Refusal("SELECT 1 FROM mine.pg_authid"), "allowed");
  EXPECT_THAT(Refusal("SELECT statement FROM pg_prepared_statements"),
              ::testing::AllOf(HasSubstr("pg_prepared_statements may not be read"),
                               HasSubstr("of other callers")));
  EXPECT_THAT(Refusal("SELECT pg_cursor()"), HasSubstr("of other callers"));
}

TEST(FunctionPolicy, JudgesEveryCandidateThatTheSearchPathFinds) {
  EXPECT_EQ(Refusal("SELECT lower('x')"), "allowed");
  EXPECT_THAT(Refusal("SELECT hidden.lower('x')"), HasSubstr("volatile"));
  EXPECT_THAT(Refusal("SELECT writes()"), HasSubstr("volatile"));
  EXPECT_THAT(Refusal("SELECT unheard_of_volatile()"), HasSubstr("volatile"));
  EXPECT_THAT(Refusal("SELECT definer()"), HasSubstr("SECURITY DEFINER"));
  EXPECT_THAT(Refusal("SELECT native()"), HasSubstr("untrusted language"));
  EXPECT_EQ(Refusal("SELECT native()", Policy({}, {"unheard_of"})), "allowed");
  EXPECT_EQ(Refusal("SELECT gen_salt('bf')"), "allowed");
  EXPECT_THAT(Refusal("SELECT nowhere()"), HasSubstr("not known"));
  EXPECT_THAT(Refusal("SELECT public.lower('x')"), HasSubstr("not known"));
  EXPECT_THAT(Refusal("SELECT a.b.c(1)"), HasSubstr("such a name"));
  EXPECT_THAT(Refusal("SELECT cron.schedule('x')"), HasSubstr("schema of functions"));
  EXPECT_THAT(Refusal("SELECT isn_weak(true)"), HasSubstr("changes settings"));
  EXPECT_THAT(Refusal("SELECT page_header(x) FROM t"), HasSubstr("reads pages"));
  EXPECT_EQ(Refusal("SELECT page_count(1)"), "allowed");
  EXPECT_EQ(Refusal("SELECT ts_rewrite(a, b, c) FROM t"), "allowed");
  EXPECT_THAT(Refusal("SELECT ts_rewrite(a, b) FROM t"), HasSubstr("SQL from a string"));
}

TEST(FunctionPolicy, KnowsVolatileFunctionsThatOnlyReadByTheirWholeNames) {
  CatalogFacts facts;
  facts.search_path = {"public"};
  const auto add = [&](const char* schema, const char* extension, const char* name) {
    facts.functions.push_back(
        {.schema = schema, .name = name, .extension = extension, .is_volatile = true});
  };
  const std::vector<const char*> reading = {"random_normal",
                                            "array_shuffle",
                                            "array_sample",
                                            "uuidv4",
                                            "uuidv7",
                                            "pg_buffercache_pages",
                                            "pg_buffercache_summary",
                                            "pg_buffercache_usage_counts",
                                            "pg_buffercache_numa_pages",
                                            "pg_buffercache_os_pages"};
  const std::vector<const char*> writing = {
      "pg_buffercache_mark_dirty", "pg_buffercache_mark_dirty_relation",
      "pg_buffercache_mark_dirty_all", "pg_buffercache_evict", "pg_buffercache_evict_all"};
  for (const auto& names : {reading, writing}) {
    for (const char* name : names) add("pg_catalog", "", name);
  }
  for (const char* name : {"time_bucket_gapfill", "locf", "interpolate"})
    add("public", "timescaledb", name);
  add("public", "postgis", "st_generatepoints");
  add("public", "", "my_locf");
  const FunctionPolicy policy(std::move(facts), {}, {});
  const auto refusal = [&](std::string_view name) {
    return Refusal(base::StrCat("SELECT ", name, "()"), policy);
  };
  for (const char* name : reading) EXPECT_EQ(refusal(name), "allowed");
  for (const char* name : {"time_bucket_gapfill", "locf", "interpolate", "ST_GeneratePoints"})
    EXPECT_EQ(refusal(name), "allowed") << name;
  for (const char* name : writing) EXPECT_THAT(refusal(name), HasSubstr("not allowed")) << name;
  EXPECT_THAT(refusal("my_locf"), HasSubstr("volatile"));
}

TEST(FunctionPolicy, FunctionsMayBeLimitedToSchemas) {
  EXPECT_EQ(Refusal("SELECT pure(1), lower('x')", Policy({"public"})), "allowed");
  EXPECT_THAT(Refusal("SELECT hidden.pure(1)", Policy({"public"})), HasSubstr("not in a schema"));
}

TEST(FunctionPolicy, JudgesAttributesOperatorsAndCasts) {
  EXPECT_THAT(Refusal("SELECT (1).writes"), HasSubstr("attribute writes"));
  EXPECT_THAT(Refusal("SELECT t.writes FROM t"), HasSubstr("attribute writes"));
  EXPECT_THAT(Refusal("SELECT ('x').pg_read_file"), HasSubstr("reads files"));
  EXPECT_EQ(Refusal("SELECT writes, pg_read_file, t.page_size, t.http_status FROM t"), "allowed");
  EXPECT_THAT(Refusal("SELECT 1 <!> 2"), HasSubstr("operator <!>"));
  EXPECT_EQ(Refusal("SELECT 1 <?> 2"), "allowed");
  EXPECT_THAT(Refusal("SELECT 1 OPERATOR(hidden.<?>) 2"), HasSubstr("named schema"));
  EXPECT_THAT(Refusal("SELECT '1'::sticky"), HasSubstr("cast to sticky"));
  EXPECT_THAT(Refusal("SELECT sticky('1')"), HasSubstr("volatile"));
  EXPECT_EQ(Refusal("SELECT int4('1')"), "allowed");
  EXPECT_THAT(Refusal("SELECT * FROM t TABLESAMPLE writes (1)"), HasSubstr("volatile"));
  EXPECT_EQ(Refusal("SELECT * FROM t TABLESAMPLE system (1)"), "allowed");
}

TEST(FunctionPolicy, TellsWhenAnotherReadingOfTheCatalogueMayHelp) {
  const FunctionPolicy policy = Policy();
  bool by_catalogue = false;
  EXPECT_FALSE(GuardPostgresStatement("SELECT nowhere()", policy, &by_catalogue));
  EXPECT_TRUE(by_catalogue);
  EXPECT_FALSE(GuardPostgresStatement("SELECT writes()", policy, &by_catalogue));
  EXPECT_TRUE(by_catalogue);
  EXPECT_FALSE(GuardPostgresStatement("SELECT pg_sleep(1)", policy, &by_catalogue));
  EXPECT_FALSE(by_catalogue);
}

TEST(FunctionPolicy, JudgesOperatorsThatAreNotWritten) {
  CatalogFacts facts;
  facts.search_path = {"public"};
  for (const char* name : {"=", "<=", "<"})
    facts.operators.push_back({.schema = "public", .name = name, .is_volatile = true});
  const FunctionPolicy policy(std::move(facts), {}, {});
  for (const char* sql :
       {"SELECT a BETWEEN b AND c FROM t", "SELECT a BETWEEN SYMMETRIC b AND c FROM t",
        "SELECT a NOT BETWEEN b AND c FROM t", "SELECT CASE a WHEN b THEN 1 END FROM t",
        "SELECT * FROM t JOIN u USING (a)", "SELECT * FROM t NATURAL JOIN u",
        "SELECT a IN (SELECT b FROM u) FROM t", "SELECT a IN (b, c) FROM t",
        "SELECT NULLIF(a, b) FROM t", "SELECT a IS DISTINCT FROM b FROM t"}) {
    EXPECT_THAT(Refusal(sql, policy), HasSubstr("operator")) << sql;
  }
  EXPECT_EQ(Refusal("SELECT CASE WHEN a THEN 1 END, EXISTS (SELECT 1), ARRAY(SELECT 1), (SELECT 2) "
                    "FROM t JOIN u ON a > b",
                    policy),
            "allowed");
}

TEST(SelectGuardPostgres, EstimatesConstantsBeforePostgresComputesThem) {
  for (const char* sql :
       {"SELECT repeat('x', 1000000)", "SELECT repeat(a, 10) FROM t", "SELECT lpad('x', 100)",
        "SELECT repeat('x', -5)", "SELECT repeat('x', n) FROM t",
        "SELECT generate_series(1, 1000000)", "SELECT concat(repeat('x', 1000), 'y')",
        "SELECT array_fill(0, ARRAY[100, 100])", "SELECT format('%-20s in 2026: %s', a, b) FROM t",
        "SELECT repeat('x', exp(2)::int)", "SELECT format('%*s', 10, a) FROM t",
        "SELECT repeat('x', abs(-007)), -0",
        "SELECT repeat('x', abs(0)), '\"ival\":{},\"location\":9'",
        "SELECT repeat('x', least(20000000, 5))", "SELECT repeat('x', ' -20000000')",
        "SELECT repeat('x', coalesce(a, 3)) FROM t"}) {
    EXPECT_EQ(Refusal(sql), "allowed") << sql;
  }
  for (const char* sql : {"SELECT repeat('x', 20000000)",
                          "SELECT repeat(repeat('x', 10000), 10000)",
                          "SELECT repeat('x', 2000 * 10000)",
                          "SELECT repeat('x', least('NaN'::float8, 1e9)::int)",
                          "SELECT repeat('x', least('inf'::float8 - 'inf', 1e9)::int)",
                          "SELECT repeat('x', '20000000')",
                          "SELECT repeat('x', 20000000::int)",
                          "SELECT repeat('x', (10 ^ 9)::int)",
                          "SELECT repeat('x', 1 << 30)",
                          "SELECT repeat('x', power(10, 9)::int)",
                          "SELECT lpad('x', 20000000)",
                          "SELECT repeat(a, 2000000000) FROM t",
                          "SELECT repeat('x', 9000000) || repeat('x', 9000000)",
                          "SELECT generate_series(1, 1e11)",
                          "SELECT array_fill(0, ARRAY[10000, 10000])",
                          "SELECT repeat('x', 1e400::int)",
                          "SELECT replace(repeat('x', 10000), 'x', repeat('y', 10000))",
                          "SELECT format('%200000000s', 'x')",
                          "SELECT format('%1$9000000s%1$9000000s', 'x')",
                          "SELECT repeat('x', exp(18)::int)",
                          "SELECT repeat('x', ' 1000000000')",
                          "SELECT repeat('x', E'\\n+1000000000'::int)",
                          "SELECT repeat('x', '1_000_000_000')",
                          "SELECT repeat('x', '0x3B9ACA00')",
                          "SELECT repeat('x', '-20000000'::int * -1)",
                          "SELECT repeat('x', abs(-500000000))",
                          "SELECT repeat('x', int4abs(-500000000))",
                          "SELECT repeat('x', greatest(1, 500000000))",
                          "SELECT repeat('x', greatest(n, 500000000)) FROM t",
                          "SELECT repeat('x', coalesce(NULL, 500000000))",
                          "SELECT repeat('x', @ -500000000)",
                          "SELECT repeat('x', abs(- /* 1 */ (500000000)))",
                          "SELECT format('%*s', 900000000, 'x')",
                          "SELECT format('%2$*1$s', -900000000, 'x')"}) {
    EXPECT_THAT(Refusal(sql), ::testing::AnyOf(HasSubstr("would make"), HasSubstr("billion")))
        << sql;
  }
}

TEST(SelectGuardPostgres, MultipliesTheSizesOfConstantsThatAreCompared) {
  for (const char* sql :
       {"SELECT strpos(repeat('a', 1000000), 'needle')", "SELECT strpos(a, b) FROM t",
        "SELECT strpos('needle', repeat('a', 9000000))", "SELECT replace(a, 'b', 'c') FROM t",
        "SELECT concat(repeat('a', 1000000), repeat('a', 1000000))",
        "SELECT repeat('a', 1000000) = repeat('b', 1000000)",
        "SELECT repeat('a', 1000000) LIKE '%a%'", "SELECT a LIKE ANY (SELECT b FROM t) FROM t",
        "SELECT length(repeat('a', 9000000)) - length(repeat('a', 10))"}) {
    EXPECT_EQ(Refusal(sql), "allowed") << sql;
  }
  for (const char* sql :
       {"SELECT strpos(repeat('a', 100000), repeat('b', 100000))",
        "SELECT replace(repeat('a', 100000), repeat('b', 100000), '')",
        "SELECT pg_catalog.translate(repeat('a', 1000000), repeat('b', 2000), '')",
        "SELECT trim(repeat('b', 100000) FROM repeat('a', 100000))",
        "SELECT repeat('a', 100000) LIKE repeat('b', 100000)",
        "SELECT repeat('a', 100000) NOT ILIKE repeat('b', 100000)",
        "SELECT repeat('a', 100000) OPERATOR(pg_catalog.~~) repeat('b', 100000)",
        "SELECT repeat('a', 100000) LIKE ANY (SELECT repeat('b', 100000))",
        "SELECT array_fill(1, ARRAY[10000]) && array_fill(1, ARRAY[10000])"}) {
    EXPECT_THAT(Refusal(sql), HasSubstr("product of their sizes")) << sql;
  }
}

TEST(SelectGuardPostgres, RefusesWhatNestsTooDeeplyWithoutCrashing) {
  const auto repeat = [](std::string_view piece, int times) {
    std::string out;
    while (times-- > 0) out += piece;
    return out;
  };
  EXPECT_EQ(Refusal("SELECT 1" + repeat(" + 1", 300)), "allowed");
  EXPECT_EQ(Refusal("SELECT 1 WHERE true" + repeat(" AND true", 2000)), "allowed");
  EXPECT_EQ(Refusal("SELECT 1 IN (1" + repeat(", 1", 30000) + ")"), "allowed");
  for (const std::string& sql :
       {"SELECT 1" + repeat("+1", 49000), "SELECT " + repeat("(", 40000) + "1" + repeat(")", 40000),
        "SELECT 1" + repeat(" union select 1", 3000), "SELECT " + repeat("not ", 4900) + "true",
        "SELECT 1" + repeat("::int", 2000), repeat("(SELECT ", 2400) + "1" + repeat(")", 2400),
        "SELECT " + repeat("lower(", 2400) + "'x'" + repeat(")", 2400),
        "SELECT " + repeat("@", 4000) + " 1", "SELECT 1 " + repeat("+ -- x\n 1", 4000)}) {
    EXPECT_NE(Refusal(sql), "allowed") << sql.substr(0, 40);
  }
  EXPECT_THAT(Refusal("SELECT '" + std::string(kLongestStatement, 'x') + "'"),
              HasSubstr("at most 100000"));
}

TEST(SelectGuardPostgres, ManyThreadsMayParseAtOnce) {
  const FunctionPolicy policy = Policy();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 100; ++turn) {
        EXPECT_TRUE(GuardPostgresStatement("SELECT count(*) FROM a WHERE lower(b) = 'c'", policy));
        EXPECT_FALSE(GuardPostgresStatement("SELECT writes()", policy));
        EXPECT_FALSE(GuardPostgresStatement("SELECT FROM WHERE", policy));
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

std::vector<std::pair<Kind, std::string>> Tokens(std::string_view sql) {
  std::vector<std::pair<Kind, std::string>> out;
  while (!sql.empty()) {
    const SqlToken token = NextPostgresToken(sql);
    if (token.kind != Kind::kSpace) out.emplace_back(token.kind, std::string(token.text));
    sql.remove_prefix(token.text.size());
  }
  return out;
}

TEST(PostgresText, FollowsPostgresInWhereLiteralsEnd) {
  using P = std::pair<Kind, std::string>;
  EXPECT_THAT(
      Tokens("'a''b' 'c\\' x"),
      ElementsAre(P{Kind::kString, "'a''b'"}, P{Kind::kString, "'c\\'"}, P{Kind::kWord, "x"}));
  EXPECT_THAT(Tokens("e'a\\'b' x"), ElementsAre(P{Kind::kString, "e'a\\'b'"}, P{Kind::kWord, "x"}));
  EXPECT_THAT(Tokens("$a$ ' $$ $a$ x"),
              ElementsAre(P{Kind::kString, "$a$ ' $$ $a$"}, P{Kind::kWord, "x"}));
  EXPECT_THAT(Tokens("$1 a$b$c"), ElementsAre(P{Kind::kParameter, "$1"}, P{Kind::kWord, "a$b$c"}));
  EXPECT_THAT(Tokens("/* /* */ */x --y\nz"),
              ElementsAre(P{Kind::kComment, "/* /* */ */"}, P{Kind::kWord, "x"},
                          P{Kind::kComment, "--y"}, P{Kind::kWord, "z"}));
  EXPECT_THAT(Tokens("\"a\"\"b\":x::y"),
              ElementsAre(P{Kind::kQuotedName, "\"a\"\"b\""}, P{Kind::kOther, ":"},
                          P{Kind::kWord, "x"}, P{Kind::kOther, "::"}, P{Kind::kWord, "y"}));
  EXPECT_THAT(Tokens("'open"), ElementsAre(P{Kind::kString, "'open"}));
}

TEST(PostgresText, TakesQuestionMarksForParametersOnlyWhereTheyCanBe) {
  const auto numbered = [](std::string_view sql, std::size_t count) {
    return NumberQuestionMarks(sql, count).sql;
  };
  EXPECT_EQ(numbered("SELECT ? + a WHERE b=? AND c IN (?,?) -- ?", 4),
            "SELECT $1 + a WHERE b=$2 AND c IN ($3,$4) -- ?");
  EXPECT_EQ(numbered("WHERE a LIKE ?||'%' OR b > ?-1 OR c = ?|4 OR d = ?--e", 4),
            "WHERE a LIKE $1||'%' OR b > $2-1 OR c = $3|4 OR d = $4--e");
  for (const char* sql : {"SELECT a ? 'b' AND c = ?", "SELECT $1, a ? 'b'", "SELECT a ?| b",
                          "SELECT a ?& b", "SELECT a ?|ARRAY['b']", "SELECT a @? b",
                          "SELECT '?', \"?\" -- ?", "SELECT ?-a", "SELECT a ?-|b"}) {
    EXPECT_EQ(numbered(sql, 1), sql);
  }
  EXPECT_EQ(numbered("SELECT a ? 'b'", 0), "SELECT a ? 'b'");
  EXPECT_EQ(NumberQuestionMarks("SELECT a ? 'b' AND c = ?", 1).count, 2u);
  EXPECT_EQ(NumberQuestionMarks("SELECT $1, a ? 'b'", 1).count, 0u);
}

TEST(PostgresText, RefusesWhatCannotBeSeen) {
  for (const char* sql :
       {"SELECT\xC2\xA0x", "SELECT 1\xE2\x80\x8B", "\xEF\xBB\xBFSELECT 1",
        "SELECT 1 /*\xE2\x80\xAE*/", "SELECT \"\xE2\x81\xA0\"", "SELECT 1\xF3\xA0\x80\x81",
        "SELECT 1 \x7F", "SELECT '\x01'", "SELECT '\xC3'", "", " -- x"}) {
    EXPECT_FALSE(CheckPostgresText(sql)) << sql;
  }
  EXPECT_FALSE(CheckPostgresText(std::string_view("SELECT 1\0", 9)));
  for (const char* sql : {"SELECT '\xC2\xA0\xE2\x80\x8B'", "SELECT \"caf\xC3\xA9\"\t\r\n",
                          "SELECT $$\xEF\xBB\xBF$$", "SELECT E'\\'\xC2\xA0'"}) {
    EXPECT_TRUE(CheckPostgresText(sql)) << sql;
  }
  // A heart in red, a family, a keycap.
  for (const std::string emoji :
       {"\xE2\x9D\xA4\xEF\xB8\x8F", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9",
        "\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5", "1\xEF\xB8\x8F\xE2\x83\xA3"}) {
    EXPECT_TRUE(CheckPostgresText("SELECT 1 -- " + emoji)) << emoji;
    EXPECT_TRUE(CheckPostgresText("SELECT 1 /*" + emoji + "*/ AS \"" + emoji + "\"")) << emoji;
    EXPECT_FALSE(CheckPostgresText("SELECT 1 AS a" + emoji)) << emoji;
  }
  for (const char* sql :
       {"SELECT \"ab\xEF\xB8\x8F\"", "SELECT \"a\u200db\"", "SELECT \"\xEF\xB8\x8F\"",
        "SELECT 1 -- a\xE2\x80\x8D", "SELECT \"\xE2\x9D\xA4\xE2\x80\x8B\""}) {
    EXPECT_FALSE(CheckPostgresText(sql)) << sql;
  }
  EXPECT_THAT(CheckPostgresText("SELECT\xE2\x80\x8B 1").error().message, HasSubstr("U+200B"));
}

}  // namespace
}  // namespace toolpost::db
