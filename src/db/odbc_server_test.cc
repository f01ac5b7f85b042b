#include "db/odbc_server.h"

#include <algorithm>

#include "base/json_write.h"
#include "base/strings.h"
#include "db/odbc_server_fixture.h"

namespace toolpost::db {
namespace {

using tds_server::Received;

TEST_F(OdbcServerTest, ReadsRowsInsideTheContainer) {
  Serve(Rule("SELECT a", kOneInteger));
  const auto outcome = Read("SELECT a");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink_.names, "a");
  EXPECT_EQ(sink_.types, "int");
  EXPECT_EQ(sink_.rows, std::vector<std::string>{"1"});
  EXPECT_EQ(sink_.begun, 1);
  EXPECT_EQ(outcome->rows_changed, -1);
  const Received call = tds_->record().All().back();
  EXPECT_EQ(call.procedure, "sp_executesql");
  EXPECT_EQ(
      call.text,
      "/* toolpost:read */ SET NOCOUNT ON; SET XACT_ABORT ON; SET LOCK_TIMEOUT 5000; SET "
      "DEADLOCK_PRIORITY LOW; SET TEXTSIZE 134217730; SET TRANSACTION ISOLATION LEVEL READ "
      "COMMITTED; BEGIN TRANSACTION; EXEC sp_executesql @toolpost_sql; DECLARE "
      "@toolpost_depth int = @@TRANCOUNT; IF @toolpost_depth > 0 ROLLBACK TRANSACTION; SELECT "
      "@toolpost_depth AS toolpost_depth");
  ASSERT_EQ(call.parameters.size(), 1U);
  EXPECT_EQ(call.parameters[0].value, Json("SELECT a"));
}

TEST_F(OdbcServerTest, LogsInAsToldAndByNoOtherSettings) {
  Serve(Rule("SELECT a", kOneInteger));
  OdbcServerOptions options = Options();
  options.login.application = "a;b=c";
  options.login.read_only_intent = true;
  const auto server = Connect(options);
  ASSERT_TRUE(server->Read(Request("SELECT a"), sink_));
  const Received login = tds_->record().All().front();
  EXPECT_EQ(login.login.user, "sa");
  EXPECT_EQ(login.login.password, "p;w=d'\" {ö}}");
  EXPECT_EQ(login.login.database, "shop");
  EXPECT_EQ(login.login.application, "a;b=c");
  EXPECT_TRUE(login.login.server.starts_with(options.login.host)) << login.login.server;
  EXPECT_TRUE(login.login.read_only_intent);
  EXPECT_EQ(login.login.version, 0x74000004U);
}

TEST_F(OdbcServerTest, AnEmptyResultHasColumns) {
  Serve(Rule("SELECT none", R"({"columns": [{"name": "a", "type": "int"}], "rows": []})"));
  ASSERT_TRUE(Read("SELECT none"));
  EXPECT_EQ(sink_.names, "a");
  EXPECT_TRUE(sink_.rows.empty());
}

TEST_F(OdbcServerTest, ValuesAreExact) {
  Serve(Rule("SELECT all", R"json({"columns": [
      {"name": "a", "type": "tinyint"}, {"name": "b", "type": "bigint"}, {"name": "c", "type": "bit"},
      {"name": "d", "type": "decimal(38,10)"}, {"name": "e", "type": "money"}, {"name": "f", "type": "real"},
      {"name": "g", "type": "float"}, {"name": "h", "type": "date"}, {"name": "i", "type": "time(7)"},
      {"name": "j", "type": "datetime"}, {"name": "k", "type": "datetime2(7)"}, {"name": "l", "type": "datetimeoffset(7)"},
      {"name": "m", "type": "uniqueidentifier"}, {"name": "n", "type": "nvarchar(max)"}, {"name": "o", "type": "varchar(20)"},
      {"name": "p", "type": "varbinary(max)"}, {"name": "q", "type": "xml"}, {"name": "r", "type": "decimal(5,5)"},
      {"name": "s", "type": "smallmoney"}, {"name": "t", "type": "smalldatetime"}, {"name": "u", "type": "ntext"}],
    "rows": [[255, "-9223372036854775808", true, "-9999999999999999999999999999.9999999999", "-922337203685477.5808", 0.1,
      0.1, "0001-01-01", "23:59:59.9999999", "1999-12-31 23:59:59.997", "9999-12-31 23:59:59.9999999",
      "2024-02-29 23:59:58.1234567 +05:30", "6F9619FF-8B86-D011-B42D-00C04FC964FF", "a😀\u0001ü", "é", "0x00ff", "<a/>", "0.00001",
      "-0.5000", "2079-06-06 23:59:00", "long 😀"],
      [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
      null]]})json"));
  const auto outcome = Read("SELECT all");
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(sink_.rows.size(), 2U);
  EXPECT_EQ(sink_.rows[0],
            "255|-9223372036854775808|true|-9999999999999999999999999999.9999999999|"
            "-922337203685477.5808|0.1|0.1|0001-01-01|23:59:59.9999999|1999-12-31T23:59:59.997|"
            "9999-12-31T23:59:59.9999999|2024-02-29T23:59:58.1234567+05:30|"
            "6F9619FF-8B86-D011-B42D-00C04FC964FF|a😀\x01ü|é|0x00ff|<a/>|0.00001|-0.5000|"
            "2079-06-06T23:59:00|long 😀");
  EXPECT_EQ(sink_.kinds,
            "number|number|boolean|number|number|number|number|text|text|text|text|text|text|text|"
            "text|bytes|text|number|number|text|text");
  // The driver does not tell the small types from the others.
  EXPECT_EQ(sink_.types,
            "tinyint|bigint|bit|decimal|money|real|float|date|time|datetime|datetime2|"
            "datetimeoffset|uniqueidentifier|nvarchar|varchar|varbinary|xml|decimal|money|"
            "datetime|ntext");
  std::string nulls = "NULL";
  for (int i = 1; i < 21; ++i) nulls += "|NULL";
  EXPECT_EQ(sink_.rows[1], nulls);
}

