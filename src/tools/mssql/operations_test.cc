// The tools about SQL Server Agent, Integration Services and Azure DevOps Server.
#include <gmock/gmock.h>

#include "base/json_write.h"
#include "base/strings.h"
#include "tools/mssql/agent_sql.h"
#include "tools/mssql/agent_values.h"
#include "tools/mssql/mssql_fixture.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Null = std::monostate;

std::int64_t Int(std::int64_t value) { return value; }

class Operations : public MssqlFixture {
 protected:
  static db::Row Job(std::string name) {
    return {"7F8D9E0A-1B2C-3D4E-5F60-718293A4B5C6",
            std::move(name),
            Int(1),
            "Nightly",
            "sa",
            "Database Maintenance",
            "2024-01-01T00:00:00.000",
            "2024-02-01T00:00:00.000",
            Int(1),
            Int(20260131),
            Int(3),
            Int(1000205),
            Int(20260201'030000),
            Int(0)};
  }
};

TEST(AgentValues, PackedNumbersAreDecoded) {
  EXPECT_EQ(AgentTime(20260131, 231005), "2026-01-31T23:10:05");
  EXPECT_EQ(AgentTime(20260131, 0), "2026-01-31T00:00:00");
  EXPECT_EQ(AgentTime(20260131, 3), "2026-01-31T00:00:03");
  EXPECT_EQ(AgentTime(20240229, 235959), "2024-02-29T23:59:59");
  for (const auto& [date, time] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0},
                                                          {-1, 0},
                                                          {20260230, 0},
                                                          {20261301, 0},
                                                          {20260131, 240000},
                                                          {20260131, 6000},
                                                          {20260131, -1},
                                                          {99999999, 0},
                                                          {INT64_MAX, INT64_MAX}}) {
    EXPECT_EQ(AgentTime(date, time), std::nullopt) << date << " " << time;
  }
  EXPECT_EQ(AgentTime(std::nullopt, 0), std::nullopt);
  EXPECT_EQ(AgentTime(20260131, std::nullopt), "2026-01-31T00:00:00");
  EXPECT_EQ(AgentSeconds(0), 0);
  EXPECT_EQ(AgentSeconds(205), 125);
  EXPECT_EQ(AgentSeconds(1000205), 100 * 3600 + 125) << "more than 99 hours";
  EXPECT_EQ(AgentSeconds(-1), std::nullopt);
  EXPECT_EQ(AgentOutcome(0), "failed");
  EXPECT_EQ(AgentOutcome(4), "running");
  EXPECT_EQ(AgentOutcome(5), "unknown");
  EXPECT_EQ(AgentOutcome(std::nullopt), "unknown");
  EXPECT_EQ(AgentFrequency(8), "weekly");
  EXPECT_EQ(AgentFrequency(3), "unknown");
  EXPECT_EQ(AgentAction(2), "quit with failure");
}

TEST_F(Operations, CTRL_EX11_GetSqlServerAgentJobsRunsAsWritten) {
  Main().rows["agent_jobs"] = {Job("DatabaseBackup")};
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 13,
    "method": "GetSqlServerAgentJobs",
    "params": {
      "connectionName": "DefaultConnection"
    }
  })");
  const Json jobs = *base::ParseJson(R"({"jobs":[{
    "jobId":"7F8D9E0A-1B2C-3D4E-5F60-718293A4B5C6","name":"DatabaseBackup","enabled":true,
    "description":"Nightly","owner":"sa","category":"Database Maintenance",
    "dateCreated":"2024-01-01T00:00:00.000","dateModified":"2024-02-01T00:00:00.000",
    "lastRunOutcome":"succeeded","lastRunDate":"2026-01-31T00:00:03",
    "lastRunDurationSeconds":360125,"nextRunDate":"2026-02-01T03:00:00","isRunning":false}],
    "count":1})");
  EXPECT_EQ(Json(DataOf(reply)), jobs);
}

