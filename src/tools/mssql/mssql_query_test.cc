#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <set>
#include <thread>

#include "base/json_write.h"
#include "tools/mssql/mssql_fixture.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr const char* kUuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
constexpr const char* kTime = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z";

// Remembers what reached it.
class Recorder : public MssqlAdapter {
 public:
  Result<JsonArray> Execute(const AdapterRequest& request) override {
    const auto kept = [](const Json* value) {
      return value == nullptr ? std::optional<Json>()
                              : std::optional<Json>(Json(*value, boost::json::storage_ptr()));
    };
    database = kept(request.database);
    query = kept(request.query);
    max_rows = kept(request.max_rows);
    ++calls;
    return JsonArray();
  }
  std::optional<Json> database;
  std::optional<Json> query;
  std::optional<Json> max_rows;
  int calls = 0;
};

class MssqlQuery : public MssqlFixture {
 protected:
  static std::size_t RowsIn(const JsonObject& envelope) {
    std::size_t rows = 0;
    for (const Json& set : envelope.at("queryResult").as_array())
      rows += set.at("rows").as_array().size();
    return rows;
  }
  // The result of tools/call.
  JsonObject Call(std::string_view arguments) const {
    return DataOf(Envelope("mssql-query", arguments));
  }
  JsonObject Structured(std::string_view arguments) const {
    return Call(arguments).at("structuredContent").as_object();
  }
  void Script(std::string_view text) {
    const auto script = ParseStubScript(text);
    ASSERT_TRUE(script) << script.error().message;
    services_.stub = std::make_shared<StubAdapter>(*script);
    Replace();
  }
  std::shared_ptr<Recorder> Record() {
    auto recorder = std::make_shared<Recorder>();
    services_.stub = recorder;
    Replace();
    return recorder;
  }

 private:
  void Replace() {
    ASSERT_TRUE(core_->registry.Remove("mssql/mssql-query"));
    ASSERT_TRUE(core_->registry.Add(MssqlQueryTool(services_)));
  }
};

TEST_F(MssqlQuery, STUB_FR_002_STUB_FR_003_STUB_SC_001_IsListedAsTheDocumentSays) {
  const JsonObject list =
      DataOf(Rpc(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})"));
  const JsonObject* found = nullptr;
  for (const Json& tool : list.at("tools").as_array()) {
    if (tool.at("name") == "mssql-query") found = &tool.as_object();
  }
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->at("title"), "MSSQL Query Tool");
  for (const char* word : {"read-only", "single-statement", "adapter stub"})
    EXPECT_THAT(Text(found->at("description")), HasSubstr(word));
  const JsonObject& input = found->at("inputSchema").as_object();
  EXPECT_FALSE(input.contains("additionalProperties"));
  EXPECT_EQ(input.at("required"), JsonArray({"database", "query"}));
  EXPECT_EQ(input.at("properties").at("database").at("type"), "string");
  EXPECT_EQ(input.at("properties").at("query").at("type"), "string");
  EXPECT_EQ(input.at("properties").at("maxRows").at("type"), "number");
  for (const char* member :
       {"correlationId", "database", "queryResult", "startedAt", "completedAt"}) {
    EXPECT_TRUE(found->at("outputSchema").at("properties").as_object().contains(member)) << member;
  }
}

TEST_F(MssqlQuery, STUB_FR_004_STUB_FR_007_STUB_SC_002_AnswersInTheEnvelope) {
  const auto before = base::Now();
  const JsonObject result =
      Call(R"({"database":"hr","query":"SELECT * FROM employees","maxRows":5})");
  const JsonObject& envelope = result.at("structuredContent").as_object();
  EXPECT_THAT(Text(envelope.at("correlationId")), MatchesRegex(kUuid));
  EXPECT_EQ(envelope.at("database"), "hr");
  EXPECT_EQ(RowsIn(envelope), 5U);
  const JsonObject& set = envelope.at("queryResult").at(0).as_object();
  EXPECT_EQ(set.at("columns").at(0), (Json{{"name", "employee_id"}, {"type", "int"}}));
  EXPECT_EQ(set.at("rows").at(0).as_array().size(), set.at("columns").as_array().size());
  EXPECT_THAT(Text(envelope.at("startedAt")), MatchesRegex(kTime));
  EXPECT_THAT(Text(envelope.at("completedAt")), MatchesRegex(kTime));
  EXPECT_LE(Text(envelope.at("startedAt")), Text(envelope.at("completedAt")));
  EXPECT_LT(base::Now() - before, std::chrono::seconds(1));
  EXPECT_EQ(result.at("_meta").at("correlationId"), envelope.at("correlationId"));
  EXPECT_EQ(result.at("isError"), false);
  EXPECT_EQ(*base::ParseJson(Text(result.at("content").at(0).at("text"))), Json(envelope));
}

