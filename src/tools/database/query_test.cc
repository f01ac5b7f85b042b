// database/query on both engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/long_message.h"
#include "tools/database/database_fixture.h"
#include "tools/database/run_query.h"

namespace toolpost::tools::database {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::StrEq;

class QueryTest : public DatabaseTools {};
TOOLPOST_BOTH_ENGINES(QueryTest);

TEST_P(QueryTest, PRD_FR_016_4_ReturnsRowsCountAndTime) {
  const JsonObject reply = Query("SELECT id, name FROM customers ORDER BY id");
  EXPECT_EQ(Text(reply, "rows"), R"([[1,"Ada"],[2,"Bob, Jr."],[3,"Chl\"oé"]])");
  EXPECT_EQ(Text(reply, "rowCount"), "3");
  EXPECT_GT(reply.at("executionTime").to_number<double>(), 0);
  EXPECT_EQ(reply.at("columns").at(0).at("name"), "id");
  EXPECT_FALSE(reply.at("columns").at(0).at("type").as_string().empty());
  EXPECT_FALSE(reply.contains("truncated"));
  EXPECT_TRUE(Link().empty());
}

TEST_P(QueryTest, PRD_FR_016_2_PRD_US_006_TheDefaultLimitIs100Rows) {
  JsonObject reply = Query("SELECT id FROM orders ORDER BY id");
  EXPECT_EQ(Text(reply, "rowCount"), "100");
  EXPECT_EQ(Text(reply, "truncated"), "true");
  EXPECT_EQ(Text(reply, "reason"), "limit");
  EXPECT_FALSE(Link().empty());
  reply = Query("SELECT id FROM orders", {{"limit", 250}});
  EXPECT_EQ(Text(reply, "rowCount"), "250");
  EXPECT_FALSE(reply.contains("truncated"));
  reply = Query("SELECT id FROM orders", {{"limit", 249}});
  EXPECT_EQ(Text(reply, "rowCount"), "249");
  EXPECT_TRUE(reply.contains("truncated"));
  services_.max_rows = 7;
  Offer();
  EXPECT_EQ(Text(Query("SELECT id FROM orders", {{"limit", 100}}), "rowCount"), "7");
  for (const Json& limit : {Json(0), Json(-1), Json("x"), Json(2'000'000)})
    EXPECT_TRUE(Query("SELECT 1", {{"limit", limit}}).contains("error"));
}

TEST_P(QueryTest, D27_WhatTheEngineSaysIsAFailureAndWhatTheGuardSaysAWrongArgument) {
  const auto code = [&](std::string_view sql) {
    context = std::make_shared<mcp::TestContext>();
    const mcp::CallOutcome outcome = CallWithContext("database/query", {{"query", sql}});
    return outcome.error ? outcome.error->code : Code::kInternal;
  };
  EXPECT_EQ(code("SELECT * FROM nowhere"), Code::kExecutionFailed);
  EXPECT_EQ(code("SELECT nothing FROM orders"), Code::kExecutionFailed);
  EXPECT_EQ(code(IsSqlite() ? "SELECT abs(-9223372036854775807 - 1)" : "SELECT 1 / 0"),
            Code::kExecutionFailed);
  EXPECT_EQ(code("DELETE FROM orders"), Code::kInvalidArgument);
  EXPECT_EQ(code("SELECT 1; SELECT 2"), Code::kInvalidArgument);
}

TEST_P(QueryTest, CursorsLeadThroughAllRowsOnce) {
  std::vector<std::int64_t> seen;
  JsonObject more = {{"limit", 60}};
  for (int page = 0; page < 10; ++page) {
    const JsonObject reply = Query("SELECT id FROM orders ORDER BY id", more);
    ASSERT_TRUE(reply.contains("rows")) << Text(reply, "error");
    for (const Json& row : reply.at("rows").as_array()) seen.push_back(row.at(0).as_int64());
    if (!reply.contains("nextCursor")) break;
    more["cursor"] = reply.at("nextCursor");
  }
  ASSERT_EQ(seen.size(), 250u);
  for (std::size_t i = 0; i < seen.size(); ++i)
    EXPECT_EQ(seen[i], static_cast<std::int64_t>(i) + 1);
}