TEST_F(Operations, AJobThatNeverRanHasNoDates) {
  db::Row job = Job("New");
  job[8] = Int(5);
  for (const std::size_t i : {9, 10, 11}) job[i] = Int(0);
  job[12] = Null();
  Main().rows["agent_jobs"] = {job};
  const JsonObject data = Data("GetSqlServerAgentJobs", "{}");
  const JsonObject& view = data.at("jobs").at(0).as_object();
  EXPECT_EQ(view.at("lastRunOutcome"), "unknown");
  for (const char* member : {"lastRunDate", "lastRunDurationSeconds", "nextRunDate"})
    EXPECT_FALSE(view.contains(member)) << member;
}

TEST_F(Operations, JobsComeInPages) {
  EXPECT_EQ(Data("GetSqlServerAgentJobs", "{}").at("count"), 0);
  Main().rows["agent_jobs"] = {Job("a"), Job("b"), Job("c")};
  Main().asked.clear();
  const JsonObject page = Data("GetSqlServerAgentJobs", R"({"limit":2})");
  EXPECT_EQ(page.at("count"), 2);
  EXPECT_EQ(Main().asked[0].parameters.at("take"), 3);
  Data("GetSqlServerAgentJobs",
       base::StrCat(R"({"cursor":")", Text(page.at("nextCursor")), R"("})"));
  EXPECT_EQ(Main().asked[1].parameters.at("after"), "b");
  EXPECT_THAT(ErrorOf("GetSqlServerAgentJobs", R"({"cursor":"!"})"), HasSubstr("cursor"));
}

TEST_F(Operations, APageOfJobsEndsWhereTheReplyIsFull) {
  std::vector<db::Row> jobs;
  for (int i = 100; i < 350; ++i) jobs.push_back(Job(base::StrCat("Job ", i)));
  std::vector<std::string> names;
  std::string cursor;
  do {
    Main().rows["agent_jobs"] = {jobs.begin() + static_cast<std::ptrdiff_t>(names.size()),
                                 jobs.end()};
    Main().asked.clear();
    const JsonObject page =
        Data("GetSqlServerAgentJobs", base::StrCat(R"({"limit":1000,"cursor":")", cursor, R"("})"));
    EXPECT_EQ(Text(Main().asked[0].parameters.at("after")), names.empty() ? "" : names.back());
    ASSERT_FALSE(page.contains("truncated")) << "the budget cut it";
    EXPECT_EQ(page.at("count"), page.at("jobs").as_array().size());
    for (const Json& job : page.at("jobs").as_array()) names.push_back(Text(job.at("name")));
    cursor = page.contains("nextCursor") ? Text(page.at("nextCursor")) : "";
  } while (!cursor.empty() && names.size() < jobs.size());
  ASSERT_EQ(names.size(), jobs.size());
  EXPECT_EQ(names.back(), "Job 349");
}

TEST_F(Operations, AMissingPermissionInMsdbNamesTheRole) {
  Main().failure = Error{
      Code::kPermissionDenied, "The SELECT permission was denied on the object 'sysjobs'", {}};
  for (const char* call : {"GetSqlServerAgentJobs", "GetSqlServerAgentJobDetails"}) {
    const JsonObject result = DataOf(
        Envelope(call, std::string_view(call).ends_with("Details") ? R"({"jobName":"x"})" : "{}"));
    EXPECT_EQ(result.at("isError"), true);
    EXPECT_THAT(Text(result.at("content").at(0).at("text")), HasSubstr("SQLAgentReaderRole"));
    EXPECT_THAT(Text(result.at("content").at(0).at("text")), HasSubstr("'sysjobs'"));
  }
}

TEST_F(Operations, AServerWithoutAgentSaysSo) {
  Main().failure = Error::NotFound("Invalid object name 'msdb.dbo.sysjobs'.");
  EXPECT_THAT(ErrorOf("GetSqlServerAgentJobs", "{}"), HasSubstr("no SQL Server Agent"));
}

