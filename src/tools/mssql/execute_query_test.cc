#include <gmock/gmock.h>

#include "base/json_write.h"
#include "tools/mssql/mssql_fixture.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ExecuteQuery : public MssqlFixture {
 protected:
  ExecuteQuery() {
    Main().columns = {{"Id", "int"}, {"Name", "nvarchar(100)"}};
    Fill(2);
  }
  void Fill(std::size_t count) {
    texts_.resize(count);
    Main().cells.clear();
    for (std::size_t i = 0; i < count; ++i) {
      texts_[i] = base::StrCat(i + 1);
      Main().cells.push_back(
          {{db::CellKind::kNumber, texts_[i]}, {db::CellKind::kText, "John Doe"}});
    }
  }
  static std::string Params(std::string_view rest) {
    return base::StrCat(R"({"query":"SELECT Id, Name FROM Users")", rest, "}");
  }

  std::vector<std::string> texts_;
};

TEST_F(ExecuteQuery, CTRL_EX02_RunsAsWritten) {
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 4,
    "method": "ExecuteQuery",
    "params": {
      "query": "SELECT TOP 10 * FROM sys.databases",
      "connectionName": "DefaultConnection"
    }
  })");
  JsonObject data = DataOf(reply);
  EXPECT_GE(data.at("elapsedMs").to_number<double>(), 0);
  data.erase("elapsedMs");
  const Json expected = *base::ParseJson(R"j({"columns":["Id","Name"],
      "columnTypes":["int","nvarchar(100)"],"rows":[[1,"John Doe"],[2,"John Doe"]],"rowCount":2,
      "truncated":false})j");
  EXPECT_EQ(Json(data), expected);
  EXPECT_THAT(Main().Tags(), ElementsAre("read: SELECT TOP 10 * FROM sys.databases"));
}

TEST_F(ExecuteQuery, TheTextIsTheJson) {
  const JsonObject result = DataOf(Envelope("ExecuteQuery", Params("")));
  EXPECT_EQ(*base::ParseJson(Text(result.at("content").at(0).at("text"))),
            result.at("structuredContent"));
  EXPECT_EQ(result.at("isError"), false);
}

TEST_F(ExecuteQuery, NoRowsIsAResult) {
  Main().cells.clear();
  const JsonObject data = Data("ExecuteQuery", Params(""));
  EXPECT_EQ(data.at("rows"), JsonArray());
  EXPECT_EQ(data.at("rowCount"), 0);
  EXPECT_EQ(data.at("columns").as_array().size(), 2U);
}