TEST_F(MssqlQuery, STUB_SC_003_NeverReturnsMoreRowsThanAskedForAndShapesThemAlike) {
  Json columns;
  for (const int rows : {0, 1, 2, 3, 4, 5, 7, 10, 25, 100, 999, 1000}) {
    const JsonObject envelope =
        Structured(base::StrCat(R"({"database":"hr","query":"SELECT 1","maxRows":)", rows, "}"));
    EXPECT_EQ(RowsIn(envelope), static_cast<std::size_t>(rows));
    if (rows == 0) continue;
    if (columns.is_null()) columns = envelope.at("queryResult").at(0).at("columns");
    EXPECT_EQ(envelope.at("queryResult").at(0).at("columns"), columns);
    for (const Json& row : envelope.at("queryResult").at(0).at("rows").as_array())
      EXPECT_EQ(row.as_array().size(), columns.as_array().size());
  }
  EXPECT_EQ(RowsIn(Structured(R"({"database":"hr","query":"SELECT 1","maxRows":1e15})")),
            StubAdapter::kMostRows);
}

TEST_F(MssqlQuery, STUB_EDGE_1_ThreeRowsForEveryLimitThatIsNone) {
  EXPECT_EQ(RowsIn(Structured(R"({"database":"hr","query":"SELECT 1"})")), 3U);
  for (const char* limit : {"null", "-1", "-0.5", R"("5")", "true", "[]", "{}", R"("")"}) {
    EXPECT_EQ(RowsIn(Structured(
                  base::StrCat(R"({"database":"hr","query":"SELECT 1","maxRows":)", limit, "}"))),
              3U)
        << limit;
  }
  EXPECT_EQ(RowsIn(Structured(R"({"database":"hr","query":"SELECT 1","maxRows":2.9})")), 2U);
  EXPECT_EQ(RowsIn(Structured(R"({"database":"hr","query":"SELECT 1","maxRows":0})")), 0U);
  EXPECT_EQ(RowsIn(Structured(R"({"database":"hr","query":"SELECT 1","maxRows":-0.0})")), 0U);
}

TEST_F(MssqlQuery, STUB_FR_005_STUB_FR_009_WhatIsSentReachesTheAdapterAsItIs) {
  const auto recorder = Record();
  Call(R"({"database":"hr","query":"SELECT 1","maxRows":5})");
  EXPECT_EQ(recorder->database, Json("hr"));
  EXPECT_EQ(recorder->query, Json("SELECT 1"));
  EXPECT_EQ(recorder->max_rows, Json(5));
  int calls = 1;
  for (const char* arguments :
       {"{}", R"({"database":null})", R"({"query":null})", R"({"database":5,"query":["x"]})",
        R"({"database":{"a":1},"query":true,"maxRows":"many"})", R"({"unknown":1})"}) {
    const JsonObject result = Call(arguments);
    EXPECT_EQ(result.at("isError"), false) << arguments;
    EXPECT_EQ(recorder->calls, ++calls) << arguments;
    const Json sent = *base::ParseJson(arguments);
    const auto given = [&](const char* name) {
      const Json* value = sent.as_object().if_contains(name);
      return value == nullptr ? std::optional<Json>() : std::optional<Json>(*value);
    };
    EXPECT_EQ(recorder->database, given("database")) << arguments;
    EXPECT_EQ(recorder->query, given("query")) << arguments;
    EXPECT_EQ(recorder->max_rows, given("maxRows")) << arguments;
    EXPECT_EQ(result.at("structuredContent").at("database"), given("database").value_or(Json()));
  }
}

TEST_F(MssqlQuery, STUB_FR_006_TheStubIsDeterministicAndOpensNothing) {
  for (const char* query : {"SELECT 1", "SELECT * FROM orders", "select * from Customers", ""}) {
    const std::string arguments =
        base::StrCat(R"({"database":"any","query":")", query, R"(","maxRows":4})");
    EXPECT_EQ(Structured(arguments).at("queryResult"), Structured(arguments).at("queryResult"));
  }
  EXPECT_TRUE(logins_.empty());
  EXPECT_FALSE(store_->Exists()) << "not even the store";
}

