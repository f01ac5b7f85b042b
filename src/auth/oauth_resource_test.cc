#include "auth/oauth_resource.h"

#include <gtest/gtest.h>

#include "base/json_parse.h"

namespace toolpost::auth {
namespace {

using Strings = std::vector<std::string>;

TEST(OauthResource, DocumentHasTheMembersOfRfc9728) {
  EXPECT_EQ(
      MetadataDocument({"https://mcp.example/mcp", {"https://issuer.example"}, {"read", "write"}}),
      R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://issuer.example"],)"
      R"("scopes_supported":["read","write"],"bearer_methods_supported":["header"]})");
  EXPECT_EQ(MetadataDocument({"https://mcp.example", {}, {}}),
            R"({"resource":"https://mcp.example","bearer_methods_supported":["header"]})");
  EXPECT_TRUE(base::ParseJson(MetadataDocument({"\"\n", {"\\"}, {}})).has_value());
}

TEST(OauthResource, WellKnownPathsInBothForms) {
  struct Case {
    const char* resource;
    Strings paths;
    const char* url;
  };
  const std::string known = "/.well-known/oauth-protected-resource";
  for (const Case& c : {Case{"https://h/mcp",
                             {known, known + "/mcp"},
                             "https://h/.well-known/oauth-protected-resource/mcp"},
                        {"https://h:8443/a/b/",
                         {known, known + "/a/b"},
                         "https://h:8443/.well-known/oauth-protected-resource/a/b"},
                        {"https://h", {known}, "https://h/.well-known/oauth-protected-resource"},
                        {"https://h/", {known}, "https://h/.well-known/oauth-protected-resource"},
                        {"https://h/mcp?x=/y#z",
                         {known, known + "/mcp"},
                         "https://h/.well-known/oauth-protected-resource/mcp"}}) {
    EXPECT_EQ(MetadataPaths(c.resource), c.paths) << c.resource;
    EXPECT_EQ(MetadataUrl(c.resource), c.url) << c.resource;
  }
}

TEST(OauthResource, Challenges) {
  const std::string parameters = ChallengeParameters("https://h/m");
  EXPECT_EQ(parameters, R"(resource_metadata="https://h/m")");
  EXPECT_EQ(Challenge(""), "Bearer");
  EXPECT_EQ(Challenge(parameters), R"(Bearer resource_metadata="https://h/m")");
  EXPECT_EQ(Challenge(parameters, "read write"),
            R"(Bearer scope="read write", resource_metadata="https://h/m")");
  EXPECT_EQ(
      InvalidTokenChallenge(parameters, "The token has expired."),
      R"(Bearer error="invalid_token", error_description="The token has expired.", resource_metadata="https://h/m")");
  EXPECT_EQ(InvalidTokenChallenge("", ""), R"(Bearer error="invalid_token")");
  EXPECT_EQ(InsufficientScopeChallenge(parameters, "write"),
            R"(Bearer error="insufficient_scope", scope="write", resource_metadata="https://h/m")");
}

TEST(OauthResource, NoValueLeavesItsQuotes) {
  EXPECT_EQ(InvalidTokenChallenge("", "a\"b\\c\r\nX: y\x7F\xC3"),
            "Bearer error=\"invalid_token\", error_description=\"a'b'c''X: y''\"");
  EXPECT_EQ(ChallengeParameters("\", x=\"y"), R"(resource_metadata="', x='y")");
}

}  // namespace
}  // namespace toolpost::auth
