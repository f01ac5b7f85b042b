#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "auth/authenticator.h"
#include "base/json_write.h"
#include "tools/keys/keys_fixture.h"

namespace toolpost::tools::keys {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;

class CreateApiKeyTest : public KeysFixture {
 protected:
  auth::Verdict Check(std::string_view key) {
    auth::AuthenticatorOptions options;
    options.required = true;
    options.ring = services_.ring;
    auth::Presented presented;
    presented.kind = auth::Presented::Kind::kToken;
    presented.token = key;
    return auth::Authenticator(options).Check(presented);
  }
  std::vector<std::string> ScopesOfNew(std::string_view params) {
    std::vector<std::string> scopes;
    const JsonObject key = Data("CreateApiKey", params);
    for (const Json& scope : key.at("scopes").as_array()) scopes.push_back(Text(scope));
    return scopes;
  }
};

TEST_F(CreateApiKeyTest, CTRL_EX18_RunsAsWritten) {
  SetNow("2025-06-01T12:00:00Z");
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 20,
    "method": "CreateApiKey",
    "params": {
      "request": {
        "name": "Application API Key",
        "userId": "app-12345",
        "keyType": "application",
        "expirationDate": "2026-01-01T00:00:00Z"
      }
    }
  })");
  EXPECT_EQ(reply.at("jsonrpc"), "2.0");
  EXPECT_EQ(reply.at("id"), 20);
  const JsonObject key = DataOf(reply);
  EXPECT_THAT(Text(key.at("key")), MatchesRegex("mcp_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}_.{6}"));
  EXPECT_THAT(Text(key.at("key")), HasSubstr(Text(key.at("id"))));
  EXPECT_EQ(key.at("name"), "Application API Key");
  EXPECT_EQ(key.at("userId"), "app-12345");
  EXPECT_EQ(key.at("keyType"), "application");
  EXPECT_EQ(key.at("createdAt"), "2025-06-01T12:00:00.000Z");
  EXPECT_EQ(key.at("expirationDate"), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(key.at("isActive"), true);

  EXPECT_EQ(Check(Text(key.at("key"))).kind, auth::Verdict::Kind::kAccepted);
  SetNow("2026-01-01T00:00:01Z");
  EXPECT_EQ(Check(Text(key.at("key"))).http_status, 403);
  EXPECT_EQ(Data("ListAllApiKeys", "{}").at("keys").at(0).at("isActive"), false);
}

TEST_F(CreateApiKeyTest, CTRL_defect_01_UnknownTypesAreRefusedAndApplicationIsNotAdmin) {
  for (const char* type : {"root", "Admin", "administrator", "", "user "}) {
    const Json reply = Direct(
        "CreateApiKey", base::StrCat(R"({"name":"n","userId":"u","keyType":")", type, R"("})"));
    EXPECT_EQ(CodeOf(reply), -32602) << type;
    EXPECT_THAT(MessageOf(reply), HasSubstr("keyType")) << type;
  }
  EXPECT_EQ(Data("ListAllApiKeys", "{}").at("count"), 0);
  for (const char* type : {"user", "application", "service"}) {
    const JsonObject key = Data(
        "CreateApiKey", base::StrCat(R"({"name":"n","userId":"u","keyType":")", type, R"("})"));
    const auth::Verdict verdict = Check(Text(key.at("key")));
    ASSERT_EQ(verdict.kind, auth::Verdict::Kind::kAccepted) << type;
    for (const char* tool : {"CreateApiKey", "ListAllApiKeys", "RotateKey", "DeleteApiKey"}) {
      const Json reply = Rpc(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", tool,
                                          R"(","params":{"name":"n","userId":"u"}})"),
                             verdict.principal);
      EXPECT_THAT(MessageOf(reply), HasSubstr("Permission denied")) << type << " calls " << tool;
    }
    EXPECT_THAT(DataOf(Rpc(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", verdict.principal))
                    .at("tools")
                    .as_array(),
                IsEmpty());
  }
  const JsonObject admin = Data("CreateApiKey", R"({"name":"n","userId":"u","keyType":"admin"})");
  EXPECT_EQ(DataOf(Rpc(R"({"jsonrpc":"2.0","id":1,"method":"ListAllApiKeys","params":{}})",
                       Check(Text(admin.at("key"))).principal))
                .at("count"),
            4);
}

TEST_F(CreateApiKeyTest, ScopesAreGrantedOneByOneAndAdminIsNoScope) {
  EXPECT_EQ(ScopesOfNew(R"({"name":"n","userId":"u"})"), std::vector<std::string>{"read"});
  EXPECT_EQ(ScopesOfNew(R"({"name":"n","userId":"u","scopes":["write","shell"]})"),
            (std::vector<std::string>{"write", "shell"}));
  EXPECT_THAT(ScopesOfNew(R"({"name":"n","userId":"u","scopes":[]})"), IsEmpty());
  EXPECT_THAT(ScopesOfNew(R"({"name":"n","userId":"u","keyType":"admin"})"),
              ::testing::Contains("admin"));
  EXPECT_EQ(CodeOf(Direct("CreateApiKey", R"({"name":"n","userId":"u","scopes":["admin"]})")),
            -32602);
}

