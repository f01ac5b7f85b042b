// The whole of it over HTTP, as `serve` puts it together: keys, audit, usage, vault, local mode.
#include "cli/identity.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"
#include "cli/built_in_tools.h"
#include "config/testing.h"
#include "net/testing.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kMaster = "master-key-0123456789";
constexpr std::string_view kVaultKey = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=";

class IdentityTest : public config::LoadTest {
 protected:
  IdentityTest() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    Set("TOOLPOST_STATE_DIR", State());
    Set("MCP_PORT", "0");
  }
  ~IdentityTest() override { Stop(); }

  std::string State() const { return (directory_ / "state").string(); }
  void Set(const std::string& name, std::string_view value) {
    sources_.environment[name] = std::string(value);
  }
  // What `serve` does; the error of a start that is refused.
  std::string Start() {
    const config::Config config = Loaded();
    auto identity = Identity::Make(config);
    if (!identity) return identity.error().message;
    identity_ = *std::move(identity);
    server_ = std::make_unique<Server>(config::ToServerOptions(config));
    EXPECT_TRUE(AddBuiltInTools(*server_, config, *identity_));
    if (Result<void> ready = identity_->ForServing(*server_); !ready) return ready.error().message;
    if (Result<void> up = server_->StartHttp(config::ToHttpOptions(config)); !up)
      return up.error().message;
    return {};
  }
  // Writes what waits.
  void Stop() {
    if (server_) server_->Stop();
    server_.reset();
    identity_.reset();
  }

  net::testing::Reply Post(std::string_view path, std::string_view body, std::string_view key) {
    net::testing::Client client(server_->http_port());
    std::string request = base::StrCat(
        "POST ", path, " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
        "User-Agent: tests/1\r\nContent-Length: ", body.size(), "\r\n");
    if (!key.empty()) request.append(base::StrCat("X-API-Key: ", key, "\r\n"));
    EXPECT_TRUE(client.Send(request + "\r\n" + std::string(body)));
    return client.ReadReply();
  }
  Json Direct(std::string_view method, std::string_view params, std::string_view key) {
    const auto reply = Post("/",
                            base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method,
                                         R"(","params":)", params, "}"),
                            key);
    const auto parsed = base::ParseJson(reply.body);
    EXPECT_TRUE(parsed) << reply.status << " " << reply.body;
    return parsed ? *parsed : Json();
  }
  static std::string Text(const Json& value) { return std::string(value.as_string()); }

  std::string AuditText() const {
    std::string text;
    for (const auto& entry : fs::recursive_directory_iterator(State() + "/audit")) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
  }
  // Lines of the audit log, as "kind tool outcome".
  std::vector<std::string> Audited() const {
    std::vector<std::string> records;
    std::stringstream lines(AuditText());
    for (std::string line; std::getline(lines, line);) {
      const auto parsed = base::ParseJson(line);
      const JsonObject* record = parsed ? parsed->if_object() : nullptr;
      if (record == nullptr || !record->contains("outcome")) continue;
      const Json* tool = record->if_contains("tool");
      records.push_back(base::StrCat(Text(record->at("kind")), " ",
                                     tool == nullptr ? "" : Text(*tool), " ",
                                     Text(record->at("outcome"))));
    }
    return records;
  }

  std::unique_ptr<Identity> identity_;
  std::unique_ptr<Server> server_;
};

TEST_F(IdentityTest, CTRL_HTTP_200_EveryJsonRpcReplyOfTheController) {
  Set("MSSQL_MCP_API_KEY", kMaster);
  ASSERT_EQ(Start(), "");
  for (const char* path : {"/", "/rpc", "/mcp"}) {
    for (const char* message :
         {R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
          R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})",
          R"({"jsonrpc":"2.0","id":1,"method":"ListAllApiKeys","params":{}})",
          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ListAllApiKeys"}})",
          R"({"jsonrpc":"2.0","id":1,"method":"NoSuchMethod"})",
          R"({"jsonrpc":"2.0","id":1,"method":"RevokeApiKey","params":{"id":"none"}})"}) {
      const auto reply = Post(path, message, kMaster);
      EXPECT_EQ(reply.status, 200) << path << " " << message;
      EXPECT_THAT(reply.head, HasSubstr("Content-Type: application/json")) << path;
      EXPECT_EQ(base::ParseJson(reply.body)->at("id"), 1) << path << " " << message;
    }
  }
}

