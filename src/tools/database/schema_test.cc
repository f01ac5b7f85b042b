// database/tables, database/schema, database/explain, database/health and the table resources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/database/database_fixture.h"
#include "tools/database/plan_summary.h"
#include "tools/database/setup_sql.h"

namespace toolpost::tools::database {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SchemaTest : public DatabaseTools {
 protected:
  static std::vector<std::string> Names(const JsonObject& reply) {
    std::vector<std::string> names;
    const Json* tables = reply.if_contains("tables");
    if (tables == nullptr) return {Text(reply, "error")};
    for (const Json& table : tables->as_array()) names.emplace_back(table.at("name").as_string());
    return names;
  }

  // The templates AddResources offers.
  struct Offered {
    ResourceReader reader;
    mcp::LongReader long_reader;
    Completer completer;
  };
  std::map<std::string, Offered> Templates() {
    std::map<std::string, Offered> offered;
    EXPECT_TRUE(
        AddResources({[&](const ResourceInfo& info, ResourceReader reader, Completer completer) {
                        offered[info.uri] = {std::move(reader), {}, std::move(completer)};
                        return Result<void>();
                      },
                      [&](const ResourceInfo& info, mcp::LongReader reader) {
                        offered[info.uri] = {{}, std::move(reader), {}};
                        return Result<void>();
                      }},
                     services_));
    return offered;
  }
};
TOOLPOST_BOTH_ENGINES(SchemaTest);

TEST_P(SchemaTest, PRD_FR_017_1_PRD_FR_017_3_PRD_AC_007_4_ListsTheDefaultSchema) {
  const JsonObject reply = Ask("database/tables", {});
  EXPECT_EQ(Text(reply, "schema"), Schema());
  EXPECT_THAT(Names(reply), ElementsAre("customers", "large_orders", "orders"));
  EXPECT_EQ(reply.at("tables").at(1).at("type"), "view");
  EXPECT_EQ(reply.at("connections").at(0).at("description"), "The shop.");
  EXPECT_THAT(Names(Ask("database/tables", {{"schema", "public"}})),
              ElementsAre("customers", "large_orders", "orders"));
  EXPECT_THAT(Names(Ask("database/tables", {{"schema", nullptr}})),
              ElementsAre("customers", "large_orders", "orders"));
}

TEST_P(SchemaTest, WithoutAConnectionThatIsMeantTheyAreListed) {
  Connect({"crm", "shop"});
  JsonObject reply = Ask("database/tables", {});
  EXPECT_THAT(Names(reply), IsEmpty());
  EXPECT_EQ(Text(reply, "count"), "0");
  ASSERT_TRUE(reply.contains("connections")) << Text(reply, "error");
  ASSERT_EQ(reply.at("connections").as_array().size(), 2u);
  EXPECT_EQ(reply.at("connections").at(0).at("description"), "The crm.");
  EXPECT_TRUE(Ask("database/tables", {{"connection", "nope"}}).contains("error"));
  auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants.scopes = {"read"};
  credential->grants.connections = std::vector<std::string>{"shop"};
  principal_.credential = credential;
  reply = Ask("database/tables", {});
  ASSERT_TRUE(reply.contains("connections")) << Text(reply, "error");
  EXPECT_EQ(reply.at("connections").as_array().size(), 1u);
}

TEST_P(SchemaTest, TablesComeByPatternAndInPages) {
  EXPECT_THAT(Names(Ask("database/tables", {{"pattern", "%orders"}})),
              ElementsAre("large_orders", "orders"));
  JsonObject reply = Ask("database/tables", {{"limit", 2}});
  EXPECT_THAT(Names(reply), ElementsAre("customers", "large_orders"));
  reply = Ask("database/tables", {{"limit", 2}, {"cursor", reply.at("nextCursor")}});
  EXPECT_THAT(Names(reply), ElementsAre("orders"));
  EXPECT_FALSE(reply.contains("nextCursor"));
  EXPECT_THAT(Names(Ask("database/tables", {{"pattern", "'; DROP TABLE orders; --"}})), IsEmpty());
  EXPECT_TRUE(Ask("database/tables", {{"cursor", "*"}}).contains("error"));
}

TEST_P(SchemaTest, APageOfTablesEndsWhereTheReplyIsFull) {
  std::vector<std::string> expected = {"customers", "large_orders", "orders"};
  for (int i = 1000; i < 1500; ++i) {
    expected.push_back(base::StrCat("zz_", std::string(50, 'x'), i));
    Execute(base::StrCat("CREATE TABLE ", expected.back(), " (id integer)"));
  }
  std::vector<std::string> names;
  JsonObject reply;
  do {
    JsonObject arguments{{"limit", 1000}};
    if (reply.contains("nextCursor")) arguments["cursor"] = reply.at("nextCursor");
    reply = Ask("database/tables", std::move(arguments));
    ASSERT_FALSE(reply.contains("truncated")) << "the budget cut it";
    EXPECT_GT(base::ToJson(reply).size(), reply.contains("nextCursor") ? 39'000U : 0U);
    const std::vector<std::string> page = Names(reply);
    EXPECT_EQ(reply.at("count"), page.size());
    names.insert(names.end(), page.begin(), page.end());
  } while (reply.contains("nextCursor") && names.size() < 1000);
  EXPECT_EQ(names, expected);
}

TEST_P(SchemaTest, PRD_FR_017_2_PRD_FR_017_4_DescribesATable) {
  const JsonObject reply = Ask("database/schema", {{"table", "orders"}});
  ASSERT_TRUE(reply.contains("columns")) << Text(reply, "error");
  EXPECT_EQ(Text(reply, "schema"), Schema());
  const JsonArray& columns = reply.at("columns").as_array();
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_EQ(columns[0].at("name"), "id");
  EXPECT_EQ(columns[0].at("nullable"), false);
  EXPECT_EQ(columns[0].at("generated"), "identity");
  EXPECT_EQ(columns[1].at("nullable"), false);
  EXPECT_EQ(columns[3].at("nullable"), true);
  EXPECT_FALSE(columns[2].at("type").as_string().empty());
  EXPECT_EQ(Text(reply, "primaryKey"), R"(["id"])");
  const Json& key = reply.at("foreignKeys").at(0);
  EXPECT_EQ(key.at("table"), "customers");
  EXPECT_EQ(key.at("references"), Json(JsonArray{"id"}));
  EXPECT_EQ(key.at("onDelete"), "cascade");
  EXPECT_THAT(Text(reply, "checks"), HasSubstr("amount >"));
  const JsonObject customers = Ask("database/schema", {{"table", "customers"}});
  EXPECT_THAT(Text(customers, "columns"), HasSubstr("'Oslo'"));
}

TEST_P(SchemaTest, SeveralTablesComeInOneCall) {
  const JsonObject reply =
      Ask("database/schema", {{"table", "orders"},
                              {"tables", JsonArray{"customers", "large_orders"}},
                              {"schema", Schema()}});
  ASSERT_TRUE(reply.contains("tables")) << Text(reply, "error");
  EXPECT_EQ(reply.at("tables").at(0).at("table"), "customers");
  EXPECT_EQ(reply.at("tables").at(1).at("type"), "view");
}

TEST_P(SchemaTest, NamesAreNeverSql) {
  for (const char* name :
       {"nowhere", "orders; DROP TABLE orders", "orders' --", "\"orders\"", "x\ny"}) {
    EXPECT_TRUE(Ask("database/schema", {{"table", name}}).contains("error")) << name;
    EXPECT_TRUE(Ask("database/schema", {{"table", "orders"}, {"schema", name}}).contains("error"))
        << name;
    EXPECT_TRUE(Ask("database/tables", {{"schema", name}}).contains("error") ||
                Names(Ask("database/tables", {{"schema", name}})).empty())
        << name;
  }
  EXPECT_EQ(Rows("SELECT count(*) FROM orders"), "[[250]]");
  const std::string large(200'000, 'x');
  for (const auto& [table, schema] : {std::pair{large, Schema()}, {"orders", large}}) {
    const JsonObject reply = Ask("database/schema", {{"table", table}, {"schema", schema}});
    EXPECT_LT(Text(reply, "error").size(), 200u);
  }
}

TEST_P(SchemaTest, ExplainsPlans) {
  const JsonObject reply =
      Ask("database/explain", {{"query", "SELECT * FROM orders WHERE id = 5"}});
  ASSERT_TRUE(reply.contains("summary")) << Text(reply, "error");
  EXPECT_THAT(Text(reply, "summary"), HasSubstr("orders"));
  EXPECT_TRUE(reply.contains("plan"));
  EXPECT_TRUE(Ask("database/explain", {{"query", "DELETE FROM orders"}}).contains("error"));
  EXPECT_THAT(Text(Ask("database/explain", {{"query", " explain SELECT 1"}}), "error"),
              HasSubstr("Leave EXPLAIN out"));
  if (!IsSqlite()) {
    EXPECT_THAT(Text(Ask("database/explain", {{"query", "SELECT nope FROM orders"}}), "error"),
                HasSubstr("(character 8)"));
    EXPECT_THAT(Text(Ask("database/explain", {{"query", "SELECT FROM WHERE"}}), "error"),
                HasSubstr("(character 13)"));
  }
  EXPECT_TRUE(
      Ask("database/explain", {{"query", "SELECT 1; DELETE FROM orders"}}).contains("error"));
  const JsonObject measured =
      Ask("database/explain", {{"query", "SELECT * FROM orders"}, {"analyze", true}});
  if (IsSqlite()) {
    EXPECT_TRUE(measured.contains("error"));
  } else {
    EXPECT_THAT(Text(measured, "summary"), HasSubstr("actual rows 250"));
  }
  EXPECT_EQ(Rows("SELECT count(*) FROM orders"), "[[250]]");
}

TEST_P(SchemaTest, ExplainsWithIndexesThatAreOnlyThoughtOf) {
  const auto explain = [&](JsonArray indexes) {
    return Ask("database/explain",
               {{"query", "SELECT * FROM orders WHERE note = 'n7'"}, {"indexes", indexes}});
  };
  const JsonObject note{{"table", "orders"}, {"columns", {"note"}}};
  if (IsSqlite()) {
    EXPECT_THAT(Text(explain({note}), "error"), HasSubstr("leave indexes out"));
    return;
  }
  EXPECT_THAT(Text(explain({note}), "error"), HasSubstr("CREATE EXTENSION hypopg"));
  Execute("CREATE SCHEMA \"extra things\"");
  Execute("CREATE EXTENSION hypopg SCHEMA \"extra things\"");
  Execute(
      "INSERT INTO orders (customer_id, amount, note) "
      "SELECT 1, g, 'm' || g FROM generate_series(1, 20000) g");
  Execute("ANALYZE orders");
  const JsonObject helped = explain({note});
  ASSERT_TRUE(helped.contains("summary")) << Text(helped, "error");
  EXPECT_THAT(Text(helped, "summary"), HasSubstr("btree_orders_note on orders"));
  EXPECT_THAT(Text(helped, "summary"), HasSubstr("instead of"));
  const JsonObject useless{{"table", "orders"}, {"columns", {"amount"}}};
  EXPECT_THAT(Text(explain({useless}), "summary"), HasSubstr("would not help"));
  const JsonObject two = explain({useless, note});
  EXPECT_THAT(Text(two, "summary"), HasSubstr("btree_orders_note")) << Text(two, "error");

  // Nothing is left of them, neither in the session nor in the database.
  const JsonObject plain =
      Ask("database/explain", {{"query", "SELECT * FROM orders WHERE note = 'n7'"}});
  EXPECT_THAT(Text(plain, "summary"), Not(HasSubstr("btree")));
  EXPECT_EQ(Rows("SELECT count(*) FROM pg_indexes WHERE indexname LIKE '%note%'"), "[[0]]");

  // Names are names.
  for (const char* name : {"nothing", "orders\" (note); DROP TABLE orders; --", "note; --", ""}) {
    EXPECT_TRUE(explain({JsonObject{{"table", name}, {"columns", {"note"}}}}).contains("error"));
    EXPECT_TRUE(explain({JsonObject{{"table", "orders"}, {"columns", {name}}}}).contains("error"));
    EXPECT_TRUE(explain({JsonObject{{"table", "orders"}, {"columns", {"note"}}, {"method", name}}})
                    .contains("error"));
  }
  EXPECT_TRUE(
      explain({JsonObject{{"table", "orders"}, {"columns", JsonArray()}}}).contains("error"));
  EXPECT_THAT(
      Text(Ask("database/explain", {{"query", "SELECT 1"}, {"indexes", {note}}, {"analyze", true}}),
           "error"),
      HasSubstr("leave out either"));
  EXPECT_THAT(Rows("SELECT \"extra things\".hypopg_create_index('CREATE INDEX ON orders (note)')"),
              HasSubstr("hypopg_create_index"))
      << "only through the tool";
  EXPECT_EQ(Rows("SELECT count(*) FROM orders"), "[[20250]]");
}

TEST_P(SchemaTest, ChecksTheHealth) {
  if (!IsSqlite()) {
    Execute("CREATE UNIQUE INDEX a ON orders (note)");
    Execute("CREATE INDEX b ON orders (note)");
  }
  const JsonObject reply = Ask("database/health", {});
  ASSERT_TRUE(reply.contains("findings")) << Text(reply, "error");
  EXPECT_THAT(Text(reply, "findings"), Not(HasSubstr("\"unknown\"")));
  EXPECT_THAT(Text(reply, "findings"), HasSubstr("size"));
  EXPECT_EQ(Text(reply, "status"), "warning");
  EXPECT_THAT(Text(reply, "findings"),
              HasSubstr(IsSqlite() ? "orders.customer_id refers to customers"
                                   : "a (unique), b on orders are the same"));
  if (!IsSqlite()) {
    EXPECT_THAT(Text(reply, "findings"), HasSubstr("superuser"));
  }
}

TEST_P(SchemaTest, TopQueriesNeedTheExtension) {
  EXPECT_THAT(Text(Ask("database/top_queries", {}), "error"),
              HasSubstr(IsSqlite() ? "only PostgreSQL" : "CREATE EXTENSION pg_stat_statements"));
}

TEST_P(SchemaTest, TablesAreResourcesWithCompletion) {
  auto templates = Templates();
  ASSERT_EQ(templates.size(), 2u);
  auto& tables = templates.at("database://{connection}/{schema}/{table}");
  mcp::TestContext reader;
  const auto read = tables.reader(
      "", {{"connection", "shop"}, {"schema", Schema()}, {"table", "orders"}}, reader);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->data, HasSubstr("customer_id"));
  EXPECT_FALSE(
      tables.reader("", {{"connection", "shop"}, {"schema", Schema()}, {"table", "x"}}, reader));
  EXPECT_FALSE(
      tables.reader("", {{"connection", "no"}, {"schema", Schema()}, {"table", "orders"}}, reader));
  const Completer::Known known = {{"connection", "shop"}, {"schema", Schema()}};
  EXPECT_THAT(tables.completer("table", "or", known, {})->values, ElementsAre("orders"));
  EXPECT_THAT(tables.completer("table", "", known, {})->values,
              ElementsAre("customers", "large_orders", "orders"));
  EXPECT_THAT(tables.completer("table", "large_", known, {})->values, ElementsAre("large_orders"));
  EXPECT_THAT(tables.completer("connection", "s", {}, {})->values, ElementsAre("shop"));
  EXPECT_THAT(tables.completer("schema", "", known, {})->values, ElementsAre(Schema()));
  if (!IsSqlite()) {
    Execute("CREATE SCHEMA archive");
    EXPECT_THAT(tables.completer("schema", "", known, {})->values,
                ElementsAre("archive", "public"));
    EXPECT_THAT(tables.completer("schema", "ar", known, {})->values, ElementsAre("archive"));
  }
  const Completer::Known nowhere = {{"connection", "shop"}, {"schema", "nowhere"}};
  EXPECT_THAT(tables.completer("table", "", nowhere, {})->values, IsEmpty());
  Principal other;
  auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants.scopes = {"read"};
  credential->grants.connections = std::vector<std::string>{};
  other.credential = credential;
  EXPECT_THAT(tables.completer("connection", "", {}, other)->values, IsEmpty());
  EXPECT_THAT(tables.completer("table", "", known, other)->values, IsEmpty());
  reader.who = other;
  EXPECT_FALSE(tables.reader(
      "", {{"connection", "shop"}, {"schema", Schema()}, {"table", "orders"}}, reader));
}

TEST_P(SchemaTest, CompletionFindsNamesBehindManyOthers) {
  for (int i = 0; i < 150; ++i) Execute(base::StrCat("CREATE TABLE aa_", i, " (a INT)"));
  for (const char* name : {"zz_orders", "zzxorders", "\"zz%\"", "\"zz\\\"", "\"ZZ_Big\""})
    Execute(base::StrCat("CREATE TABLE ", name, " (a INT)"));
  auto templates = Templates();
  auto& tables = templates.at("database://{connection}/{schema}/{table}");
  const Completer::Known known = {{"connection", "shop"}, {"schema", Schema()}};
  const auto offered = [&](std::string_view prefix) {
    return tables.completer("table", prefix, known, {})->values;
  };
  EXPECT_THAT(offered("zz_o"), ElementsAre("zz_orders"));
  EXPECT_THAT(offered("zz_"), ElementsAre("zz_orders"));
  EXPECT_THAT(offered("zz%"), ElementsAre("zz%"));
  EXPECT_THAT(offered("zz\\"), ElementsAre("zz\\"));
  EXPECT_THAT(offered("ZZ_"), ElementsAre("ZZ_Big"));
  EXPECT_THAT(offered("aa_14"), ::testing::SizeIs(11));
  EXPECT_THAT(offered("aa_"), ::testing::SizeIs(100));
  EXPECT_EQ(tables.completer("table", "aa_", known, {})->total, 101);
  EXPECT_THAT(offered("none_"), IsEmpty());
}

TEST_P(SchemaTest, ResultLinksAreResources) {
  (void)Query("SELECT id FROM orders ORDER BY id", {{"limit", 1}});
  const std::string id = Link().substr(ResultLinks::kUriPrefix.size());
  auto templates = Templates();
  auto& links = templates.at("database://results/{id}");
  mcp::TestContext reader;
  const auto read = links.long_reader({{"id", id}}, reader);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_GT((*read)->json_size(), 250u);
  reader.who.id = "somebody else";
  const auto foreign = links.long_reader({{"id", id}}, reader);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, Code::kResourceNotFound);
}

TEST_P(SchemaTest, DeclaredToolsAreStatementsWithParameters) {
  config::Config::DeclaredTool declared;
  declared.description = "Orders of a customer.";
  declared.statement =
      "SELECT id FROM orders WHERE customer_id = :customer AND id <= :last ORDER BY id";
  declared.parameters = {{.name = "customer",
                          .type = "integer",
                          .description = "Id.",
                          .default_value = {},
                          .choices = {},
                          .minimum = 1,
                          .maximum = {}},
                         {.name = "last",
                          .type = "integer",
                          .description = {},
                          .default_value = Json(9),
                          .choices = {},
                          .minimum = {},
                          .maximum = {}}};
  declared.limit = 2;
  ASSERT_TRUE(registry.Add(DeclaredTool(services_, "orders_of", declared)));
  JsonObject reply = Ask("custom/orders_of", {{"customer", 1}});
  EXPECT_EQ(Text(reply, "rows"), "[[3],[6]]");
  EXPECT_EQ(Text(reply, "truncated"), "true");
  const Json cursor = reply.at("nextCursor");
  EXPECT_EQ(Text(Ask("custom/orders_of", {{"customer", 1}, {"cursor", cursor}}), "rows"), "[[9]]");
  EXPECT_THAT(Text(Ask("custom/orders_of", {{"customer", 2}, {"cursor", cursor}}), "error"),
              HasSubstr("cursor does not belong"));
  EXPECT_EQ(Text(Ask("custom_orders_of", {{"customer", 1}, {"last", 3}}), "rows"), "[[3]]");
  EXPECT_TRUE(Ask("custom/orders_of", {}).contains("error"));
  EXPECT_TRUE(Ask("custom/orders_of", {{"customer", 0}}).contains("error"));
  EXPECT_TRUE(Ask("custom/orders_of", {{"customer", "1 OR 1=1"}}).contains("error"));
  declared.statement = "SELECT count(*) FROM orders WHERE id = :customer OR :customer IS NULL";
  declared.parameters.resize(1);
  declared.parameters[0].required = false;
  ASSERT_TRUE(registry.Add(DeclaredTool(services_, "orders_or_all", declared)));
  EXPECT_EQ(Text(Ask("custom/orders_or_all", {}), "rows"), "[[250]]");
  EXPECT_EQ(Text(Ask("custom/orders_or_all", {{"customer", nullptr}}), "rows"), "[[250]]");
  EXPECT_EQ(Text(Ask("custom/orders_or_all", {{"customer", 7}}), "rows"), "[[1]]");
  declared.statement = "DELETE FROM orders";
  declared.parameters.clear();
  ASSERT_TRUE(registry.Add(DeclaredTool(services_, "shop/clear", declared)));
  EXPECT_TRUE(Ask("shop/clear", {}).contains("error"));
  EXPECT_EQ(Rows("SELECT count(*) FROM orders"), "[[250]]");
}

// A cursor that nobody can pass back is not given out.
TEST_P(SchemaTest, AParameterOfADeclaredToolMayBeCalledCursor) {
  config::Config::DeclaredTool declared;
  declared.description = "Orders after one.";
  declared.statement = "SELECT id FROM orders WHERE id > :cursor ORDER BY id";
  declared.parameters.emplace_back();
  declared.parameters[0].name = "cursor";
  declared.parameters[0].type = "integer";
  declared.limit = 2;
  ASSERT_TRUE(registry.Add(DeclaredTool(services_, "orders_after", declared)));
  const JsonObject reply = Ask("custom/orders_after", {{"cursor", 7}});
  EXPECT_EQ(Text(reply, "rows"), "[[8],[9]]");
  EXPECT_EQ(Text(reply, "truncated"), "true");
  EXPECT_FALSE(reply.contains("nextCursor"));
}

TEST_P(SchemaTest, TheSetupSqlMakesAnAccountWithoutPrivileges) {
  if (IsSqlite()) return;
  auto reader = *db::OpenPostgresDatabase({.url = MakeReadingAccount()});
  const Result<void> checked = reader->Check();
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_THAT(reader->Status().privileges, IsEmpty());
  ConnectTo(std::move(reader), [] { return true; });
  EXPECT_EQ(Rows("SELECT count(*) FROM orders"), "[[250]]");
  Execute("CREATE TABLE later (a INT)");
  EXPECT_EQ(Rows("SELECT count(*) FROM later"), "[[0]]");
}

TEST(PlanSummary, NamesWhatStandsOut) {
  const Json plan = *base::ParseJson(R"json([{"Plan":{"Node Type":"Sort","Total Cost":12.345,
    "Plan Rows":10,"Sort Space Type":"Disk","Sort Space Used":900,"Plans":[{"Node Type":"Seq Scan",
    "Relation Name":"t","Total Cost":5,"Plan Rows":10,"Actual Rows":20000,"Actual Total Time":1.5,
    "Actual Loops":1,"Filter":"(a = 1)","Rows Removed by Filter":90000}]},
    "Execution Time":3.5}])json");
  EXPECT_THAT(SummaryOfPostgresPlan(plan),
              ElementsAre("Sort (cost 12.35, rows 10)",
                          "  Seq Scan on t (cost 5, rows 10; actual rows 20000, 1.50 ms, loops 1)",
                          "Execution Time: 3.50 ms", HasSubstr("900 kB on disk"),
                          HasSubstr("Reads all of t"), HasSubstr("20000 rows where 10")));
  EXPECT_THAT(SummaryOfPostgresPlan(*base::ParseJson("[]")), IsEmpty());
  EXPECT_THAT(SummaryOfPostgresPlan(*base::ParseJson("{\"Plan\":3}")), IsEmpty());
  EXPECT_THAT(SummaryOfSqlitePlan({{"2", "0", "0", "SCAN a"}, {"5", "2", "0", "SEARCH b"}}),
              ElementsAre("SCAN a", "  SEARCH b"));
}

TEST(PlanSummary, HugePlansAreShort) {
  std::string text = "{\"Plan\":";
  for (int i = 0; i < 25; ++i) text += "{\"Node Type\":\"N\",\"Plans\":[";
  for (int i = 0; i < 50; ++i) text += std::string(i > 0 ? "," : "") + "{\"Node Type\":\"L\"}";
  for (int i = 0; i < 25; ++i) text += "]}";
  const auto lines = SummaryOfPostgresPlan(*base::ParseJson(text + "}"));
  EXPECT_EQ(lines.size(), 31u);
  EXPECT_EQ(lines.back(), "… and 45 more nodes");
}

}  // namespace
}  // namespace toolpost::tools::database