TEST_F(ExecuteQuery, ParametersGoToTheServerByName) {
  Data("ExecuteQuery", Params(R"(,"params":{"city":"O'Hara; DROP TABLE x","n":5,"none":null})"));
  ASSERT_EQ(Main().asked.size(), 1U);
  EXPECT_EQ(Json(Main().asked[0].parameters),
            *base::ParseJson(R"({"city":"O'Hara; DROP TABLE x","n":5,"none":null})"));
  EXPECT_EQ(CodeOf(Direct("ExecuteQuery", Params(R"(,"params":[1])"))), -32602);
}

TEST_F(ExecuteQuery, CTRL_defect_12_RowsAreLimitedAndGoneOnWith) {
  Fill(250);
  const JsonObject first = Data("ExecuteQuery", Params(""));
  EXPECT_EQ(first.at("rowCount"), 100);
  EXPECT_EQ(first.at("truncated"), true);
  EXPECT_EQ(first.at("truncatedReason"), "limit");
  EXPECT_EQ(Main().rows_taken, 101U) << "the server is told to stop";
  const std::string cursor = Text(first.at("nextCursor"));
  const JsonObject second =
      Data("ExecuteQuery", Params(base::StrCat(R"(,"maxRows":200,"cursor":")", cursor, R"(")")));
  EXPECT_EQ(second.at("rowCount"), 150);
  EXPECT_EQ(second.at("rows").at(0).at(0), 101);
  EXPECT_EQ(second.at("truncated"), false);
  EXPECT_FALSE(second.contains("nextCursor"));
  EXPECT_THAT(
      ErrorOf("ExecuteQuery", base::StrCat(R"({"query":"SELECT 2","cursor":")", cursor, R"("})")),
      HasSubstr("cursor"));
  Grants grants;
  grants.scopes = {"read"};
  EXPECT_THAT(
      MessageOf(Rpc(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"ExecuteQuery","params":)",
                                 Params(base::StrCat(R"(,"cursor":")", cursor, R"(")")), "}"),
                    Caller(grants))),
      HasSubstr("cursor"))
      << "a cursor is of no use to others";
}

TEST_F(ExecuteQuery, CTRL_defect_12_BytesAreLimited) {
  Fill(1000);
  const JsonObject data = Data("ExecuteQuery", Params(R"(,"maxRows":1000,"maxBytes":4000)"));
  EXPECT_EQ(data.at("truncatedReason"), "size");
  EXPECT_LE(base::ToJson(data).size(), 4000U);
  EXPECT_GT(data.at("rowCount").as_int64(), 10);
  Fill(1);
  const std::string large(100'000, 'x');
  Main().cells[0][1].text = large;
  const JsonObject cut = Data("ExecuteQuery", Params(""));
  EXPECT_EQ(cut.at("cutValues"), 1);
  EXPECT_THAT(Text(cut.at("rows").at(0).at(1)), HasSubstr("(100000 bytes)"));
}

TEST_F(ExecuteQuery, ARowThatIsTooLongForAReplyKeepsAllItsColumns) {
  Fill(2);
  const std::string large(1500, 'x');
  Main().columns.assign(7, {"c", "nvarchar(max)"});
  for (auto& row : Main().cells) row.assign(7, {db::CellKind::kText, large});
  const JsonObject data = Data("ExecuteQuery", Params(R"(,"maxBytes":4000)"));
  EXPECT_LE(base::ToJson(data).size(), 4000U);
  EXPECT_EQ(data.at("rowCount"), 1);
  ASSERT_EQ(data.at("rows").at(0).as_array().size(), 7U);
  EXPECT_EQ(data.at("cutValues"), 7);
  for (const char* format : {"csv", "markdown"}) {
    const JsonObject text = Data(
        "ExecuteQuery", Params(base::StrCat(R"(,"maxBytes":4000,"format":")", format, R"(")")));
    EXPECT_LE(base::ToJson(text).size(), 4000U) << format;
    EXPECT_EQ(text.at("cutValues"), 7) << format;
  }
}

TEST_F(ExecuteQuery, ValuesSurviveExactly) {
  Main().columns = {{"a", "bigint"},         {"b", "decimal(38,10)"},
                    {"c", "money"},          {"d", "datetimeoffset(7)"},
                    {"e", "varbinary(max)"}, {"f", "bit"},
                    {"g", "float"},          {"h", "nvarchar(max)"}};
  Main().cells = {{{db::CellKind::kNumber, "9223372036854775807"},
                   {db::CellKind::kNumber, "1234567890123456789012345678.0123456789"},
                   {db::CellKind::kNumber, "-922337203685477.5808"},
                   {db::CellKind::kText, "2026-01-31T23:59:59.1234567+05:30"},
                   {db::CellKind::kBytes, std::string_view("\0\xFF", 2)},
                   {db::CellKind::kBoolean, "true"},
                   {db::CellKind::kNumber, "0.1"},
                   {db::CellKind::kText, "𝄞 ünï"}}};
  const Json row = *base::ParseJson(R"([
      "9223372036854775807","1234567890123456789012345678.0123456789","-922337203685477.5808",
      "2026-01-31T23:59:59.1234567+05:30","AP8=",true,0.1,"𝄞 ünï"])");
  EXPECT_EQ(Data("ExecuteQuery", Params("")).at("rows").at(0), row);
}

TEST_F(ExecuteQuery, OtherFormatsAreText) {
  const JsonObject csv = DataOf(Envelope("ExecuteQuery", Params(R"(,"format":"csv")")));
  EXPECT_EQ(csv.at("content").at(0).at("text"), "Id,Name\r\n1,John Doe\r\n2,John Doe\r\n");
  EXPECT_EQ(csv.at("structuredContent").at("text"), csv.at("content").at(0).at("text"));
  EXPECT_FALSE(csv.at("structuredContent").as_object().contains("rows"));
  EXPECT_THAT(Text(Data("ExecuteQuery", Params(R"(,"format":"markdown")")).at("text")),
              HasSubstr("| Id | Name |"));
  EXPECT_EQ(CodeOf(Direct("ExecuteQuery", Params(R"(,"format":"xml")"))), -32602);
}

TEST_F(ExecuteQuery, MessagesOfTheServerAreShown) {
  Main().outcome.messages = {"Warning: Null value is eliminated"};
  EXPECT_EQ(Data("ExecuteQuery", Params("")).at("messages"),
            JsonArray({"Warning: Null value is eliminated"}));
}

TEST_F(ExecuteQuery, D27_ErrorsOfTheServerAreErrors) {
  for (const Error& error :
       {Error{Code::kTimeout, "The statement ran longer than 30 s", {}},
        Error{Code::kPermissionDenied, "The SELECT permission was denied on 'x'", {}},
        Error{Code::kUnavailable, "The connection was lost", {}},
        Error::ExecutionFailed("Incorrect syntax near 'FORM'."),
        Error::NotFound("Invalid object name 'x'.")}) {
    Main().failure = error;
    const JsonObject result = DataOf(Envelope("ExecuteQuery", Params("")));
    EXPECT_EQ(result.at("isError"), true);
    EXPECT_EQ(Text(result.at("content").at(0).at("text")),
              base::StrCat("Failed to execute tool ExecuteQuery: ", error.message));
    const Json direct = Direct("ExecuteQuery", Params(""));
    EXPECT_EQ(CodeOf(direct), -32603);
    EXPECT_EQ(MessageOf(direct),
              base::StrCat("Failed to execute tool ExecuteQuery: ", error.message));
  }
}

TEST_F(ExecuteQuery, CTRL_defect_10_WritesNeedAConnectionAndACredentialThatBothAllowThem) {
  const std::string params = R"({"query":"DELETE FROM t","write":true})";
  EXPECT_THAT(ErrorOf("ExecuteQuery", params), HasSubstr("mssql.write_connections"));
  EXPECT_TRUE(core_->registry.Find("ExecuteQuery")->tool.info.hints.read_only.value());

  config_.mssql.write_connections = {"DefaultConnection"};
  Offer();
  EXPECT_FALSE(core_->registry.Find("ExecuteQuery")->tool.info.hints.read_only.value());
  EXPECT_TRUE(core_->registry.Find("ExecuteQuery")->tool.info.hints.destructive.value());
  const std::string message =
      base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"ExecuteQuery","params":)", params, "}");
  Grants grants;
  grants.scopes = {"read"};
  EXPECT_THAT(MessageOf(Rpc(message, Caller(grants))), HasSubstr("scope \"write\""));
  grants.scopes = {"read", "write"};
  grants.read_only = true;
  EXPECT_THAT(MessageOf(Rpc(message, Caller(grants))), HasSubstr("read-only"));
  EXPECT_TRUE(Main().asked.empty());

  grants.read_only = false;
  Main().columns.clear();
  Main().outcome.rows_changed = 7;
  const JsonObject data = DataOf(Rpc(message, Caller(grants)));
  EXPECT_EQ(data.at("rowsAffected"), 7);
  EXPECT_EQ(data.at("columns"), JsonArray());
  EXPECT_THAT(Main().Tags(), ElementsAre("write: DELETE FROM t"));
  Data("ExecuteQuery", R"({"query":"SELECT 1"})");
  EXPECT_EQ(Main().Tags().back(), "read: SELECT 1") << "writing has to be asked for";
  EXPECT_THAT(ErrorOf("ExecuteQuery", R"({"query":"x","write":true,"cursor":"AAAA"})"),
              HasSubstr("cursor"));
}