TEST_P(QueryTest, CursorsAreForTheSameQuestionOfTheSameCaller) {
  const std::string sql =
      "SELECT id FROM orders WHERE id > " + std::string(IsSqlite() ? "?" : "$1");
  const JsonArray params{5};
  const Json cursor = Query(sql, {{"limit", 2}, {"params", params}}).at("nextCursor");
  EXPECT_TRUE(Query(sql, {{"limit", 2}, {"params", params}, {"cursor", cursor}}).contains("rows"));
  const auto refused = [&](const JsonObject& reply) {
    return Text(reply, "error").find("cursor does not belong") != std::string::npos;
  };
  EXPECT_TRUE(refused(Query(sql, {{"params", JsonArray{6}}, {"cursor", cursor}})));
  EXPECT_TRUE(refused(Query(sql + " ", {{"params", params}, {"cursor", cursor}})));
  EXPECT_TRUE(refused(Query(sql, {{"params", params}, {"cursor", "AAAA"}})));
  EXPECT_TRUE(refused(Query(sql, {{"params", params}, {"cursor", "not base64!"}})));
  std::string changed(cursor.as_string());
  changed[3] = changed[3] == 'A' ? 'B' : 'A';
  EXPECT_TRUE(refused(Query(sql, {{"params", params}, {"cursor", changed}})));
  principal_.id = "somebody else";
  EXPECT_TRUE(refused(Query(sql, {{"params", params}, {"cursor", cursor}})));
}

TEST_P(QueryTest, PRD_FR_016_1_PRD_NFR_021_PRD_AC_007_3_ParametersAreNeverText) {
  const std::string one = IsSqlite() ? "?" : "$1";
  EXPECT_EQ(Rows("SELECT name FROM customers WHERE id = " + one, {{"params", JsonArray{2}}}),
            R"([["Bob, Jr."]])");
  EXPECT_EQ(Rows("SELECT count(*) FROM customers WHERE name = " + one,
                 {{"params", JsonArray{"x' OR '1'='1"}}}),
            "[[0]]");
  EXPECT_EQ(Rows("SELECT name FROM customers WHERE id = :id", {{"params", JsonObject{{"id", 1}}}}),
            R"([["Ada"]])");
  EXPECT_EQ(
      Rows("SELECT count(*) FROM customers WHERE city = " + one, {{"params", JsonArray{nullptr}}}),
      "[[0]]");
  EXPECT_TRUE(Query("SELECT " + one).contains("error"));
  EXPECT_TRUE(Query("SELECT 1", {{"params", "x"}}).contains("error"));
  EXPECT_EQ(Rows("SELECT 1", {{"params", nullptr}}), "[[1]]");
}

TEST_P(QueryTest, PRD_FR_016_3_PRD_NFR_017_PRD_AC_007_2_OnlyOneSelect) {
  for (const char* sql :
       {"INSERT INTO customers VALUES (9, 'x', 'y')", "UPDATE customers SET name = 'x'",
        "DELETE FROM customers", "DROP TABLE customers", "CREATE TABLE x (a INT)",
        "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE customers", "BEGIN", "", "   ",
        "WITH x AS (SELECT 1) DELETE FROM customers", "EXPLAIN DELETE FROM customers"}) {
    const JsonObject reply = Query(sql);
    EXPECT_TRUE(reply.contains("error")) << sql;
  }
  EXPECT_EQ(Rows("SELECT count(*) FROM customers"), "[[3]]");
  EXPECT_THAT(Text(Query("DELETE FROM customers"), "error"), HasSubstr("SELECT"));
}

TEST_P(QueryTest, PRD_AC_007_1_EverySelectRuns) {
  EXPECT_EQ(Rows("VALUES (1, 'a')"), R"([[1,"a"]])");
  EXPECT_EQ(Rows("WITH c AS (SELECT id FROM customers) SELECT count(*) FROM c"), "[[3]]");
  EXPECT_EQ(
      Rows("SELECT id, row_number() OVER (ORDER BY id DESC) FROM customers ORDER BY 1 LIMIT 1"),
      "[[1,3]]");
  EXPECT_EQ(Rows("SELECT 1 AS a, 2 AS a"), "[[1,2]]");
  EXPECT_EQ(Rows("SELECT id FROM customers WHERE false"), "[]");
}

TEST_P(QueryTest, NumbersAndBytesAreExact) {
  EXPECT_EQ(Rows("SELECT 9007199254740992, 9007199254740993, -9223372036854775807"),
            R"([[9007199254740992,"9007199254740993","-9223372036854775807"]])");
  if (IsSqlite()) {
    EXPECT_EQ(Rows("SELECT 0.1, 1.0, 1e999, x'00ff', NULL"),
              R"([[0.1,1.0,"Infinity","AP8=",null]])");
  } else {
    EXPECT_EQ(Rows("SELECT 1.50::numeric, 123456789012345678901234567890.5, 0.1::float8, "
                   "'NaN'::float8, '\\x00ff'::bytea, true, NULL"),
              R"([["1.50","123456789012345678901234567890.5",0.1,"NaN","AP8=",true,null]])");
    EXPECT_EQ(Rows("SELECT '{\"a\": [1, null]}'::jsonb, ARRAY[1,2], ARRAY['a','b']"),
              R"([[{"a":[1,null]},[1,2],["a","b"]]])");
  }
}