TEST_F(Operations, CTRL_EX12_GetSqlServerAgentJobDetailsRunsAsWritten) {
  auto& rows = Main().rows;
  rows["agent_jobs"] = {Job("DatabaseBackup")};
  rows["agent_steps"] = {{Int(1), "Backup", "TSQL", "BACKUP DATABASE hr TO DISK = 'x'", "master",
                          Int(3), Int(2), Int(0)}};
  rows["agent_schedules"] = {{"Nightly", Int(1), Int(4), Int(1), Int(20240101), Int(30000),
                              Int(99991231), Int(235959), Int(20260201), Int(30000)}};
  rows["agent_history"] = {
      {Int(12), Int(0), "(Job outcome)", Int(20260131), Int(30000), Int(0), Int(12),
       "The job failed."},
      {Int(11), Int(1), "Backup", Int(20260131), Int(30000), Int(2), Int(12), Null()}};
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 14,
    "method": "GetSqlServerAgentJobDetails",
    "params": {
      "connectionName": "DefaultConnection",
      "jobName": "DatabaseBackup"
    }
  })");
  const JsonObject job = DataOf(reply).at("job").as_object();
  EXPECT_EQ(job.at("name"), "DatabaseBackup");
  const Json steps = *base::ParseJson(R"([{"stepId":1,"stepName":"Backup",
      "subsystem":"TSQL","command":"BACKUP DATABASE hr TO DISK = 'x'","databaseName":"master",
      "onSuccessAction":"next step","onFailAction":"quit with failure","retryAttempts":0}])");
  EXPECT_EQ(job.at("steps"), steps);
  const Json schedules = *base::ParseJson(R"([{"scheduleName":"Nightly","enabled":true,
      "frequencyType":"daily","frequencyInterval":1,"activeStart":"2024-01-01T03:00:00",
      "activeStartTime":"03:00:00","activeEndTime":"23:59:59",
      "nextRunDate":"2026-02-01T03:00:00"}])");
  EXPECT_EQ(job.at("schedules"), schedules);
  const Json history = *base::ParseJson(R"j([
      {"instanceId":12,"isJobOutcome":true,"stepId":0,"stepName":"(Job outcome)",
       "runDate":"2026-01-31T03:00:00","runStatus":"failed","runDurationSeconds":12,
       "message":"The job failed."},
      {"instanceId":11,"isJobOutcome":false,"stepId":1,"stepName":"Backup",
       "runDate":"2026-01-31T03:00:00","runStatus":"retry","runDurationSeconds":12}])j");
  EXPECT_EQ(job.at("history"), history);
  EXPECT_THAT(Main().Tags(),
              ElementsAre("agent_jobs", "agent_steps", "agent_schedules", "agent_history"));
  EXPECT_EQ(Main().asked[0].parameters.at("name"), "DatabaseBackup");
  EXPECT_EQ(Main().asked[3].parameters.at("take"), 10);
}

TEST_F(Operations, SecretsInJobCommandsAreNotShown) {
  auto& rows = Main().rows;
  rows["agent_jobs"] = {Job("x")};
  rows["agent_steps"] = {
      {Int(1), "s", "CmdExec", "sqlcmd -S a -U sa -P hunter2", Null(), Int(1), Int(2), Int(0)},
      {Int(2), "s", "TSQL", "CREATE LOGIN a WITH PASSWORD = 'hunter2'", Null(), Int(1), Int(2),
       Int(0)}};
  rows["agent_history"] = {{Int(1), Int(1), "s", Int(20260131), Int(0), Int(0), Int(0),
                            "failed: Server=a;Password=hunter2;"}};
  const Json reply = Direct("GetSqlServerAgentJobDetails", R"({"jobName":"x"})");
  EXPECT_THAT(base::ToJson(reply), Not(HasSubstr("hunter2")));
  EXPECT_THAT(base::ToJson(reply), HasSubstr("CREATE LOGIN a WITH PASSWORD"));
}

TEST_F(Operations, SecretsInCommandsThatAreCutAreNotShown) {
  auto& rows = Main().rows;
  rows["agent_jobs"] = {Job("x")};
  const std::string_view secret = R"("hunter2" | ConvertTo-SecureString)";
  for (const std::size_t before : {8192 - 10, 8192 - 20, 8192 - 30, 8192 - 500}) {
    rows["agent_steps"] = {
        {Int(1), "s", "PowerShell",
         base::StrCat("visible", std::string(before - 7, ' '), secret, std::string(8192, 'x')),
         Null(), Int(1), Int(2), Int(0)}};
    const std::string reply =
        base::ToJson(Direct("GetSqlServerAgentJobDetails", R"({"jobName":"x"})"));
    EXPECT_THAT(reply, Not(HasSubstr("hunter2"))) << before;
    EXPECT_THAT(reply, HasSubstr("visible"));
    EXPECT_THAT(reply, HasSubstr("…"));
  }
}

