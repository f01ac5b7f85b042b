#include <gmock/gmock.h>

#include "tools/keys/keys_fixture.h"

namespace toolpost::tools::keys {
namespace {

using ::testing::HasSubstr;

class EndApiKeyTest : public KeysFixture {
 protected:
  std::string NewKey() {
    return Text(Data("CreateApiKey", R"({"name":"n","userId":"u"})").at("id"));
  }
  bool IsListed(const std::string& id) {
    const JsonObject list = Data("ListAllApiKeys", "{}");
    for (const Json& key : list.at("keys").as_array()) {
      if (Text(key.at("id")) == id) return true;
    }
    return false;
  }
};

TEST_F(EndApiKeyTest, CTRL_EX20_RunsAsWrittenAndRevokes) {
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 22,
    "method": "RevokeApiKey",
    "params": {
      "request": {
        "id": "7f8d9e0a-1b2c-3d4e-5f6g-7h8i9j0k1l2m"
      }
    }
  })");
  EXPECT_EQ(reply.at("id"), 22);
  EXPECT_EQ(CodeOf(reply), -32603);
  EXPECT_THAT(MessageOf(reply),
              HasSubstr("Failed to execute tool RevokeApiKey: No API key has the id \"7f8d9e0a"));

  SetNow("2026-05-01T00:00:00Z");
  const std::string id = NewKey();
  const JsonObject done = Data("RevokeApiKey", base::StrCat(R"({"request":{"id":")", id, R"("}})"));
  EXPECT_EQ(done.at("success"), true);
  EXPECT_THAT(Text(done.at("message")), HasSubstr(id));
  ASSERT_TRUE(services_.ring->Find(id));
  EXPECT_TRUE(services_.ring->Find(id)->credential->revoked);
  SetNow("2026-05-02T00:00:00Z");
  EXPECT_EQ(Data("RevokeApiKey", base::StrCat(R"({"id":")", id, R"("})")).at("success"), true);
  const JsonObject listed = Data("ListAllApiKeys", "{}").at("keys").at(0).as_object();
  EXPECT_EQ(listed.at("isActive"), false);
  EXPECT_EQ(listed.at("revokedAt"), "2026-05-01T00:00:00.000Z");
}

TEST_F(EndApiKeyTest, CTRL_EX21_RunsAsWrittenAndDeletes) {
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 23,
    "method": "DeleteApiKey",
    "params": {
      "id": "7f8d9e0a-1b2c-3d4e-5f6g-7h8i9j0k1l2m"
    }
  })");
  EXPECT_EQ(reply.at("id"), 23);
  EXPECT_EQ(CodeOf(reply), -32603);
  EXPECT_THAT(MessageOf(reply), HasSubstr("Failed to execute tool DeleteApiKey: No API key"));

  for (const char* form : {R"({"id":"@"})", R"({"request":{"id":"@"}})"}) {
    const std::string id = NewKey();
    std::string params = form;
    params.replace(params.find('@'), 1, id);
    EXPECT_EQ(Data("DeleteApiKey", params).at("success"), true);
    EXPECT_FALSE(IsListed(id));
    EXPECT_FALSE(services_.ring->Find(id));
    EXPECT_EQ(CodeOf(Direct("DeleteApiKey", params)), -32603);
  }
}

TEST_F(EndApiKeyTest, CTRL_defect_13_FailuresAreErrorsInBothForms) {
  for (const char* tool : {"RevokeApiKey", "DeleteApiKey"}) {
    const Json envelope = Envelope(tool, R"({"id":"none"})");
    EXPECT_EQ(envelope.at("result").at("isError"), true);
    EXPECT_FALSE(envelope.at("result").as_object().contains("structuredContent"));
    EXPECT_THAT(Text(envelope.at("result").at("content").at(0).at("text")),
                HasSubstr(base::StrCat("Failed to execute tool ", tool, ": No API key")));
    EXPECT_EQ(CodeOf(Direct(tool, R"({"id":"none"})")), -32603);
    EXPECT_EQ(CodeOf(Direct(tool, R"({})")), -32602);
    EXPECT_EQ(CodeOf(Direct(tool, R"({"id":""})")), -32602);
    EXPECT_EQ(CodeOf(Direct(tool, R"({"id":7})")), -32602);
    EXPECT_EQ(CodeOf(Direct(tool, R"({"id":"none","force":true})")), -32602);
  }
}

TEST_F(EndApiKeyTest, PRD_NFR_019_AWholeKeyGivenAsIdIsNotRepeated) {
  const JsonObject made = Data("CreateApiKey", R"({"name":"n","userId":"u"})");
  const std::string id = Text(made.at("id"));
  const std::string key = Text(made.at("key"));
  const std::string secret = key.substr(key.find(id) + id.size() + 1, 8);
  for (const std::string& given : {key, key + "x", key.substr(0, 40)}) {
    const std::string message =
        MessageOf(Direct("RevokeApiKey", base::StrCat(R"({"id":")", given, R"("})")));
    EXPECT_THAT(message, HasSubstr("No API key has the id"));
    EXPECT_THAT(message, ::testing::Not(HasSubstr(secret)));
  }
}

TEST_F(EndApiKeyTest, RepliesStayUtf8WhenALongIdIsCut) {
  for (const char* given : {"aaaaaaaaaaa\xc3\xa9", "aaaaaaaaaa\xe2\x82\xac",
                            "a\xf0\x9f\x94\x91\xf0\x9f\x94\x91\xf0\x9f\x94\x91"}) {
    const std::string message =
        MessageOf(Direct("RevokeApiKey", base::StrCat(R"({"id":")", given, R"("})")));
    EXPECT_TRUE(base::IsValidUtf8(message)) << message;
    EXPECT_THAT(message, HasSubstr("\"a"));
  }
}

TEST_F(EndApiKeyTest, HostileIdsAreOnlyText) {
  const std::string id = NewKey();
  for (const char* hostile : {"' OR 1=1 --", "%", "*", "../keys"}) {
    EXPECT_EQ(CodeOf(Direct("DeleteApiKey", base::StrCat(R"({"id":")", hostile, R"("})"))), -32603)
        << hostile;
  }
  EXPECT_EQ(CodeOf(Direct("DeleteApiKey", base::StrCat(R"({"id":")", id, R"(\u0000"})"))), -32602);
  EXPECT_TRUE(IsListed(id));
}

}  // namespace
}  // namespace toolpost::tools::keys
