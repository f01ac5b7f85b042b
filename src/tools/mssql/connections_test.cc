// The tools that manage connections.
#include <gmock/gmock.h>

#include "base/json_write.h"
#include "tools/mssql/mssql_fixture.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ConnectionTools : public MssqlFixture {
 protected:
  std::vector<std::string> Names(const Principal& principal = {}) const {
    std::vector<std::string> names;
    const JsonObject list = DataOf(
        Rpc(R"({"jsonrpc":"2.0","id":1,"method":"ListConnections","params":{}})", principal));
    for (const Json& each : list.at("connections").as_array())
      names.push_back(Text(each.at("name")));
    return names;
  }
  Json Add(std::string_view name, std::string_view host) const {
    return Direct("AddConnection",
                  base::StrCat(R"({"request":{"name":")", name, R"(","connectionString":")",
                               StringOf(host), R"("}})"));
  }
};

TEST_F(ConnectionTools, CTRL_EX01_InitializeSaysWhoTheLoginIsAndWhatItCouldDo) {
  Main().posture = {.version = "SQL Server 2022 (16.0)",
                    .database = "hr",
                    .login = "reader",
                    .encrypted = true,
                    .certificate_verified = true,
                    .sysadmin = false,
                    .can_write = true,
                    .can_execute = false,
                    .writable = {"[sales]"},
                    .executable = {},
                    .database_read_only = false,
                    .roles = {"db_datareader", "db_datawriter"},
                    .warnings = {"The login can write."}};
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 3,
    "method": "Initialize",
    "params": {
      "connectionName": "DefaultConnection"
    }
  })");
  JsonObject data = DataOf(reply);
  EXPECT_GE(data.at("latencyMs").to_number<double>(), 0);
  data.erase("latencyMs");
  const Json expected = *base::ParseJson(R"j({
    "success":true,"connectionName":"DefaultConnection","message":"Connected to DefaultConnection.",
    "serverVersion":"SQL Server 2022 (16.0)","database":"hr","login":"reader","encrypted":true,
    "certificateVerified":true,"isSysadmin":false,
    "readOnlyPosture":{"sysadmin":false,"canWrite":true,"canExecute":false,
                       "writable":["[sales]"],"executable":[],"databaseReadOnly":false,
                       "roles":["db_datareader","db_datawriter"]},
    "warnings":["The login can write."]})j");
  EXPECT_EQ(Json(data), expected);
}

TEST_F(ConnectionTools, FailuresOfInitializeAreErrors) {
  Main().failure = Error::Unavailable("Login failed for user 'reader'");
  EXPECT_THAT(ErrorOf("Initialize", "{}"), HasSubstr("Login failed for user 'reader'"));
  EXPECT_EQ(DataOf(Envelope("Initialize", "{}")).at("isError"), true);
}

TEST_F(ConnectionTools, CTRL_defect_03_UnknownNamesAreErrorsThatNameAddConnection) {
  for (const char* tool :
       {"Initialize", "GetTableMetadata", "GetDatabaseObjectsMetadata", "GetDatabaseObjectsByType",
        "GetSqlServerAgentJobs", "GetSsisCatalogInfo", "GetAzureDevOpsInfo"}) {
    const std::string message = ErrorOf(tool, R"({"connectionName":"nowhere"})");
    EXPECT_THAT(message, HasSubstr("no connection nowhere")) << tool;
    EXPECT_THAT(message, HasSubstr("DefaultConnection")) << tool;
    EXPECT_THAT(message, HasSubstr("AddConnection")) << tool;
  }
  EXPECT_THAT(ErrorOf("ExecuteQuery", R"({"connectionName":"nowhere","query":"SELECT 1"})"),
              HasSubstr("AddConnection"));
  EXPECT_TRUE(Main().asked.empty()) << "nothing falls back to the default connection";
  config_.mssql.connection_string.clear();
  Offer();
  EXPECT_THAT(ErrorOf("Initialize", "{}"),
              HasSubstr("no connection DefaultConnection: none is stored yet"));
}