TEST_F(Operations, AnUnknownJobIsAnError) {
  const JsonObject result =
      DataOf(Envelope("GetSqlServerAgentJobDetails", R"({"jobName":"nope"})"));
  EXPECT_EQ(result.at("isError"), true);
  EXPECT_THAT(Text(result.at("content").at(0).at("text")), HasSubstr("no job nope"));
  EXPECT_EQ(CodeOf(Direct("GetSqlServerAgentJobDetails", "{}")), -32602);
  Main().rows["agent_jobs"] = {Job("x")};
  Main().asked.clear();
  Data("GetSqlServerAgentJobDetails", R"({"jobName":"x","historyLimit":0})");
  EXPECT_THAT(Main().Tags(), ElementsAre("agent_jobs", "agent_steps", "agent_schedules"));
}

TEST_F(Operations, ABlankNameIsNoNameOfAJob) {
  Main().rows["agent_jobs"] = {Job("the first of all")};
  for (const char* name : {" ", "    ", "\\t"}) {
    EXPECT_THAT(
        ErrorOf("GetSqlServerAgentJobDetails", base::StrCat(R"({"jobName":")", name, R"("})")),
        HasSubstr("jobName must not be blank: GetSqlServerAgentJobs lists"));
    EXPECT_THAT(
        ErrorOf("GetSqlServerAgentJobs", base::StrCat(R"({"namePattern":")", name, R"("})")),
        HasSubstr("namePattern must not be blank: "));
  }
  EXPECT_TRUE(Main().asked.empty());
  EXPECT_EQ(kAgentJobsSql.find("= N''"), kAgentJobsSql.npos) << "true of blanks, too";
}

TEST_F(Operations, CTRL_EX13_GetSsisCatalogInfoRunsAsWritten) {
  auto& rows = Main().rows;
  rows["ssis_database"] = {{"SQL1", "2023-05-01T00:00:00.000", Int(1)}};
  rows["ssis_folders"] = {{Int(1), "Finance", Null(), "2023-05-02T00:00:00.000"}};
  rows["ssis_projects"] = {
      {Int(1), Int(7), "Load", "Loads", "2023-05-03T00:00:00.000", "2024-01-01T00:00:00.000"},
      {Int(99), Int(8), "OfAnInvisibleFolder", Null(), Null(), Null()}};
  rows["ssis_packages"] = {{Int(7), "Main.dtsx", Null(), Int(1), "S", "2024-01-02T00:00:00.000"}};
  rows["ssis_parameters"] = {
      {Int(7), Int(20), "Load", "Root", "String", Int(1), Int(0), "/data"},
      {Int(7), Int(30), "Main.dtsx", "Token", "String", Int(0), Int(1), "LEAKED"}};
  rows["ssis_environments"] = {
      {Int(1), Int(3), "Prod", Null(), "Server", "String", Int(0), "sql1"},
      {Int(1), Int(3), "Prod", Null(), "Password", "String", Int(1), "LEAKED"},
      {Int(1), Int(4), "Empty", Null(), Null(), Null(), Null(), Null()}};
  rows["ssis_executions"] = {{Int(500), "Finance", "Load", "Main.dtsx", Int(7),
                              "2026-01-01T00:00:00.0000000+00:00",
                              "2026-01-01T00:01:00.0000000+00:00"}};
  rows["ssis_legacy"] = {{"Maintenance", "Old", Null(), "2010-01-01T00:00:00.000"}};
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 15,
    "method": "GetSsisCatalogInfo",
    "params": {
      "connectionName": "DefaultConnection"
    }
  })");
  const Json catalog = *base::ParseJson(R"({
    "available":true,"serverName":"SQL1","catalogName":"SSISDB",
    "createdDate":"2023-05-01T00:00:00.000",
    "folders":[{"name":"Finance","createdDate":"2023-05-02T00:00:00.000",
      "projects":[{"name":"Load","deploymentModel":"Project","description":"Loads",
        "createdDate":"2023-05-03T00:00:00.000","lastDeployedDate":"2024-01-01T00:00:00.000",
        "parameters":[{"name":"Root","type":"String","sensitive":false,"required":true,
                       "value":"/data"}],
        "packages":[{"name":"Main.dtsx","entryPoint":true,"validationStatus":"succeeded",
          "lastValidationDate":"2024-01-02T00:00:00.000",
          "parameters":[{"name":"Token","type":"String","sensitive":true,"required":false}]}]}],
      "environments":[
        {"name":"Prod","variables":[{"name":"Server","type":"String","sensitive":false,
                                     "value":"sql1"},
                                    {"name":"Password","type":"String","sensitive":true}]},
        {"name":"Empty","variables":[]}]}],
    "projectCount":1,"packageCount":1,"projectDeploymentCount":1,"packageDeploymentCount":1,
    "executions":[{"executionId":500,"folder":"Finance","project":"Load","package":"Main.dtsx",
      "status":"succeeded","startTime":"2026-01-01T00:00:00.0000000+00:00",
      "endTime":"2026-01-01T00:01:00.0000000+00:00"}],
    "legacyPackages":[{"folder":"Maintenance","name":"Old",
                       "createdDate":"2010-01-01T00:00:00.000"}],
    "warnings":[]})");
  EXPECT_EQ(Json(DataOf(reply)), catalog);
}