TEST_F(CreateApiKeyTest, RestrictionsAreKept) {
  const JsonObject key = Data("CreateApiKey", R"({"name":"n","userId":"u","description":"for CI",
      "allowedTools":["file/read"],"allowedToolsets":[],"allowedConnectionNames":["Sales"],
      "allowedRoots":["/srv"],"readOnly":true})");
  const JsonObject listed = Data("ListAllApiKeys", "{}").at("keys").at(0).as_object();
  for (const JsonObject& view : {key, listed}) {
    EXPECT_EQ(view.at("description"), "for CI");
    EXPECT_EQ(view.at("allowedTools"), JsonArray({"file/read"}));
    EXPECT_EQ(view.at("allowedToolsets"), JsonArray());
    EXPECT_EQ(view.at("allowedConnectionNames"), JsonArray({"Sales"}));
    EXPECT_EQ(view.at("allowedRoots"), JsonArray({"/srv"}));
    EXPECT_EQ(view.at("readOnly"), true);
  }
  const JsonObject open = Data("CreateApiKey", R"({"name":"n","userId":"u"})");
  EXPECT_FALSE(open.contains("allowedTools"));
  EXPECT_FALSE(open.contains("expirationDate"));
}

TEST_F(CreateApiKeyTest, PastAndUnreadableExpiryDatesAreRefused) {
  SetNow("2026-06-01T00:00:00Z");
  for (const char* date : {"2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z", "yesterday", "",
                           "2027-02-30T00:00:00Z", "1798761600", "2027-01-01T00:00:00"}) {
    const Json reply = Direct("CreateApiKey", base::StrCat(R"({"name":"n","userId":"u",)",
                                                           R"("expirationDate":")", date, R"("})"));
    EXPECT_EQ(CodeOf(reply), -32602) << date;
    EXPECT_THAT(MessageOf(reply), HasSubstr("expirationDate")) << date;
  }
  EXPECT_EQ(Data("ListAllApiKeys", "{}").at("count"), 0);
  EXPECT_EQ(Data("CreateApiKey", R"({"name":"n","userId":"u","expirationDate":"2026-06-02"})")
                .at("expirationDate"),
            "2026-06-02T00:00:00.000Z");
}

TEST_F(CreateApiKeyTest, BlankMissingAndOverlongNamesAreRefused) {
  const std::string overlong(101, 'x');
  for (const std::string& params :
       {std::string(R"({"name":" ","userId":"u"})"), std::string(R"({"name":"n","userId":"\t "})"),
        std::string(R"({"name":"","userId":"u"})"), std::string(R"({"name":"n"})"),
        std::string(R"({"userId":"u"})"), std::string(R"({"name":5,"userId":"u"})"),
        std::string(R"({"name":"n","userId":"u","isAdmin":true})"),
        std::string(R"({"request":{"name":"n"}})"), std::string(R"({"request":[]})"),
        base::StrCat(R"({"name":")", overlong, R"(","userId":"u"})")}) {
    EXPECT_EQ(CodeOf(Direct("CreateApiKey", params)), -32602) << params;
  }
  EXPECT_EQ(Data("ListAllApiKeys", "{}").at("count"), 0);
}

TEST_F(CreateApiKeyTest, CTRL_defect_05_TheSecretIsShownOnceAndStoredNowhere) {
  const std::string log = directory_ + "/log";
  std::FILE* file = std::fopen(log.c_str(), "w");
  ASSERT_NE(file, nullptr);
  base::SetLogDescriptorForTest(fileno(file));
  base::ConfigureLog(base::Severity::kDebug, base::LogFormat::kJson);
  const JsonObject key = Data("CreateApiKey", R"({"name":"n","userId":"u"})");
  const std::string id = Text(key.at("id"));
  const std::string secret = Text(key.at("key")).substr(4 + id.size() + 1);
  const std::string stored = StoredBytes();
  EXPECT_THAT(stored, HasSubstr(id));
  std::string replies;
  for (const auto& [method, params] :
       {std::pair<std::string, std::string>{"ListAllApiKeys", "{}"},
        {"ListUserApiKeys", R"({"userId":"u"})"},
        {"GetApiKeyUsageLogs", base::StrCat(R"({"apiKeyId":")", id, R"("})")},
        {"RevokeApiKey", base::StrCat(R"({"id":")", id, R"("})")},
        {"DeleteApiKey", base::StrCat(R"({"id":")", id, R"("})")}}) {
    replies += base::ToJson(Direct(method, params));
  }
  base::FlushLog();
  base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
  base::SetLogDescriptorForTest(STDERR_FILENO);
  std::fclose(file);
  std::stringstream logged;
  logged << std::ifstream(log).rdbuf();
  EXPECT_THAT(logged.str(), HasSubstr("keys/CreateApiKey"));
  EXPECT_THAT(replies, HasSubstr(id));
  for (const std::string& text : {replies, logged.str(), stored, StoredBytes()})
    EXPECT_THAT(text, Not(HasSubstr(secret)));
}

}  // namespace
}  // namespace toolpost::tools::keys