TEST_P(QueryTest, LongValuesAreCutAndSaySo) {
  services_.max_cell = 64;
  Offer();
  const std::string text = IsSqlite() ? "SELECT replace(hex(zeroblob(100)),'0','é') AS t"
                                      : "SELECT repeat('é', 200) AS t";
  const JsonObject reply = Query(text);
  const std::string shown = Text(reply, "rows");
  EXPECT_THAT(shown, HasSubstr("é… (400 bytes)"));
  EXPECT_LT(shown.size(), 150u);
  EXPECT_EQ(Text(reply, "cutValues"), "1");
  EXPECT_FALSE(Link().empty());
}

TEST_P(QueryTest, RepliesFitTheResultBudget) {
  services_.result_chars = 4000;
  Offer();
  Configure([](auto& options) { options.result_chars = 4000; });
  std::size_t rows = 0;
  JsonObject more = {{"limit", 250}};
  for (int page = 0; page < 20; ++page) {
    const JsonObject reply =
        Query("SELECT id, note, 'some \"text\" in each row' AS t FROM orders ORDER BY id", more);
    ASSERT_TRUE(reply.contains("rows")) << Text(reply, "error");
    EXPECT_LE(base::ToJson(reply).size(), 4000u);
    EXPECT_FALSE(reply.contains("total"));  // of a cut by the registry
    rows += reply.at("rows").as_array().size();
    if (!reply.contains("nextCursor")) break;
    EXPECT_EQ(Text(reply, "reason"), "size");
    more["cursor"] = reply.at("nextCursor");
  }
  EXPECT_EQ(rows, 250u);
}

TEST_P(QueryTest, ARowThatIsTooLongForAReplyKeepsAllItsColumns) {
  services_.result_chars = 4000;
  Offer();
  Configure([](auto& options) { options.result_chars = 4000; });
  const std::string_view value =
      IsSqlite() ? "replace(hex(zeroblob(500)), '00', 'x\"')" : "repeat('x\"', 500)";
  std::string sql = "SELECT 1 AS a";
  for (int i = 0; i < 6; ++i) sql += base::StrCat(", ", value, " AS c", i);
  sql += ", 7 AS z UNION ALL SELECT 2, 'y', 'y', 'y', 'y', 'y', 'y', 8";
  for (const char* format : {"json", "csv", "markdown"}) {
    const JsonObject reply = Query(sql, {{"format", format}, {"limit", 1}});
    ASSERT_TRUE(reply.contains("columns")) << Text(reply, "error");
    EXPECT_LE(base::ToJson(reply).size(), 4000u) << format;
    EXPECT_FALSE(reply.contains("total")) << "the registry cut it";
    EXPECT_EQ(Text(reply, "cutValues"), "6") << format;
    EXPECT_TRUE(reply.contains("nextCursor")) << format;
    EXPECT_FALSE(Link().empty());
    if (!reply.contains("rows")) {
      EXPECT_THAT(Text(reply, "text"), AnyOf(EndsWith(",7\r\n"), EndsWith(" | 7 |\n")));
      continue;
    }
    const JsonArray& row = reply.at("rows").at(0).as_array();
    ASSERT_EQ(row.size(), 8u);
    EXPECT_EQ(row[7], Json(7));
    EXPECT_THAT(std::string(row[6].as_string()), HasSubstr("… (1000 bytes)"));
  }
}

TEST_P(QueryTest, RowsAsCsvAndMarkdown) {
  const std::string sql = "SELECT id, name, NULL AS n FROM customers ORDER BY id";
  JsonObject reply = Query(sql, {{"format", "csv"}});
  EXPECT_EQ(Text(reply, "text"), "id,name,n\r\n1,Ada,\r\n2,\"Bob, Jr.\",\r\n3,\"Chl\"\"oé\",\r\n");
  EXPECT_FALSE(reply.contains("rows"));
  EXPECT_EQ(content_.at(0).at("text"), reply.at("text"));
  reply = Query("SELECT 'a|b' AS x, 'two\nlines' AS y", {{"format", "markdown"}});
  EXPECT_EQ(Text(reply, "text"), "| x | y |\n| --- | --- |\n| a\\|b | two<br>lines |\n");
  EXPECT_TRUE(Query(sql, {{"format", "xml"}}).contains("error"));
}