TEST_F(Operations, EnvironmentsOfTwoFoldersMayHaveTheSameId) {
  auto& rows = Main().rows;
  rows["ssis_database"] = {{"SQL1", Null(), Int(1)}};
  rows["ssis_folders"] = {{Int(1), "A", Null(), Null()}, {Int(2), "B", Null(), Null()}};
  rows["ssis_environments"] = {{Int(1), Int(3), "E3", Null(), "v", "String", Int(0), "x"},
                               {Int(1), Int(4), "E4", Null(), "v", "String", Int(0), "x"},
                               {Int(2), Int(4), "E4", Null(), "w", "String", Int(0), "y"}};
  const JsonObject data = Data("GetSsisCatalogInfo", "{}");
  EXPECT_EQ(data.at("folders").at(0).at("environments").as_array().size(), 2U);
  const Json& environments = data.at("folders").at(1).at("environments");
  ASSERT_EQ(environments.as_array().size(), 1U);
  EXPECT_EQ(environments.at(0).at("name"), "E4");
  EXPECT_EQ(environments.at(0).at("variables").at(0).at("name"), "w");
}

TEST_F(Operations, SecretsOfSsisThatNobodyMarkedAreNotShown) {
  auto& rows = Main().rows;
  rows["ssis_database"] = {{"SQL1", Null(), Int(1)}};
  rows["ssis_folders"] = {{Int(1), "A", "uses Password=hunter2;", Null()}};
  rows["ssis_projects"] = {{Int(1), Int(7), "Load", Null(), Null(), Null()}};
  rows["ssis_packages"] = {{Int(7), "Main.dtsx", Null(), Int(1), "S", Null()}};
  const auto parameter = [](const char* name, const char* value) {
    return db::Row{Int(7), Int(30), "Main.dtsx", name, "String", Int(0), Int(0), value};
  };
  rows["ssis_parameters"] = {parameter("Source", "Server=a;User ID=u;Password=hunter2;"),
                             parameter("SmtpPassword", "hunter2"), parameter("ApiKey", ""),
                             parameter("PasswordFile", "/data/x"), parameter("Rows", "100")};
  rows["ssis_environments"] = {
      {Int(1), Int(3), "E", Null(), "db_pwd", "String", Int(0), "hunter2"}};
  const JsonObject data = Data("GetSsisCatalogInfo", "{}");
  EXPECT_THAT(base::ToJson(data), Not(HasSubstr("hunter2")));
  const Json& folder = data.at("folders").at(0);
  std::vector<std::string> values;
  for (const Json& each :
       folder.at("projects").at(0).at("packages").at(0).at("parameters").as_array())
    values.push_back(Text(each.at("value")));
  EXPECT_THAT(values, ElementsAre("Server=a;User ID=u;Password=***;", "***", "", "/data/x", "100"));
  EXPECT_EQ(folder.at("environments").at(0).at("variables").at(0).at("value"), "***");
  EXPECT_EQ(folder.at("description"), "uses Password=***;");
}