TEST_F(OdbcServerTest, ParametersKeepTheirTypes) {
  Serve(
      R"({"tag": "toolpost:read", "steps": [{"columns": [{"name": "a", "type": "int"}], "rows": [[1]]}]})");
  const std::string long_text(5'000, 'x');
  const Json parameters = {
      {"i", -5},   {"@s", "ü😀"},     {"n", nullptr},
      {"b", true}, {"f", 0.1},       {"a", {1, 2}},
      {"e", ""},   {"l", long_text}, {"u", std::uint64_t{18'446'744'073'709'551'615U}}};
  SqlServerRequest request = Request("SELECT @i");
  request.parameters = &parameters;
  const auto outcome = server_->Read(request, sink_);
  ASSERT_TRUE(outcome) << outcome.error().message;
  const Received call = tds_->record().All().back();
  std::vector<std::string> values;
  for (const auto& parameter : call.parameters) {
    values.push_back(base::ToJson(parameter.value).substr(0, 120));
  }
  EXPECT_EQ(values[0], R"("SELECT @i")");
  EXPECT_EQ(
      values[10],
      R"("@i bigint, @s nvarchar(4000), @n nvarchar(4000), @b bit, @f float, @a nvarchar(4000), @e nvarchar(4000), @l nvarchar(ma)");
  EXPECT_EQ(std::vector(values.begin() + 1, values.begin() + 8),
            (std::vector<std::string>{"-5", "\"ü😀\"", "null", "true", "0.1", "\"[1,2]\"", "\"\""}));
  EXPECT_TRUE(call.parameters[8].value == Json(long_text));
  EXPECT_EQ(values[9], "\"18446744073709551615\"");
  EXPECT_NE(call.text.find("EXEC sp_executesql @toolpost_sql, @toolpost_types, @p1, @p2, @p3, @p4, "
                           "@p5, @p6, @p7, @p8, @p9;"),
            std::string::npos);
}

TEST_F(OdbcServerTest, ALongStatementArrivesWhole) {
  Serve(
      R"({"tag": "toolpost:read", "steps": [{"columns": [{"name": "a", "type": "int"}], "rows": [[1]]}]})");
  const std::string sql = "SELECT '" + std::string(200'000, 'y') + "😀 ? {call p}'";
  ASSERT_TRUE(Read(sql));
  EXPECT_TRUE(tds_->record().All().back().parameters[0].value == Json(sql));
}

TEST_F(OdbcServerTest, RefusesParametersThatAreNone) {
  Serve("");
  for (const Json& parameters :
       {Json(1), Json(JsonArray{1}), Json{{"a b", 1}}, Json{{"", 1}}, Json{{"a", 1}, {"A", 2}},
        Json{{"x int = 1; --", 1}}, Json{{"s", "\xff"}}}) {
    SqlServerRequest request = Request("SELECT 1");
    request.parameters = &parameters;
    const auto outcome = server_->Read(request, sink_);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, Code::kInvalidArgument);
  }
  EXPECT_EQ(server_->Read(Request("SELECT '\xff'"), sink_).error().code, Code::kInvalidArgument);
  EXPECT_TRUE(tds_->record().All().empty());
}

TEST_F(OdbcServerTest, TheGuardLooksBeforeTheServerDoes) {
  Serve("");
  OdbcServerOptions options = Options();
  options.guard = [](std::string_view sql,
                     std::span<const std::string_view> names) -> Result<void> {
    EXPECT_EQ(names.size(), 1U);
    return Error::InvalidParams(base::StrCat("no ", sql, names[0]));
  };
  const Json parameters = {{"@x", 1}};
  SqlServerRequest request = Request("DROP TABLE t");
  request.parameters = &parameters;
  EXPECT_EQ(Connect(options)->Read(request, sink_).error().message, "no DROP TABLE tx");
  options.guard = nullptr;
  EXPECT_EQ(Connect(options)->Read(request, sink_).error().code, Code::kInternal);
  EXPECT_TRUE(tds_->record().All().empty());
}

TEST_F(OdbcServerTest, EnoughEndsTheStatementAndKeepsTheSession) {
  Serve(Rule("SELECT many",
             R"({"columns": [{"name": "a", "type": "int"}], "rows": [[7]], "repeat": 2000000})") +
        "," + Rule("SELECT a", kOneInteger));
  TextSink few(3);
  ASSERT_TRUE(server_->Read(Request("SELECT many"), few));
  EXPECT_EQ(few.rows.size(), 3U);
  EXPECT_EQ(Count("toolpost:check"), 1U);
  ASSERT_TRUE(Read("SELECT a"));
  EXPECT_EQ(server_->Status().open, 1);
  EXPECT_EQ(server_->Status().busy, 0);
}

TEST_F(OdbcServerTest, MessagesArePassedOn) {
  Serve(Rule(
      "SELECT a",
      R"({"info": {"message": "first"}}, {"info": {"number": 8153, "message": "Null value is eliminated"}},
    {"columns": [{"name": "a", "type": "int"}], "rows": [[1]]})"));
  const auto outcome = Read("SELECT a");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->messages, (std::vector<std::string>{"first", "Null value is eliminated"}));
}

TEST_F(OdbcServerTest, MessagesAreBounded) {
  std::string steps;
  for (int i = 0; i < 300; ++i) steps += R"({"info": {"message": "x"}},)";
  Serve(Rule("SELECT a", steps + std::string(kOneInteger)));
  const auto outcome = Read("SELECT a");
  ASSERT_TRUE(outcome);
  EXPECT_LE(outcome->messages.size(), 100U);
}

TEST_F(OdbcServerTest, AStatementThatLeftItsTransactionClosesTheSession) {
  Serve("");
  auto script = tds_server::ParseScript(R"({"rules": [{"tag": "toolpost:read", "steps": [
      {"columns": [{"name": "a", "type": "int"}], "rows": [[1]]},
      {"columns": [{"name": "toolpost_depth", "type": "int"}], "rows": [[2]]}]}]})");
  tds_->Load(*std::move(script));
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kInternal);
  EXPECT_EQ(server_->Status().open, 0);
  EXPECT_TRUE(tds_->record().WaitFor(
      [](const Received& received) { return received.kind == Received::Kind::kClosed; }));
}

