#include <gmock/gmock.h>

#include "tools/keys/keys_fixture.h"

namespace toolpost::tools::keys {
namespace {

using ::testing::HasSubstr;

class UsageLogsTest : public KeysFixture {
 protected:
  void Use(const std::string& key, int times, const std::string& user = "ann") {
    for (int i = 0; i < times; ++i) {
      services_.usage->Record({.key_id = key,
                               .user_id = user,
                               .at = base::Now() + std::chrono::seconds(i),
                               .resource = "system/info",
                               .method = "tools/call",
                               .address = "203.0.113.9",
                               .user_agent = "agent/1"});
    }
  }
};

TEST_F(UsageLogsTest, CTRL_EX22_RunsAsWritten) {
  SetNow("2026-05-01T00:00:00Z");
  Use("7f8d9e0a-1b2c-3d4e-5f6g-7h8i9j0k1l2m", 60);
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 24,
    "method": "GetApiKeyUsageLogs",
    "params": {
      "apiKeyId": "7f8d9e0a-1b2c-3d4e-5f6g-7h8i9j0k1l2m",
      "limit": 50
    }
  })");
  EXPECT_EQ(reply.at("id"), 24);
  const JsonObject list = DataOf(reply);
  EXPECT_EQ(list.at("count"), 50);
  ASSERT_EQ(list.at("logs").as_array().size(), 50u);
  const Json& newest = list.at("logs").at(0);
  EXPECT_EQ(newest.at("apiKeyId"), "7f8d9e0a-1b2c-3d4e-5f6g-7h8i9j0k1l2m");
  EXPECT_EQ(newest.at("userId"), "ann");
  EXPECT_EQ(newest.at("timestamp"), "2026-05-01T00:00:59.000Z");
  EXPECT_EQ(newest.at("resource"), "system/info");
  EXPECT_EQ(newest.at("method"), "tools/call");
  EXPECT_EQ(newest.at("ipAddress"), "203.0.113.9");
  EXPECT_EQ(newest.at("userAgent"), "agent/1");
  EXPECT_TRUE(newest.at("id").is_int64());
}

TEST_F(UsageLogsTest, AnUnknownKeyIsNotFoundAndAnUnusedOneHasNoEntries) {
  const Json unknown = Direct("GetApiKeyUsageLogs", R"({"apiKeyId":"none"})");
  EXPECT_EQ(CodeOf(unknown), -32603);
  EXPECT_THAT(MessageOf(unknown), HasSubstr("No API key has the id \"none\""));
  const JsonObject key = Data("CreateApiKey", R"({"name":"n","userId":"ann"})");
  const std::string params = base::StrCat(R"({"apiKeyId":")", Text(key.at("id")), R"("})");
  EXPECT_EQ(Data("GetApiKeyUsageLogs", params).at("count"), 0);
  EXPECT_EQ(Data("GetUserUsageLogs", R"({"userId":"nobody"})").at("count"), 0);
}

TEST_F(UsageLogsTest, CTRL_defect_14_UsageSurvivesTheKey) {
  const std::string id = Text(Data("CreateApiKey", R"({"name":"n","userId":"ann"})").at("id"));
  Use(id, 3);
  const std::string params = base::StrCat(R"({"apiKeyId":")", id, R"("})");
  EXPECT_EQ(Data("GetApiKeyUsageLogs", params).at("count"), 3);
  EXPECT_FALSE(Text(Data("ListAllApiKeys", "{}").at("keys").at(0).at("lastUsed")).empty());
  Data("DeleteApiKey", base::StrCat(R"({"id":")", id, R"("})"));
  EXPECT_EQ(Data("GetApiKeyUsageLogs", params).at("count"), 3);
  EXPECT_EQ(Data("GetUserUsageLogs", R"({"userId":"ann"})").at("count"), 3);
}

TEST_F(UsageLogsTest, LimitsAreBounded) {
  Use("k", 60);
  services_.usage->Flush();  // more at once would be joined
  Use("k", 60);
  EXPECT_EQ(Data("GetApiKeyUsageLogs", R"({"apiKeyId":"k"})").at("count"), 100);
  EXPECT_EQ(Data("GetApiKeyUsageLogs", R"({"apiKeyId":"k","limit":1})").at("count"), 1);
  EXPECT_EQ(Data("GetUserUsageLogs", R"({"userId":"ann","limit":1000})").at("count"), 120);
  for (const char* limit : {"0", "-1", "1001", "1.5", "\"50\"", "1e30"}) {
    EXPECT_EQ(CodeOf(Direct("GetApiKeyUsageLogs",
                            base::StrCat(R"({"apiKeyId":"k","limit":)", limit, "}"))),
              -32602)
        << limit;
    EXPECT_EQ(
        CodeOf(Direct("GetUserUsageLogs", base::StrCat(R"({"userId":"ann","limit":)", limit, "}"))),
        -32602)
        << limit;
  }
}

TEST_F(UsageLogsTest, EveryNameAndBothFormsMeanTheSame) {
  Use("k", 2);
  for (const char* method :
       {"GetApiKeyUsageLogs", "mssql_get_key_usage_logs", "keys/GetApiKeyUsageLogs"}) {
    EXPECT_EQ(Data(method, R"({"apiKeyId":"k"})").at("count"), 2) << method;
    EXPECT_EQ(Data(method, R"({"request":{"apiKeyId":"k","limit":1}})").at("count"), 1) << method;
  }
  for (const char* method : {"GetUserUsageLogs", "mssql_get_user_usage_logs"}) {
    EXPECT_EQ(Data(method, R"({"userId":"ann"})").at("count"), 2) << method;
    EXPECT_EQ(Data(method, R"({"request":{"userId":"ann"}})").at("count"), 2) << method;
  }
}

}  // namespace
}  // namespace toolpost::tools::keys