TEST_F(Operations, AServerWithoutSsisExplainsItself) {
  const JsonObject data = Data("GetSsisCatalogInfo", "{}");
  EXPECT_EQ(data.at("available"), false);
  EXPECT_THAT(Text(data.at("message")), HasSubstr("SSISDB"));
  EXPECT_THAT(Main().Tags(), ElementsAre("ssis_database", "ssis_legacy"))
      << "what is not there is not asked for";
}

TEST_F(Operations, SsisWithoutPermissionSaysWhatToGrant) {
  Main().rows["ssis_database"] = {{"SQL1", "2023-05-01T00:00:00.000", Int(0)}};
  EXPECT_THAT(ErrorOf("GetSsisCatalogInfo", "{}"), HasSubstr("ssis_admin"));
  Main().rows["ssis_database"] = {{"SQL1", "2023-05-01T00:00:00.000", Int(1)}};
  Main().failure_of = {{"ssis_projects", Error{Code::kPermissionDenied, "denied on projects", {}}}};
  EXPECT_THAT(ErrorOf("GetSsisCatalogInfo", "{}"),
              ::testing::AllOf(HasSubstr("ssis_admin"), HasSubstr("READ and READ_OBJECTS"),
                               HasSubstr("denied on projects")));
  Main().rows["ssis_folders"] = {{Int(1), "A", Null(), Null()}};
  Main().failure_of = {{"ssis_legacy", Error{Code::kPermissionDenied, "denied on msdb", {}}}};
  EXPECT_EQ(Data("GetSsisCatalogInfo", "{}").at("warnings"),
            JsonArray({"Packages in msdb are left out: to see them, grant the login SELECT on "
                       "msdb.dbo.sysssispackages and msdb.dbo.sysssispackagefolders. The server "
                       "says: denied on msdb"}));
  Main().failure_of = {{"ssis_legacy", Error::NotFound("Invalid object name 'x'.")}};
  EXPECT_EQ(Data("GetSsisCatalogInfo", "{}").at("warnings"),
            JsonArray({"Packages in msdb are left out: Invalid object name 'x'."}));
  Main().failure_of = {{"ssis_legacy", Error{Code::kTimeout, "too slow", {}}}};
  EXPECT_THAT(ErrorOf("GetSsisCatalogInfo", "{}"), HasSubstr("too slow"));
}

// Views of SSISDB show no rows instead of an error to who may read none.
TEST_F(Operations, ACatalogThatShowsNoFolderSaysWhatTheLoginMayLack) {
  Main().rows["ssis_database"] = {{"SQL1", Null(), Int(1)}};
  const JsonObject data = Data("GetSsisCatalogInfo", "{}");
  EXPECT_EQ(data.at("available"), true);
  EXPECT_EQ(data.at("warnings"),
            JsonArray({"SSISDB shows no folder: there is none, or the login may read none "
                       "(ssis_admin, or READ and READ_OBJECTS on folders)"}));
}

TEST_F(Operations, CTRL_EX14_GetAzureDevOpsInfoRunsAsWritten) {
  auto& rows = Main().rows;
  rows["devops_tables"] = {{Int(1), Int(2), Int(3), Int(4), Int(16), "Tfs_Default"}};
  rows["devops_projects"] = {
      {"P1", "Alpha_1", "Agile", Null(), "2024-01-01T00:00:00", "2024-02-01T00:00:00"}};
  rows["devops_contained_repositories"] = {{"R1", "alpha", Int(1000), "2024-01-01T00:00:00", "P1"},
                                           {"R2", "AlphaX1-tools", Null(), Null(), "unknown"}};
  rows["devops_pipelines"] = {{Int(12)}};
  rows["devops_work_items"] = {{Int(3'000'000'000)}};
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 16,
    "method": "GetAzureDevOpsInfo",
    "params": {
      "connectionName": "DefaultConnection"
    }
  })");
  const Json info = *base::ParseJson(R"({"available":true,
    "projects":[{"projectId":"P1","name":"Alpha_1","process":"Agile",
                 "createdDate":"2024-01-01T00:00:00","lastUpdatedDate":"2024-02-01T00:00:00"}],
    "repositories":[
      {"repositoryId":"R1","name":"alpha","size":1000,"createdDate":"2024-01-01T00:00:00",
       "projectId":"P1","projectName":"Alpha_1"},
      {"repositoryId":"R2","name":"AlphaX1-tools","projectId":"unknown","projectName":null}],
    "buildDefinitionCount":12,"workItemCount":3000000000,"warnings":[]})");
  EXPECT_EQ(Json(DataOf(reply)), info);
}