TEST_F(OdbcServerTest, QueryGivesEverySetWithNamedParameters) {
  Serve(R"json({"tag": "toolpost:two", "steps": [
      {"columns": [{"name": "a", "type": "int"}, {"name": "b", "type": "bit"}, {"name": "c", "type": "decimal(9,2)"}],
       "rows": [[1, true, "1.50"], [null, null, null]]},
      {"columns": [{"name": "d", "type": "datetime2(3)"}, {"name": "e", "type": "float"}, {"name": "f", "type": "varbinary(2)"}],
       "rows": [["2024-02-29 01:02:03.004", 2.5, "0x0102"]]}]})json");
  const Json parameters = {{"schema", "dbo"}};
  SqlServerRequest request = Request("/* toolpost:two */ SELECT @schema");
  request.parameters = &parameters;
  const auto sets = server_->Query(request);
  ASSERT_TRUE(sets) << sets.error().message;
  ASSERT_EQ(sets->size(), 2U);
  EXPECT_EQ((*sets)[0][0], (Row{std::int64_t{1}, std::int64_t{1}, "1.50"}));
  EXPECT_EQ((*sets)[0][1], (Row{{}, {}, {}}));
  EXPECT_EQ((*sets)[1][0], (Row{"2024-02-29T01:02:03.004", 2.5, Blob{"\x01\x02"}}));
  const Received call = tds_->record().All().back();
  EXPECT_EQ(call.text, "/* toolpost:two */ SELECT @schema");
  EXPECT_EQ(call.parameters[0].value, Json("dbo"));
}