TEST_F(ConnectionTools, CTRL_EX04_CTRL_EX05_AddedConnectionsAreListedWithoutTheirSecrets) {
  SetNow("2026-05-01T10:00:00Z");
  const Json added = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 7,
    "method": "AddConnection",
    "params": {
      "request": {
        "name": "NewConnection",
        "connectionString": "Server=myserver;Database=mydb;User Id=myuser;Password=mypassword;",
        "description": "My new database connection"
      }
    }
  })");
  EXPECT_EQ(DataOf(added).at("success"), true);
  ASSERT_EQ(logins_.size(), 1U);
  EXPECT_EQ(logins_[0].host, "myserver");
  EXPECT_EQ(logins_[0].password, "mypassword");
  const Json list = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 6,
    "method": "ListConnections",
    "params": {}
  })");
  const Json connections = *base::ParseJson(R"([
      {"name":"DefaultConnection","serverType":"SqlServer","source":"configuration"},
      {"name":"NewConnection","description":"My new database connection","serverType":"SqlServer",
       "source":"stored","createdOn":"2026-05-01T10:00:00.000Z"}])");
  EXPECT_EQ(DataOf(list).at("connections"), connections);
  EXPECT_THAT(base::ToJson(list), Not(HasSubstr("mypassword")));
  EXPECT_THAT(StoredBytes(), Not(HasSubstr("mypassword")));
}

TEST_F(ConnectionTools, CTRL_EX06_TestConnectionStoresNothing) {
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 8,
    "method": "TestConnection",
    "params": {
      "request": {
        "connectionString": "Server=myserver;Database=mydb;User Id=myuser;Password=mypassword;"
      }
    }
  })");
  EXPECT_EQ(DataOf(reply).at("success"), true);
  EXPECT_EQ(DataOf(reply).at("serverVersion"), "SQL Server 2022");
  EXPECT_FALSE(DataOf(reply).contains("connectionName"));
  EXPECT_THAT(Names(), ElementsAre("DefaultConnection"));
  EXPECT_EQ(
      Data("TestConnection", R"({"request":{"name":"DefaultConnection"}})").at("connectionName"),
      "DefaultConnection");
  EXPECT_THAT(ErrorOf("TestConnection", R"({"request":{}})"), HasSubstr("either"));
  EXPECT_THAT(ErrorOf("TestConnection",
                      R"({"request":{"name":"DefaultConnection","connectionString":"Server=a"}})"),
              HasSubstr("either"));
  EXPECT_THAT(ErrorOf("TestConnection", R"({"name":"nowhere"})"), HasSubstr("AddConnection"));
}

TEST_F(ConnectionTools, CTRL_EX07_RemovedConnectionsAreGone) {
  Store("ConnectionToRemove", "sql1");
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 9,
    "method": "RemoveConnection",
    "params": {
      "request": {
        "name": "ConnectionToRemove"
      }
    }
  })");
  EXPECT_EQ(DataOf(reply).at("success"), true);
  EXPECT_THAT(Names(), ElementsAre("DefaultConnection"));
  EXPECT_THAT(ErrorOf("Initialize", R"({"connectionName":"ConnectionToRemove"})"),
              HasSubstr("AddConnection"));
  EXPECT_THAT(ErrorOf("RemoveConnection", R"({"name":"ConnectionToRemove"})"),
              HasSubstr("no connection ConnectionToRemove"));
}

TEST_F(ConnectionTools, CTRL_EX08_UpdatedConnectionsLeadElsewhereAtOnce) {
  Store("ExistingConnection", "oldserver");
  ServerAt("oldserver")->posture.version = "old";
  ServerAt("newserver")->posture.version = "new";
  EXPECT_EQ(Data("Initialize", R"({"connectionName":"ExistingConnection"})").at("serverVersion"),
            "old");
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 10,
    "method": "UpdateConnection",
    "params": {
      "request": {
        "name": "ExistingConnection",
        "connectionString": "Server=newserver;Database=newdb;User Id=newuser;Password=newpassword;",
        "description": "Updated connection"
      }
    }
  })");
  EXPECT_EQ(DataOf(reply).at("success"), true);
  EXPECT_EQ(Data("Initialize", R"({"connectionName":"ExistingConnection"})").at("serverVersion"),
            "new");
  EXPECT_EQ(Data("ListConnections", "{}").at("connections").at(1).at("description"),
            "Updated connection");
  Data("UpdateConnection", base::StrCat(R"({"name":"ExistingConnection","connectionString":")",
                                        StringOf("newserver"), R"("})"));
  EXPECT_EQ(Data("ListConnections", "{}").at("connections").at(1).at("description"),
            "Updated connection")
      << "without a description the old one stays";
}

TEST_F(ConnectionTools, NamesAreGivenOnce) {
  EXPECT_EQ(DataOf(Add("a", "sql1")).at("success"), true);
  EXPECT_THAT(MessageOf(Add("a", "sql2")), HasSubstr("UpdateConnection"));
  EXPECT_THAT(MessageOf(Add("DefaultConnection", "sql2")), HasSubstr("configuration"));
  EXPECT_THAT(ErrorOf("RemoveConnection", R"({"name":"DefaultConnection"})"),
              HasSubstr("configuration"));
  EXPECT_THAT(ErrorOf("UpdateConnection", R"({"name":"nowhere","connectionString":"Server=a"})"),
              HasSubstr("no connection nowhere"));
  for (const char* name : {"", " ", "a b", "a;b", "a/b", "é"})
    EXPECT_EQ(CodeOf(Add(name, "sql1")), -32602) << name;
}