TEST_F(ExecuteQuery, FurtherResultSetsFollowTheFirst) {
  Main().further = {{{{"Total", "money"}}, {{{db::CellKind::kNumber, "1.5000"}}}},
                    {{{"None", "int"}}, {}}};
  const JsonObject data = Data("ExecuteQuery", Params(""));
  EXPECT_EQ(data.at("rowCount"), 2) << "of the first";
  EXPECT_EQ(data.at("truncated"), false);
  EXPECT_EQ(data.at("resultSets"), *base::ParseJson(R"j([
      {"columns":["Total"],"columnTypes":["money"],"rows":[["1.5000"]],"rowCount":1,"truncated":false},
      {"columns":["None"],"columnTypes":["int"],"rows":[],"rowCount":0,"truncated":false}])j"));
  const JsonObject csv = DataOf(Envelope("ExecuteQuery", Params(R"(,"format":"csv")")));
  EXPECT_EQ(csv.at("content").as_array().size(), 3U);
  EXPECT_EQ(csv.at("content").at(1).at("text"), "Total\r\n1.5000\r\n");
  Main().further.clear();
  EXPECT_FALSE(Data("ExecuteQuery", Params("")).contains("resultSets"));
}

TEST_F(ExecuteQuery, ResultSetsShareTheBoundsOfTheReply) {
  config_.mssql.write_connections = {"DefaultConnection"};
  Offer();
  Fill(3);
  Main().further.assign(3, {Main().columns, Main().cells});
  const JsonObject rows = Data("ExecuteQuery", Params(R"(,"write":true,"maxRows":5)"));
  EXPECT_EQ(rows.at("rowCount"), 3);
  EXPECT_EQ(rows.at("truncated"), true);
  EXPECT_EQ(rows.at("truncatedReason"), "limit");
  ASSERT_EQ(rows.at("resultSets").as_array().size(), 3U);
  EXPECT_EQ(rows.at("resultSets").at(0).at("rowCount"), 2);
  EXPECT_EQ(rows.at("resultSets").at(0).at("truncated"), true);
  EXPECT_EQ(rows.at("resultSets").at(2).at("rowCount"), 0);
  EXPECT_EQ(rows.at("resultSets").at(2).at("truncated"), true);

  Fill(40);
  Main().further.assign(500, {Main().columns, Main().cells});
  const JsonObject data =
      Data("ExecuteQuery", Params(R"(,"write":true,"maxRows":100000,"maxBytes":6000)"));
  EXPECT_EQ(data.at("truncatedReason"), "size");
  EXPECT_LE(base::ToJson(data).size(), 6000U);
  EXPECT_LT(data.at("resultSets").as_array().size(), 100U);
}

TEST_F(ExecuteQuery, BadArgumentsAreRefused) {
  for (const char* params :
       {"{}", R"({"query":""})", R"({"query":5})", R"({"query":"x","maxRows":0})",
        R"({"query":"x","maxRows":1.5})", R"({"query":"x","maxBytes":1})",
        R"({"query":"x","timeoutMs":1})", R"({"query":"x","connectionName":""})",
        R"({"query":"x","other":1})", R"({"query":"x","cursor":"nonsense"})"}) {
    EXPECT_EQ(CodeOf(Direct("ExecuteQuery", params)), -32602) << params;
  }
  EXPECT_EQ(Data("ExecuteQuery", R"({"query":"x","maxRows":null,"params":null})").at("rowCount"),
            2);
}

}  // namespace
}  // namespace toolpost::tools::mssql
