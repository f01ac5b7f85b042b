#include <gtest/gtest.h>

#include "auth/jwks.h"
#include "auth/vectors_fixture.h"
#include "base/json_write.h"

namespace toolpost::auth {
namespace {

using testing::Jwk;

std::string Document(JsonArray keys) { return base::ToJson(JsonObject{{"keys", std::move(keys)}}); }

TEST(JwksDocument, KeepsTheUsableKeysAndSkipsTheRest) {
  JsonObject encryption = Jwk("RS256", "enc");
  encryption["use"] = "enc";
  const auto keys = ParseJwks(
      Document({Jwk("RS256", "r"), 7, JsonObject{}, encryption,
                JsonObject{{"kty", "oct"}, {"k", "AAAA"}}, Jwk("ES256", "e"), Jwk("EdDSA", "d")}));
  ASSERT_TRUE(keys.has_value()) << keys.error().message;
  ASSERT_EQ(keys->size(), 3U);
  EXPECT_EQ(keys->at(0).key_id(), "r");
  EXPECT_EQ(keys->at(1).key_id(), "e");
  EXPECT_EQ(keys->at(2).algorithm(), Algorithm::kEdDsa);
}

TEST(JwksDocument, RefusesDocumentsWithoutKeysOrWithTooMany) {
  JsonArray many;
  for (int i = 0; i < 100; ++i) many.push_back(Jwk("EdDSA", "k" + std::to_string(i)));
  EXPECT_EQ(ParseJwks(Document(many))->size(), 100U);
  many.push_back(Jwk("EdDSA", "one more"));
  EXPECT_FALSE(ParseJwks(Document(many)).has_value());
  for (const char* text : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":[]})", R"({"keys":[1]})",
                           R"({"keys":[],"keys":[]})", "<html>"}) {
    EXPECT_FALSE(ParseJwks(text).has_value()) << text;
  }
}

TEST(JwksDocument, MetadataIsLookedForInThreePlaces) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(MetadataUrlsOf("https://h"),
            (Strings{"https://h/.well-known/oauth-authorization-server",
                     "https://h/.well-known/openid-configuration"}));
  EXPECT_EQ(MetadataUrlsOf("https://h/"), MetadataUrlsOf("https://h"));
  EXPECT_EQ(MetadataUrlsOf("https://h:1/a/b/"),
            (Strings{"https://h:1/.well-known/oauth-authorization-server/a/b",
                     "https://h:1/.well-known/openid-configuration/a/b",
                     "https://h:1/a/b/.well-known/openid-configuration"}));
  for (const char* bad : {"", "h", "https://h?x", "https://h/a#b"})
    EXPECT_TRUE(MetadataUrlsOf(bad).empty()) << bad;
}

TEST(JwksDocument, TheIssuerInTheMetadataMustBeTheConfiguredOne) {
  EXPECT_EQ(JwksUriIn(R"({"issuer":"https://h","jwks_uri":"https://k/x"})", "https://h").value(),
            "https://k/x");
  for (const char* text :
       {"", "[]", "{}", R"({"issuer":"https://h"})", R"({"jwks_uri":"https://k"})",
        R"({"issuer":"https://h","jwks_uri":1})",
        R"({"issuer":"https://h/","jwks_uri":"https://k"})",
        R"({"issuer":"https://evil","jwks_uri":"https://k"})",
        R"({"issuer":"https://evil","issuer":"https://h","jwks_uri":"https://k"})",
        R"({"issuer":["https://h"],"jwks_uri":"https://k"})"}) {
    EXPECT_FALSE(JwksUriIn(text, "https://h").has_value()) << text;
  }
}

}  // namespace
}  // namespace toolpost::auth