TEST_F(OdbcServerTest, WriteCountsRowsAndCommits) {
  Serve(Rule("UPDATE t", R"({"count": 3}, {"count": 4})"));
  const auto outcome = server_->Write(Request("UPDATE t"), sink_);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->rows_changed, 7);
  EXPECT_EQ(sink_.begun, 0);
  const auto all = tds_->record().All();
  const auto call = std::find_if(all.begin(), all.end(), [](const Received& received) {
    return received.kind == Received::Kind::kCall;
  });
  ASSERT_NE(call, all.end());
  const std::string& text = call->text;
  EXPECT_NE(text.find("IF @toolpost_depth = 1 COMMIT TRANSACTION"), std::string::npos);
  EXPECT_NE(text.find("BEGIN CATCH IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; THROW"),
            std::string::npos);
}

TEST_F(OdbcServerTest, WriteGivesTheResult) {
  Serve(Rule("INSERT t", kOneInteger));
  const auto outcome = server_->Write(Request("INSERT t"), sink_);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink_.rows, std::vector<std::string>{"1"});
  EXPECT_EQ(outcome->rows_changed, -1);
}

TEST_F(OdbcServerTest, EveryResultSetArrivesAndTheDepthIsNotAmongThem) {
  constexpr std::string_view kThreeSets =
      R"json({"columns": [{"name": "a", "type": "int"}], "rows": [[1], [2]]},
             {"columns": [{"name": "b", "type": "bit"}], "rows": []},
             {"columns": [{"name": "c", "type": "nvarchar(9)"}], "rows": [["x"]]})json";
  Serve(base::StrCat(Rule("EXEC p", kThreeSets), ",", Rule("SELECT a", kThreeSets)));
  ASSERT_TRUE(server_->Write(Request("EXEC p"), sink_));
  EXPECT_EQ(sink_.begun, 3);
  EXPECT_EQ(sink_.names, "a|b|c");
  EXPECT_EQ(sink_.rows, (std::vector<std::string>{"1", "2", "x"}));
  TextSink read;
  ASSERT_TRUE(server_->Read(Request("SELECT a"), read));
  EXPECT_EQ(read.begun, 3);
  EXPECT_EQ(read.rows, (std::vector<std::string>{"1", "2", "x"}));
}