TEST_F(ConnectionTools, AConnectionThatDoesNotWorkIsStoredOnlyWhenToldSo) {
  ServerAt("down")->failure = Error::Unavailable("The server cannot be reached");
  EXPECT_THAT(MessageOf(Add("x", "down")),
              ::testing::AllOf(HasSubstr("The server cannot be reached"), HasSubstr("test=false")));
  EXPECT_THAT(Names(), ElementsAre("DefaultConnection"));
  EXPECT_EQ(Data("AddConnection", base::StrCat(R"({"name":"x","test":false,"connectionString":")",
                                               StringOf("down"), R"("})"))
                .at("success"),
            true);
  EXPECT_THAT(Names(), ElementsAre("DefaultConnection", "x"));
}

TEST_F(ConnectionTools, StringsThatCannotBeReadAreRefusedWithoutTheirValues) {
  for (const char* text : {"Password=hunter2", "Server=a;Driver=hunter2", "Server=a;Nope=hunter2",
                           "Server=a;AttachDbFilename=hunter2"}) {
    const std::string message = ErrorOf(
        "AddConnection", base::StrCat(R"({"name":"x","connectionString":")", text, R"("})"));
    EXPECT_FALSE(message.empty()) << text;
    EXPECT_THAT(message, Not(HasSubstr("hunter2"))) << text;
  }
  EXPECT_TRUE(logins_.empty());
}

TEST_F(ConnectionTools, CTRL_defect_11_StringsOfCallersReachOnlyAllowedHosts) {
  config_.mssql.allow_hosts = {"sql1", "*.corp.example"};
  Offer();
  EXPECT_EQ(DataOf(Add("a", "SQL1")).at("success"), true);
  EXPECT_EQ(DataOf(Add("b", "db.corp.example")).at("success"), true);
  for (const char* host : {"sql2", "corp.example", "evilcorp.example", "169.254.169.254",
                           "sql1.evil.example", "db.corp.example.evil.example"}) {
    const std::string message = MessageOf(Add("c", host));
    EXPECT_THAT(message, HasSubstr("mssql.allow_hosts")) << host;
    EXPECT_THAT(ErrorOf("TestConnection",
                        base::StrCat(R"({"connectionString":")", StringOf(host), R"("})")),
                HasSubstr("mssql.allow_hosts"))
        << host;
  }
  EXPECT_EQ(logins_.size(), 2U);
  EXPECT_EQ(Data("Initialize", "{}").at("success"), true)
      << "the operator's own connection needs no permission";
}

TEST_F(ConnectionTools, CTRL_defect_11_OnANetworkNoHostIsAllowedUnlessListed) {
  on_network_ = true;
  EXPECT_THAT(MessageOf(Add("a", "sql1")), HasSubstr("mssql.allow_hosts"));
  config_.mssql.allow_hosts = {"*"};
  Offer();
  EXPECT_EQ(DataOf(Add("a", "sql1")).at("success"), true);
}

TEST_F(ConnectionTools, ANarrowerListHoldsForWhatIsStoredAlready) {
  Store("a", "sql1");
  config_.mssql.allow_hosts = {"sql2"};
  Offer();
  EXPECT_THAT(ErrorOf("Initialize", R"({"connectionName":"a"})"), HasSubstr("mssql.allow_hosts"));
}

TEST_F(ConnectionTools, CTRL_SEC_8_KeysSeeAndUseOnlyTheirConnectionsAndManageNone) {
  Store("a", "sql1");
  Store("b", "sql2");
  Grants grants;
  grants.scopes = {"read", "write"};
  grants.connections = std::vector<std::string>{"a"};
  const Principal user = Caller(grants);
  EXPECT_THAT(Names(user), ElementsAre("a"));
  const auto call = [&](std::string_view method, std::string_view params) {
    return MessageOf(Rpc(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method,
                                      R"(","params":)", params, "}"),
                         user));
  };
  EXPECT_EQ(call("Initialize", R"({"connectionName":"a"})"), "");
  for (const char* params :
       {R"({"connectionName":"b"})", R"({"connectionName":"nowhere"})", "{}"}) {
    EXPECT_THAT(call("Initialize", params), HasSubstr("Permission denied")) << params;
  }
  EXPECT_TRUE(ServerAt("sql2")->asked.empty());
  for (const char* tool :
       {"AddConnection", "UpdateConnection", "RemoveConnection", "TestConnection"}) {
    EXPECT_THAT(call(tool, R"({"name":"a","connectionString":"Server=x"})"),
                HasSubstr("needs the scope \"connections\""))
        << tool;
  }
}