TEST_P(QueryTest, TakesTheTimeItIsGiven) {
  services_.timeout = std::chrono::milliseconds(300);
  Offer();
  const JsonObject reply = Query(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
  EXPECT_TRUE(reply.contains("error")) << base::ToJson(reply);
  EXPECT_EQ(Rows("SELECT 1"), "[[1]]");
}

TEST_P(QueryTest, EndsWhenTheCallerCancels) {
  context = std::make_shared<mcp::TestContext>();
  keep_context_ = true;
  context->stop.request_stop();
  EXPECT_TRUE(Query("SELECT 1").contains("error"));
}

// Gives up when it has heard of the call twice.
class Impatient : public mcp::TestContext {
 public:
  void Progress(double progress, std::optional<double>, std::string_view message) override {
    values.push_back(progress);
    messages.emplace_back(message);
    if (values.size() == 2) stop.request_stop();
  }
  std::vector<double> values;
  std::vector<std::string> messages;
};

TEST_P(QueryTest, TellsThatAStatementWithoutRowsStillRuns) {
  const auto caller = std::make_shared<Impatient>();
  context = caller;
  keep_context_ = true;
  EXPECT_THAT(Rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                   "2000000000) SELECT count(*) FROM n"),
              StrEq("Cancelled"));
  ASSERT_EQ(caller->values.size(), 2u);
  EXPECT_GT(caller->values[0], 0);
  EXPECT_GT(caller->values[1], caller->values[0]);
  EXPECT_LT(caller->values[1], 1);
  EXPECT_THAT(caller->messages[1], StartsWith("0 rows after "));
}

TEST_P(QueryTest, TheWholeResultIsBehindTheLinkForItsOwner) {
  (void)Query("SELECT id FROM orders ORDER BY id", {{"limit", 1}});
  const std::string uri = Link();
  ASSERT_THAT(uri, StartsWith("database://results/"));
  const std::string id = uri.substr(ResultLinks::kUriPrefix.size());
  const auto kept = services_.links->Get(principal_, id);
  ASSERT_TRUE(kept);
  mcp::TestContext reader;
  const auto csv = RunExport(services_, *kept, reader);
  ASSERT_TRUE(csv) << csv.error().message;
  std::string expected = R"(id\r\n)";
  for (int i = 1; i <= 250; ++i) expected += std::to_string(i) + R"(\r\n)";
  EXPECT_EQ(*(base::LongMessage{{}, *csv, {}}).Whole(), expected);
  Principal other;
  other.id = "somebody else";
  EXPECT_FALSE(services_.links->Get(other, id));
  EXPECT_FALSE(services_.links->Get(principal_, "none"));
  services_.max_export = 100;
  const auto large = RunExport(services_, *kept, reader);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Code::kTooLarge);
}

// Somebody who has a declared tool, and not database/query.
TEST_P(QueryTest, LinksAreForThoseWhoMayReadThem) {
  mcp::TestContext caller;
  auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants.scopes = {"read"};
  caller.who.credential = credential;
  const QueryRequest request{.connection = "shop", .statement = "SELECT id FROM orders"};
  EXPECT_EQ(RunQuery(services_, request, caller)->content.size(), 1u);
  credential->grants.tools = std::vector<std::string>{"custom/orders"};
  EXPECT_TRUE(RunQuery(services_, request, caller)->content.empty());
}

TEST_P(QueryTest, ConnectionsAreChosenByName) {
  Connect({"crm", "shop"});
  EXPECT_THAT(Text(Query("SELECT 1"), "error"), HasSubstr("there are crm, shop"));
  EXPECT_EQ(Rows("SELECT 1", {{"connection", "crm"}}), "[[1]]");
  EXPECT_THAT(Text(Query("SELECT 1", {{"connection", "nope"}}), "error"),
              HasSubstr("no connection nope: there are crm, shop"));
  Connect({"crm", "default"});
  EXPECT_EQ(Rows("SELECT 1"), "[[1]]");
}

TEST_P(QueryTest, KeysUseOnlyTheirConnections) {
  Connect({"crm", "shop"});
  auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants.scopes = {"read"};
  credential->grants.connections = std::vector<std::string>{"shop"};
  principal_.credential = credential;
  EXPECT_EQ(Rows("SELECT 1", {{"connection", "shop"}}), "[[1]]");
  const std::string refusal = Text(Query("SELECT 1", {{"connection", "crm"}}), "error");
  EXPECT_THAT(refusal, Not(HasSubstr("shop")));
  EXPECT_THAT(Text(Query("SELECT 1"), "error"), Not(HasSubstr("crm")));
  const JsonObject tables = Ask("database/tables", {{"connection", "shop"}});
  EXPECT_EQ(Text(tables, "connections").find("crm"), std::string::npos);
}

TEST_P(QueryTest, PrivilegedAccountsAreNotForTheNetwork) {
  bool on_network = false;
  Connect({"shop"}, [&] { return on_network; });
  EXPECT_EQ(Rows("SELECT 1"), "[[1]]");
  on_network = true;
  if (IsSqlite()) {
    EXPECT_EQ(Rows("SELECT 1"), "[[1]]");
    return;
  }
  EXPECT_THAT(Text(Query("SELECT 1"), "error"), HasSubstr("setup-sql"));
  EXPECT_THAT(base::Join(services_.connections->Warnings(), "\n"), HasSubstr("superuser"));
}

}  // namespace
}  // namespace toolpost::tools::database