TEST_F(MssqlQuery, STUB_EDGE_2_AnEmptyResultHasAllMetadata) {
  Script(R"({"SELECT nothing": []})");
  const JsonObject envelope = Structured(R"({"database":"hr","query":"SELECT nothing"})");
  EXPECT_EQ(envelope.at("queryResult"), JsonArray());
  EXPECT_THAT(Text(envelope.at("correlationId")), MatchesRegex(kUuid));
  EXPECT_THAT(Text(envelope.at("startedAt")), MatchesRegex(kTime));
  EXPECT_THAT(Text(envelope.at("completedAt")), MatchesRegex(kTime));
}

TEST_F(MssqlQuery, STUB_FR_008_STUB_SC_004_STUB_EDGE_3_ErrorsAreRelayedAsTheyWereThrown) {
  Script(R"({
    "SELECT slow": "Script timeout",
    "SELECT deadlock": {"message": "Deadlock victim", "code": 1205, "number": 1205, "detail": {"spid": 51}}
  })");
  const JsonObject bare = Call(R"({"database":"hr","query":"SELECT slow"})");
  EXPECT_EQ(bare.at("isError"), true);
  EXPECT_EQ(bare.at("content"),
            (JsonArray{JsonObject{{"type", "text"}, {"text", "Script timeout"}}}));
  EXPECT_EQ(bare.at("structuredContent"),
            (Json{{"error", JsonObject{{"message", "Script timeout"}}}}));
  EXPECT_THAT(Text(bare.at("_meta").at("correlationId")), MatchesRegex(kUuid));

  const JsonObject object = Call(R"({"database":"hr","query":"SELECT deadlock"})");
  EXPECT_EQ(object.at("content").at(0).at("text"), "Deadlock victim");
  const Json thrown =
      *base::ParseJson(R"({"message": "Deadlock victim", "code": 1205, "number": 1205,
                                 "detail": {"spid": 51}})");
  EXPECT_EQ(object.at("structuredContent").at("error"), thrown);

  const Json direct = Direct("mssql-query", R"({"database":"hr","query":"SELECT deadlock"})");
  EXPECT_EQ(MessageOf(direct), "Deadlock victim");
  EXPECT_EQ(direct.at("error").at("data").at("error").at("code"), 1205);
  EXPECT_THAT(Text(direct.at("error").at("data").at("correlationId")), MatchesRegex(kUuid));
}

TEST_F(MssqlQuery, STUB_EDGE_5_WordsForceErrors) {
  for (const char* query : {"RAISEERROR('x')", "RAISERROR('x', 16, 1)", "throw 50000, 'x', 1",
                            "SELECT 1; ThRoW", "raiserror", "SELECT 1\\nTHROW\\n"}) {
    const JsonObject result = Call(base::StrCat(R"({"database":"hr","query":")", query, R"("})"));
    EXPECT_EQ(result.at("isError"), true) << query;
    EXPECT_EQ(result.at("structuredContent").at("error").at("message"),
              result.at("content").at(0).at("text"));
    EXPECT_EQ(result.at("structuredContent").at("error").at("code"), 50000);
  }
  for (const char* query : {"SELECT throws FROM t", "SELECT * FROM throw_log", "SELECT @throw",
                            "SELECT xRAISERROR", "SELECT raise, error"}) {
    EXPECT_EQ(Call(base::StrCat(R"({"database":"hr","query":")", query, R"("})")).at("isError"),
              false)
        << query;
  }
}

TEST_F(MssqlQuery, STUB_EDGE_4_CorrelationIdsAreUniqueUnderConcurrency) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 50;
  std::vector<std::vector<std::string>> ids(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, &mine = ids[static_cast<std::size_t>(i)]] {
      for (int call = 0; call < kCalls; ++call)
        mine.push_back(
            Text(Structured(R"({"database":"hr","query":"SELECT 1"})").at("correlationId")));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> distinct;
  for (const auto& mine : ids) distinct.insert(mine.begin(), mine.end());
  EXPECT_EQ(distinct.size(), static_cast<std::size_t>(kThreads * kCalls));
}