TEST_F(OdbcServerTest, ASinkThatHadEnoughOfASetIsAskedAboutTheNext) {
  Serve(Rule("EXEC p", R"({"columns": [{"name": "a", "type": "int"}], "rows": [[1], [2], [3]]},
                          {"columns": [{"name": "b", "type": "int"}], "rows": [[4]]})"));
  TextSink few(2);
  ASSERT_TRUE(server_->Write(Request("EXEC p"), few));
  EXPECT_EQ(few.begun, 2);
  EXPECT_EQ(few.rows, (std::vector<std::string>{"1", "2", "4"}));
}

// Breaking it off would undo what it wrote.
TEST_F(OdbcServerTest, WriteRunsToItsEndWhenTheSinkHasEnough) {
  Serve(Rule("INSERT many",
             R"({"columns": [{"name": "a", "type": "int"}], "rows": [[7]], "repeat": 1000})"));
  TextSink few(3);
  ASSERT_TRUE(server_->Write(Request("INSERT many"), few));
  EXPECT_EQ(few.rows.size(), 3U);
  EXPECT_EQ(Count("toolpost:check"), 0U);
}

// It may have left locks, a context, cursors or another user behind, which no transaction undoes.
TEST_F(OdbcServerTest, ASessionThatWroteServesNobodyElse) {
  Serve(base::StrCat(
      Rule("SELECT a", kOneInteger), ",", Rule("UPDATE t", R"({"count": 3})"), ",",
      Rule("UPDATE u", R"({"error": {"number": 8134, "message": "Divide by zero."}})")));
  const auto logins = [this] {
    const auto all = tds_->record().All();
    return std::count_if(all.begin(), all.end(), [](const Received& received) {
      return received.kind == Received::Kind::kLogin;
    });
  };
  ASSERT_TRUE(Read("SELECT a"));
  ASSERT_TRUE(Read("SELECT a"));
  EXPECT_EQ(logins(), 1);
  ASSERT_TRUE(server_->Write(Request("UPDATE t"), sink_));
  EXPECT_EQ(server_->Status().open, 0);
  ASSERT_TRUE(Read("SELECT a"));
  EXPECT_EQ(logins(), 2);
  EXPECT_FALSE(server_->Write(Request("UPDATE u"), sink_));
  EXPECT_EQ(Count("toolpost:check"), 1U);
  EXPECT_EQ(server_->Status().open, 0);
  ASSERT_TRUE(Read("SELECT a"));
  EXPECT_EQ(logins(), 3);
}

TEST_F(OdbcServerTest, WriteThatEndsItsTransactionSaysSo) {
  Serve("");
  tds_->Load(*tds_server::ParseScript(R"({"rules": [{"tag": "toolpost:write", "steps": [
      {"columns": [{"name": "toolpost_depth", "type": "int"}], "rows": [[0]]}]}]})"));
  const auto outcome = server_->Write(Request("COMMIT"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kExecutionFailed);
  EXPECT_EQ(server_->Status().open, 0);
}

// What a SQL Server says when a batch inside of another ends its transaction.
TEST_F(OdbcServerTest, WriteWhoseTransactionTheServerFindsEndedSaysTheSame) {
  Serve("");
  tds_->Load(*tds_server::ParseScript(R"({"rules": [{"tag": "toolpost:write", "steps": [
      {"error": {"number": 266, "message": "Transaction count after EXECUTE indicates a mismatch."}}]}]})"));
  const auto outcome = server_->Write(Request("COMMIT"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kExecutionFailed);
  EXPECT_NE(outcome.error().message.find("leave COMMIT and ROLLBACK to the tool"),
            std::string::npos);
  EXPECT_EQ(server_->Status().open, 0);
}

}  // namespace
}  // namespace toolpost::db