TEST_F(Operations, MoreProjectsAndRepositoriesThanTheLimitAreToldOf) {
  auto& rows = Main().rows;
  rows["devops_tables"] = {{Int(1), Int(2), Int(3), Int(4), Int(16), "Tfs_Default"}};
  rows["devops_projects"] = {{"P1", "A", Null(), Null(), Null(), Null()},
                             {"P2", "B", Null(), Null(), Null(), Null()},
                             {"P3", "C", Null(), Null(), Null(), Null()}};
  rows["devops_contained_repositories"] = {{"R1", "a", Int(1), Null(), "P3"},
                                           {"R2", "b", Int(1), Null(), Null()}};
  const JsonObject data = Data("GetAzureDevOpsInfo", R"({"limit":2})");
  EXPECT_EQ(Main().asked[1].parameters.at("take"), 3);
  EXPECT_EQ(data.at("projects").as_array().size(), 2U);
  EXPECT_EQ(data.at("warnings"),
            JsonArray({"projects: there are more than these 2; limit shows up to 1000"}));
  EXPECT_EQ(data.at("repositories").at(0).at("projectId"), "P3") << "known without its name";
  EXPECT_EQ(data.at("repositories").at(0).at("projectName"), nullptr);
  EXPECT_EQ(data.at("repositories").at(1).at("projectId"), nullptr);
  rows["devops_projects"].assign(1001, {"P1", "A", Null(), Null(), Null(), Null()});
  EXPECT_EQ(Data("GetAzureDevOpsInfo", R"({"limit":1000})").at("warnings"),
            JsonArray({"projects: there are more than these 1000"}));
}

TEST_F(Operations, AnotherDatabaseIsNoAzureDevOps) {
  Main().rows["devops_tables"] = {{Null(), Null(), Null(), Null(), Null(), "hr"}};
  const JsonObject data = Data("GetAzureDevOpsInfo", "{}");
  EXPECT_EQ(data.at("available"), false);
  EXPECT_THAT(Text(data.at("message")), HasSubstr("hr is no collection database"));
  EXPECT_THAT(Main().Tags(), ElementsAre("devops_tables"));
}

TEST_F(Operations, PartsOfAzureDevOpsThatCannotBeReadAreNamed) {
  auto& rows = Main().rows;
  rows["devops_tables"] = {{Int(1), Int(2), Null(), Int(4), Null(), "Tfs_Default"}};
  rows["devops_repositories"] = {{"R1", "alpha", Int(1000), Null(), Null()}};
  Main().failure_of = {
      {"devops_projects", Error::ExecutionFailed("Invalid column name 'ProcessName'.")},
      {"devops_work_items", Error{Code::kPermissionDenied, "denied", {}}}};
  const JsonObject data = Data("GetAzureDevOpsInfo", "{}");
  EXPECT_EQ(data.at("warnings"),
            JsonArray({"projects: Invalid column name 'ProcessName'.",
                       "build pipelines: this database has no such table", "work items: denied"}));
  EXPECT_FALSE(data.contains("workItemCount")) << "no invented values";
  EXPECT_EQ(data.at("repositories").at(0).at("projectId"), nullptr);
  Main().failure_of = {{"devops_projects", Error::Unavailable("gone")}};
  EXPECT_THAT(ErrorOf("GetAzureDevOpsInfo", "{}"), HasSubstr("gone"));
}

}  // namespace
}  // namespace toolpost::tools::mssql