TEST_F(MssqlQuery, TheLogHasTheCorrelationIdAlsoOfErrorsAndNeverTheQuery) {
  for (const auto level : {base::Severity::kInfo, base::Severity::kWarning}) {
    std::FILE* file = std::tmpfile();
    base::SetLogDescriptorForTest(fileno(file));
    base::ConfigureLog(level, base::LogFormat::kJson);
    const std::string good =
        Text(Structured(R"({"database":"hr","query":"SELECT private"})").at("correlationId"));
    const std::string bad =
        Text(Call(R"({"database":"hr","query":"THROW private"})").at("_meta").at("correlationId"));
    base::FlushLog();
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    base::SetLogDescriptorForTest(STDERR_FILENO);
    std::rewind(file);
    std::string text(1 << 16, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    EXPECT_EQ(text.find(good) != text.npos, level == base::Severity::kInfo);
    EXPECT_THAT(text, HasSubstr(bad)) << "failures are logged as warnings";
    EXPECT_THAT(text, Not(HasSubstr("private")));
  }
}

TEST_F(MssqlQuery, AStoredConnectionOfThatNameIsAskedInsteadOfTheStub) {
  Store("sales", "sql1");
  const auto server = ServerAt("sql1");
  server->columns = {{"id", "int"}, {"total", "decimal(38,2)"}};
  server->cells = {{{db::CellKind::kNumber, "1"}, {db::CellKind::kNumber, "10.50"}},
                   {{db::CellKind::kNumber, "2"}, {db::CellKind::kNull, ""}},
                   {{db::CellKind::kNumber, "3"}, {db::CellKind::kNumber, "1"}},
                   {{db::CellKind::kNumber, "4"}, {db::CellKind::kNumber, "1"}}};
  const JsonObject envelope =
      Structured(R"({"database":"sales","query":"SELECT id, total FROM t","maxRows":2})");
  const Json record_sets = *base::ParseJson(R"j([{
      "columns":[{"name":"id","type":"int"},{"name":"total","type":"decimal(38,2)"}],
      "rows":[[1,"10.50"],[2,null]],"truncated":"limit"}])j");
  EXPECT_EQ(envelope.at("queryResult"), record_sets);
  EXPECT_THAT(server->Tags(), ::testing::ElementsAre("read: SELECT id, total FROM t"));
  EXPECT_EQ(RowsIn(Structured(R"({"database":"sales","query":"SELECT 1"})")), 3U);
  EXPECT_EQ(RowsIn(Structured(R"({"database":"sales","query":"SELECT 1","maxRows":0})")), 0U);
  EXPECT_EQ(RowsIn(Structured(R"({"database":"Sales","query":"SELECT 1"})")), 3U)
      << "names are exact: that is the stub";
  EXPECT_EQ(server->asked.size(), 3U);
  for (const std::string& name : {std::string(R"(a\u0000b)"), std::string(300, 'x')}) {
    EXPECT_EQ(
        RowsIn(Structured(base::StrCat(R"({"database":")", name, R"(","query":"SELECT 1"})"))), 3U)
        << "no name of a connection, so the stub";
  }
}

TEST_F(MssqlQuery, D6_EveryResultSetIsARecordSetAndMaxRowsBoundsThemTogether) {
  Store("sales", "sql1");
  const auto server = ServerAt("sql1");
  server->columns = {{"id", "int"}};
  server->cells = {{{db::CellKind::kNumber, "1"}}, {{db::CellKind::kNumber, "2"}}};
  server->further = {{{{"name", "nvarchar"}}, {{{db::CellKind::kText, "a"}}}},
                     {{{"none", "bit"}}, {}}};
  const auto sets = [this](std::string_view rest) {
    return Structured(base::StrCat(R"({"database":"sales","query":"SELECT 1")", rest, "}"))
        .at("queryResult");
  };
  EXPECT_EQ(sets(""), *base::ParseJson(R"j([
      {"columns":[{"name":"id","type":"int"}],"rows":[[1],[2]]},
      {"columns":[{"name":"name","type":"nvarchar"}],"rows":[["a"]]},
      {"columns":[{"name":"none","type":"bit"}],"rows":[]}])j"));
  EXPECT_EQ(sets(R"(,"maxRows":2)"), *base::ParseJson(R"j([
      {"columns":[{"name":"id","type":"int"}],"rows":[[1],[2]]},
      {"columns":[{"name":"name","type":"nvarchar"}],"rows":[],"truncated":"limit"}])j"));
}

