#include <gmock/gmock.h>

#include "tools/keys/keys_fixture.h"

namespace toolpost::tools::keys {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ListApiKeysTest : public KeysFixture {
 protected:
  void Make(std::string_view name, std::string_view user) {
    Data("CreateApiKey", base::StrCat(R"({"name":")", name, R"(","userId":")", user, R"("})"));
  }
  static std::vector<std::string> Names(const JsonObject& list) {
    std::vector<std::string> names;
    for (const Json& key : list.at("keys").as_array()) names.push_back(Text(key.at("name")));
    EXPECT_EQ(list.at("count").to_number<std::size_t>(), names.size());
    return names;
  }
};

TEST_F(ListApiKeysTest, CTRL_EX19_RunsAsWrittenNewestFirst) {
  SetNow("2026-05-01T00:00:00Z");
  Make("first", "app-12345");
  SetNow("2026-05-02T00:00:00Z");
  Make("second", "app-12345");
  Make("another's", "app-1");
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 21,
    "method": "ListUserApiKeys",
    "params": {
      "userId": "app-12345"
    }
  })");
  EXPECT_EQ(reply.at("id"), 21);
  const JsonObject list = DataOf(reply);
  EXPECT_THAT(Names(list), ElementsAre("second", "first"));
  for (const Json& key : list.at("keys").as_array()) {
    EXPECT_FALSE(key.as_object().contains("key"));
    EXPECT_FALSE(key.as_object().contains("digest"));
  }
}

TEST_F(ListApiKeysTest, EveryNameAndBothFormsMeanTheSame) {
  Make("one", "ann");
  for (const char* method :
       {"ListUserApiKeys", "ListApiKeys", "mssql_list_user_keys", "keys/ListUserApiKeys"}) {
    EXPECT_THAT(Names(Data(method, R"({"userId":"ann"})")), ElementsAre("one")) << method;
    EXPECT_THAT(Names(Data(method, R"({"request":{"userId":"ann"}})")), ElementsAre("one"))
        << method;
  }
  for (const char* method : {"ListAllApiKeys", "mssql_list_all_keys"}) {
    EXPECT_THAT(Names(Data(method, "{}")), ElementsAre("one")) << method;
    EXPECT_THAT(Names(Data(method, R"({"request":{}})")), ElementsAre("one")) << method;
  }
}

TEST_F(ListApiKeysTest, AUserWithoutKeysHasAnEmptyList) {
  EXPECT_THAT(Names(Data("ListUserApiKeys", R"({"userId":"nobody"})")), IsEmpty());
  EXPECT_EQ(CodeOf(Direct("ListUserApiKeys", "{}")), -32602);
  EXPECT_EQ(CodeOf(Direct("ListUserApiKeys", R"({"userId":""})")), -32602);
  EXPECT_EQ(CodeOf(Direct("ListAllApiKeys", R"({"userId":"ann"})")), -32602);
}

}  // namespace
}  // namespace toolpost::tools::keys