TEST_F(IdentityTest, CTRL_ERR_32700_WhatIsNotJson) {
  Set("MSSQL_MCP_API_KEY", kMaster);
  ASSERT_EQ(Start(), "");
  for (const char* path : {"/", "/rpc"}) {
    for (const char* text : {"{", "", "{'a':1}", "{\"a\":1}x"}) {
      const auto reply = Post(path, text, kMaster);
      EXPECT_EQ(reply.status, 200) << text;
      const Json parsed = *base::ParseJson(reply.body);
      EXPECT_EQ(parsed.at("error").at("code"), -32700) << text;
      EXPECT_TRUE(parsed.at("id").is_null()) << text;
    }
  }
}

TEST_F(IdentityTest, CTRL_SEC_1_WithAKeyConfiguredNothingAnswersWithoutOne) {
  Set("MSSQL_MCP_API_KEY", kMaster);
  ASSERT_EQ(Start(), "");
  for (const char* path : {"/", "/rpc", "/mcp", "/messages", "/sse", "/ws", "/none"})
    EXPECT_EQ(Post(path, R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "").status, 401) << path;
  EXPECT_EQ(Post("/", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "wrong").status, 403);
}

TEST_F(IdentityTest, CTRL_defect_06_DefaultSecretsStopTheStart) {
  for (const char* name : {"MSSQL_MCP_API_KEY", "MSSQL_MCP_KEY", "TOOLPOST_AUTH_JWT_SECRET"}) {
    for (const char* value : {"******", "changeme", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
      Set(name, value);
      EXPECT_THAT(LoadError(), Not(HasSubstr(value))) << name;
    }
    sources_.environment.erase(name);
  }
}

TEST_F(IdentityTest, PRD_NFR_027_SessionsAndChangesOfToolsAreAudited) {
  Set("MSSQL_MCP_API_KEY", kMaster);
  ASSERT_EQ(Start(), "");
  EXPECT_EQ(Post("/mcp",
                 R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
                 R"("2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                 kMaster)
                .status,
            200);
  ASSERT_TRUE(server_->RemoveTool("system/info"));
  Stop();
  EXPECT_THAT(Audited(), ElementsAre("sessionOpened  OK", "toolUnregistered system/info OK",
                                     "sessionClosed  shutdown"));
  EXPECT_THAT(AuditText(), AllOf(HasSubstr(R"("principal":"master")"), HasSubstr(R"("session":)")));
}

TEST_F(IdentityTest, CTRL_defect_14_CallsAndDenialsAreAuditedAndOutliveTheKey) {
  Set("MSSQL_MCP_API_KEY", kMaster);
  ASSERT_EQ(Start(), "");
  const Json made = Direct("CreateApiKey", R"({"name":"planted-name","userId":"ann"})", kMaster);
  const std::string id = Text(made.at("result").at("id"));
  const std::string key = Text(made.at("result").at("key"));
  EXPECT_TRUE(Direct("system/info", "{}", key).as_object().contains("result"));
  EXPECT_TRUE(Direct("ListAllApiKeys", "{}", key).as_object().contains("error"));
  EXPECT_EQ(Post("/rpc", "{}", "planted-wrong-key").status, 403);
  EXPECT_EQ(Post("/mcp", "{}", "").status, 401);

  const std::string usage = base::StrCat(R"({"apiKeyId":")", id, R"("})");
  const std::string end = base::StrCat(R"({"id":")", id, R"("})");
  EXPECT_EQ(Direct("DeleteApiKey", end, kMaster).at("result").at("success"), true);
  EXPECT_EQ(Post("/", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", key).status, 403);
  const Json logs = Direct("GetApiKeyUsageLogs", usage, kMaster).at("result");
  ASSERT_EQ(logs.at("count"), 2);
  EXPECT_EQ(logs.at("logs").at(0).at("resource"), "keys/ListAllApiKeys");
  EXPECT_EQ(logs.at("logs").at(1).at("resource"), "system/info");
  EXPECT_EQ(logs.at("logs").at(1).at("ipAddress"), "127.0.0.1");
  EXPECT_EQ(logs.at("logs").at(1).at("userAgent"), "tests/1");
  EXPECT_EQ(logs.at("logs").at(1).at("userId"), "ann");

  Stop();
  const auto report = telemetry::AuditLog::Verify(State() + "/audit");
  ASSERT_TRUE(report);
  EXPECT_THAT(report->problems, IsEmpty());
  EXPECT_EQ(report->records, 8u);
  EXPECT_THAT(
      Audited(),
      AllOf(Contains("call keys/CreateApiKey OK"), Contains("call system/info OK"),
            Contains("denied keys/ListAllApiKeys PERMISSION_DENIED"),
            Contains("denied /rpc PERMISSION_DENIED"), Contains("denied /mcp UNAUTHENTICATED"),
            Contains("call keys/DeleteApiKey OK"), Contains("denied / PERMISSION_DENIED"),
            Contains("call keys/GetApiKeyUsageLogs OK")));
  EXPECT_THAT(AuditText(), AllOf(HasSubstr(id), Not(HasSubstr("planted")), Not(HasSubstr(key)),
                                 Not(HasSubstr(std::string(kMaster)))));
}

TEST_F(IdentityTest, AKeyRevokedElsewhereIsRefusedAfterARefresh) {
  Set("TOOLPOST_AUTH_REQUIRED", "true");
  const auto other = Identity::Make(Loaded());  // as `toolpost keys` has it
  Server cli;
  ASSERT_TRUE(AddBuiltInTools(cli, Loaded(), **other));
  const auto made = cli.Call("keys/CreateApiKey", {{"name", "n"}, {"userId", "ann"}});
  ASSERT_TRUE(made && !made->is_error);
  const std::string key = Text(made->structured.at("key"));
  ASSERT_EQ(Start(), "");
  const char* ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(Post("/", ping, key).status, 200);
  ASSERT_FALSE(cli.Call("keys/RevokeApiKey", {{"id", made->structured.at("id")}})->is_error);
  ASSERT_TRUE(identity_->key_services().ring->Refresh());
  EXPECT_EQ(Post("/", ping, key).status, 403);
}

TEST_F(IdentityTest, D24_LocalModeMakesAPrivateTokenThatStays) {
  ASSERT_EQ(Start(), "");
  const std::string file = identity_->local_token_file();
  EXPECT_EQ(file, State() + "/local-token");
  struct stat status {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, mode_t{0600});
  std::string token;
  std::ifstream(file) >> token;
  EXPECT_GE(token.size(), 43u);
  // Whatever is sent, local clients are the local user.
  for (const std::string& sent : {std::string(), token, std::string("anything")})
    EXPECT_TRUE(Direct("ListAllApiKeys", "{}", sent).as_object().contains("result"));
  Stop();
  ASSERT_EQ(Start(), "");
  std::string again;
  std::ifstream(file) >> again;
  EXPECT_EQ(again, token);
}

TEST_F(IdentityTest, TwoServersDoNotShareAStateDirectory) {
  ASSERT_EQ(Start(), "");
  const auto second = Identity::Make(Loaded());
  Server server;
  const auto refused = (*second)->ForServing(server);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kConflict);
}

TEST_F(IdentityTest, CTRL_SEC_6_AfterARotationTheOldKeyStopsTheStart) {
  Set("MSSQL_MCP_API_KEY", kMaster);
  Set("MSSQL_MCP_KEY", kVaultKey);
  ASSERT_EQ(Start(), "");
  ASSERT_TRUE(identity_->key_services().vault->Put("connection", "one", "Server=one", "{}"));
  EXPECT_EQ(Direct("GenerateSecureKey", R"({"file":"next.key"})", kMaster).at("result").at("file"),
            "next.key");
  const Json rotated = Direct("RotateKey", R"({"newKeyFile":"next.key"})", kMaster).at("result");
  EXPECT_EQ(*identity_->key_services().vault->Get("connection", "one"), "Server=one");
  Stop();
  EXPECT_THAT(Start(), AllOf(HasSubstr(Text(rotated.at("oldKeyId"))),
                             HasSubstr(Text(rotated.at("newKeyId")))));
  Stop();
  sources_.environment.erase("MSSQL_MCP_KEY");
  EXPECT_THAT(Start(), HasSubstr(Text(rotated.at("newKeyId"))));
  Stop();
  Set("TOOLPOST_VAULT_KEY_FILE", State() + "/keys/next.key");
  ASSERT_EQ(Start(), "");
  EXPECT_EQ(*identity_->key_services().vault->Get("connection", "one"), "Server=one");
}

TEST_F(IdentityTest, D12_StdioTakesItsTokenFromTheEnvironment) {
  const auto principal = [&](std::string_view token) -> std::string {
    const auto identity = Identity::Make(Loaded());
    Server server;
    const auto ready = (*identity)->ForStdio(server, std::string(token));
    return ready ? server.impl().local_principal.id : ready.error().message;
  };
  EXPECT_EQ(principal(""), "local");
  EXPECT_FALSE(fs::exists(State()));
  Set("MSSQL_MCP_API_KEY", kMaster);
  EXPECT_EQ(principal(kMaster), "master");
  EXPECT_THAT(principal(""), HasSubstr("TOOLPOST_TOKEN"));
  EXPECT_THAT(principal("planted-wrong-key"),
              AllOf(HasSubstr("TOOLPOST_TOKEN is refused"), Not(HasSubstr("planted"))));
}

}  // namespace
}  // namespace toolpost::cli