TEST_F(MssqlQuery, ErrorsOfAServerAreRelayedWithTheirNumbers) {
  Store("sales", "sql1");
  ServerAt("sql1")->failure =
      Error{Code::kNotFound, "Invalid object name 'x'.",
            JsonObject{{"number", 208}, {"state", 1}, {"class", 16}, {"line", 1}}};
  const JsonObject result = Call(R"({"database":"sales","query":"SELECT * FROM x"})");
  EXPECT_EQ(result.at("content").at(0).at("text"), "Invalid object name 'x'.");
  EXPECT_EQ(
      result.at("structuredContent").at("error"),
      *base::ParseJson(
          R"({"message":"Invalid object name 'x'.","code":208,"state":1,"class":16,"line":1})"));
  EXPECT_EQ(Call(R"({"database":"sales"})").at("content").at(0).at("text"),
            "query must be a string: one SELECT");
}

// As ODBC gives them: worded for everybody, with the server's own words beside.
TEST_F(MssqlQuery, D9_STUB_FR_008_TheServersOwnWordsAreForMssqlQueryAlone) {
  Store("sales", "sql1");
  ServerAt("sql1")->failure = Error{Code::kUnavailable, "SQL Server is out of memory",
                                    JsonObject{{"message", "Could not allocate /secret/x."},
                                               {"number", 1105},
                                               {"class", 17},
                                               {"state", 2},
                                               {"line", 3}}};
  const JsonObject result = Call(R"({"database":"sales","query":"SELECT * FROM x"})");
  EXPECT_EQ(result.at("content").at(0).at("text"), "Could not allocate /secret/x.");
  EXPECT_EQ(
      result.at("structuredContent").at("error"),
      *base::ParseJson(
          R"({"message":"Could not allocate /secret/x.","code":1105,"class":17,"state":2,"line":3})"));
  ServerAt("sql1")->failure->code = Code::kInvalidArgument;  // whose data JSON-RPC shows
  for (const auto& [tool, arguments] :
       {std::pair("ExecuteQuery", R"({"connectionName":"sales","query":"SELECT 1"})"),
        std::pair("GetTableMetadata", R"({"connectionName":"sales"})"),
        std::pair("Initialize", R"({"connectionName":"sales"})"),
        std::pair("TestConnection", R"({"request":{"name":"sales"}})")}) {
    const Json direct = Direct(tool, arguments);
    EXPECT_THAT(MessageOf(direct), HasSubstr("out of memory")) << tool;
    EXPECT_EQ(direct.at("error").at("data").at("number"), 1105) << tool;
    EXPECT_THAT(base::ToJson(direct), Not(HasSubstr("secret"))) << tool;
  }
}

TEST_F(MssqlQuery, CTRL_defect_02_KeysReachOnlyTheirConnections) {
  Store("sales", "sql1");
  Grants grants;
  grants.scopes = {"read"};
  grants.connections = std::vector<std::string>{"hr"};
  const auto call = [&](std::string_view database) {
    return DataOf(Rpc(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)",
                                   R"("name":"mssql-query","arguments":{"database":")", database,
                                   R"(","query":"SELECT 1"}}})"),
                      Caller(grants)));
  };
  const JsonObject refused = call("sales");
  EXPECT_EQ(refused.at("isError"), true);
  EXPECT_THAT(Text(refused.at("content").at(0).at("text")), HasSubstr("Permission denied"));
  EXPECT_TRUE(ServerAt("sql1")->asked.empty());
  EXPECT_EQ(call("hr").at("isError"), false);
}

TEST(StubScript, WrongAnswersAreRefusedWithTheirQuery) {
  for (const char* script :
       {R"({"SELECT 1": 5})", R"({"SELECT 1": {"code": 1}})", R"({"SELECT 1": {"message": 5}})",
        R"({"SELECT 1": [[]]})", R"({"SELECT 1": null})"}) {
    const auto parsed = ParseStubScript(script);
    ASSERT_FALSE(parsed) << script;
    EXPECT_THAT(parsed.error().message, HasSubstr("SELECT 1")) << script;
  }
  EXPECT_FALSE(ParseStubScript("[]"));
  EXPECT_FALSE(ParseStubScript("{"));
  EXPECT_TRUE(ParseStubScript("{}"));
}

}  // namespace
}  // namespace toolpost::tools::mssql