TEST_F(ConnectionTools, AManagerOfSomeConnectionsManagesNoOthers) {
  Store("b", "sql2");
  Grants grants;
  grants.scopes = {"read", "connections"};
  grants.connections = std::vector<std::string>{"a"};
  EXPECT_THAT(
      MessageOf(Rpc(R"({"jsonrpc":"2.0","id":1,"method":"RemoveConnection","params":{"name":"b"}})",
                    Caller(grants))),
      HasSubstr("Permission denied"));
  EXPECT_THAT(Names(), ElementsAre("DefaultConnection", "b"));
}

TEST_F(ConnectionTools, ConnectionStringsOfAppsettingsAreConnections) {
  config_.mssql.connection_string.clear();
  config_.appsettings_connections = {{"DefaultConnection", StringOf("legacy")},
                                     {"Reports", StringOf("reports")}};
  Offer();
  EXPECT_THAT(Names(), ElementsAre("DefaultConnection", "Reports"));
  ServerAt("legacy")->posture.login = "of appsettings";
  EXPECT_EQ(Data("Initialize", "{}").at("login"), "of appsettings");
  config_.mssql.connection_string = StringOf("main");
  Offer();
  EXPECT_EQ(Data("Initialize", "{}").at("login"), "reader") << "mssql.connection_string wins";
}

TEST_F(ConnectionTools, TheConfigurationIsAboveWhatWasStoredBefore) {
  const std::string configured = config_.mssql.connection_string;
  config_.mssql.connection_string.clear();
  Offer();
  ASSERT_EQ(DataOf(Add("DefaultConnection", "stored")).at("success"), true);
  config_.mssql.connection_string = configured;
  Offer();
  logins_.clear();
  (void)Rpc(R"({"jsonrpc":"2.0","id":1,"method":"Initialize","params":{}})");
  ASSERT_EQ(logins_.size(), 1U);
  EXPECT_NE(logins_[0].host, "stored");
  EXPECT_THAT(base::ToJson(Direct("ListConnections", "{}")), HasSubstr("configuration"));
  EXPECT_THAT(Names(), ElementsAre("DefaultConnection"));
  EXPECT_THAT(ErrorOf("RemoveConnection", R"({"request":{"name":"DefaultConnection"}})"),
              HasSubstr("configuration"));
}

TEST_F(ConnectionTools, OnePoolServesAllCallsAndUseIsNoted) {
  SetNow("2026-05-01T10:00:00Z");
  Store("a", "sql1");
  Data("Initialize", R"({"connectionName":"a"})");
  SetNow("2026-05-01T10:00:30Z");
  Data("Initialize", R"({"connectionName":"a"})");
  EXPECT_EQ(logins_.size(), 1U);
  ASSERT_EQ(services_.connections->Pools().size(), 1U);
  EXPECT_EQ(services_.connections->Pools()[0].first, "a");
  const auto last_used = [this] {
    return Text(Data("ListConnections", "{}").at("connections").at(1).at("lastUsed"));
  };
  EXPECT_EQ(last_used(), "2026-05-01T10:00:00.000Z") << "not written with every call";
  SetNow("2026-05-01T10:05:00Z");
  Data("Initialize", R"({"connectionName":"a"})");
  EXPECT_EQ(last_used(), "2026-05-01T10:05:00.000Z");
}

TEST_F(ConnectionTools, WithoutAKeyNothingIsStoredAndTheMessageSaysWhatToSet) {
  vault_ = std::make_shared<store::Vault>(store_, store::KeyMaterial{});
  Offer();
  EXPECT_THAT(MessageOf(Add("a", "sql1")), HasSubstr("MSSQL_MCP_KEY"));
}

TEST_F(ConnectionTools, NothingIsOpenedOrReadBeforeTheFirstCall) {
  EXPECT_TRUE(logins_.empty());
  EXPECT_FALSE(store_->Exists());
  EXPECT_THAT(servers_, IsEmpty());
}

TEST_F(ConnectionTools, D5_InitializeIsNotTheHandshake) {
  EXPECT_EQ(CodeOf(Direct("initialize", "{}")), -32601);
  EXPECT_EQ(Data("mssql_initialize_connection", "{}").at("success"), true);
  EXPECT_EQ(Data("mssql/Initialize", "{}").at("success"), true);
}

}  // namespace
}  // namespace toolpost::tools::mssql
