// The shapes of the controller document, shown with the tools of this folder.
#include "tools/keys/keys.h"

#include <gmock/gmock.h>

#include <set>

#include "tools/keys/keys_fixture.h"

namespace toolpost::tools::keys {
namespace {

using ::testing::HasSubstr;

using KeysTest = KeysFixture;

TEST_F(KeysTest, ListsTheTenToolsUnderTheirDocumentNames) {
  const JsonObject list = DataOf(Rpc(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
  std::set<std::string> names;
  for (const Json& tool : list.at("tools").as_array()) names.insert(Text(tool.at("name")));
  EXPECT_EQ(names, (std::set<std::string>{
                       "CreateApiKey", "DeleteApiKey", "GenerateSecureKey", "GetApiKeyUsageLogs",
                       "GetUserUsageLogs", "ListAllApiKeys", "ListUserApiKeys",
                       "MigrateConnectionsToEncrypted", "RevokeApiKey", "RotateKey"}));
}

TEST_F(KeysTest, DirectCallsGiveTheDataAloneAndToolsCallTheEnvelope) {
  const Json direct = Direct("ListAllApiKeys", "{}");
  EXPECT_EQ(
      direct,
      (Json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"keys", JsonArray()}, {"count", 0}}}}));
  const JsonObject envelope = DataOf(Envelope("ListAllApiKeys", "{}"));
  EXPECT_EQ(envelope.at("isError"), false);
  EXPECT_EQ(envelope.at("structuredContent"), direct.at("result"));
  EXPECT_EQ(envelope.at("content").at(0).at("type"), "text");
  EXPECT_EQ(*base::ParseJson(Text(envelope.at("content").at(0).at("text"))), direct.at("result"));
}

TEST_F(KeysTest, IdsOfEveryKindComeBack) {
  for (const char* id : {"7", "\"copilot-request-1\"", "-1", "\"\""}) {
    const Json reply = Rpc(base::StrCat(R"({"jsonrpc":"2.0","id":)", id,
                                        R"(,"method":"ListAllApiKeys","params":{}})"));
    EXPECT_EQ(reply.at("id"), *base::ParseJson(id));
  }
}

TEST_F(KeysTest, CTRL_ERR_32601_UnknownMethods) {
  for (const char* method : {"NoSuchTool", "createapikey", "tools/none", "initialise", ""}) {
    const Json reply = Direct(method, "{}");
    EXPECT_EQ(CodeOf(reply), -32601) << method;
    EXPECT_THAT(MessageOf(reply), HasSubstr(method));
  }
}

TEST_F(KeysTest, CTRL_ERR_32602_UnknownToolsAndBadArguments) {
  const Json unknown = Envelope("invalid_tool_name", "{}");
  EXPECT_EQ(CodeOf(unknown), -32602);
  EXPECT_EQ(MessageOf(unknown), "Unknown tool: invalid_tool_name");
  EXPECT_EQ(CodeOf(Direct("CreateApiKey", "{}")), -32602);
  EXPECT_EQ(CodeOf(Envelope("CreateApiKey", "[]")), -32602);
  const JsonObject refused = DataOf(Envelope("CreateApiKey", "{}"));
  EXPECT_EQ(refused.at("isError"), true);
  EXPECT_THAT(Text(refused.at("content").at(0).at("text")), HasSubstr("name"));
}

TEST_F(KeysTest, CTRL_ERR_32603_AToolThatFails) {
  const Json reply = Direct("RevokeApiKey", R"({"id":"none"})");
  EXPECT_EQ(CodeOf(reply), -32603);
  EXPECT_THAT(MessageOf(reply), HasSubstr("Failed to execute tool RevokeApiKey: "));
  EXPECT_FALSE(reply.as_object().contains("result"));
}

TEST_F(KeysTest, CTRL_ERR_32600_WhatIsNoRequest) {
  for (const char* message :
       {"{}", "[]", "5", R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":5})", R"({"jsonrpc":"2.0","id":{},"method":"ping"})"}) {
    EXPECT_EQ(CodeOf(Rpc(message)), -32600) << message;
  }
}

TEST_F(KeysTest, CTRL_defect_13_AStoreThatCannotBeOpenedIsAnErrorWithoutPaths) {
  std::ofstream(StateDirectory()) << "no directory";
  const char* arguments = R"({"name":"n","userId":"u"})";
  const Json reply = Direct("CreateApiKey", arguments);
  EXPECT_EQ(CodeOf(reply), -32603);
  EXPECT_EQ(MessageOf(reply).find(directory_), std::string::npos) << MessageOf(reply);
  EXPECT_EQ(DataOf(Envelope("CreateApiKey", arguments)).at("isError"), true);
}

}  // namespace
}  // namespace toolpost::tools::keys
