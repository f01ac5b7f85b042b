#include "auth/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"

namespace toolpost::auth {
namespace {

using ::testing::HasSubstr;

ToolInfo ToolNeeding(std::vector<std::string> scopes, bool read_only = false) {
  ToolInfo info;
  info.name = "file/read";
  info.toolset = "file";
  info.permissions = std::move(scopes);
  info.hints.read_only = read_only;
  return info;
}

Principal With(const Grants& grants) {
  auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants = grants;
  Principal principal;
  principal.credential = credential;
  return principal;
}

TEST(Policy, ScopesFollowTheHintsUnlessTheToolNamesThem) {
  ToolInfo info;
  EXPECT_EQ(ScopesOf(info), std::vector<std::string>{"write"});
  info.hints.read_only = true;
  EXPECT_EQ(ScopesOf(info), std::vector<std::string>{"read"});
  info.permissions = {"shell"};
  EXPECT_EQ(ScopesOf(info), std::vector<std::string>{"shell"});
}

TEST(Policy, TheLocalUserMayDoEverything) {
  EXPECT_FALSE(Refusal(Principal{}, ToolNeeding({"admin"})));
  EXPECT_FALSE(ConnectionRefusal(Principal{}, "any"));
  EXPECT_FALSE(ReadRefusal(Principal{}));
}

// Issue table "role / scope": each scope opens its own class of tools and no other.
TEST(Policy, ScopeCreep_EachScopeOpensItsOwnClassOnly) {
  for (const std::string& granted : AllScopes()) {
    for (const std::string& needed : AllScopes()) {
      const Principal principal = With({.scopes = {granted}});
      const ToolInfo info = ToolNeeding({needed}, needed == "read");
      const auto refused = Refusal(principal, info);
      EXPECT_EQ(!refused, granted == needed) << granted << " for " << needed;
      EXPECT_EQ(MayCall(*principal.credential, info), granted == needed);
      if (!refused) continue;
      EXPECT_EQ(refused->code, Code::kPermissionDenied);
      EXPECT_EQ(refused->data.at("scope"), Json(needed));
      EXPECT_THAT(refused->message, HasSubstr(needed));
    }
  }
}

TEST(Policy, AToolWithTwoScopesNeedsBoth) {
  EXPECT_TRUE(Refusal(With({.scopes = {"read"}}), ToolNeeding({"read", "shell"})));
  EXPECT_FALSE(Refusal(With({.scopes = {"shell", "read"}}), ToolNeeding({"read", "shell"})));
}

TEST(Policy, RestrictionsOnlyNarrow) {
  const ToolInfo writes = ToolNeeding({"write"});
  const ToolInfo reads = ToolNeeding({"read"}, true);
  Grants grants{.scopes = {"read", "write"}, .read_only = true};
  EXPECT_TRUE(Refusal(With(grants), writes));
  EXPECT_FALSE(Refusal(With(grants), reads));
  grants = {.scopes = {"read", "write"}, .tools = std::vector<std::string>{}};
  EXPECT_TRUE(Refusal(With(grants), reads)) << "an empty list allows nothing";
  grants.tools = {"file/read"};
  EXPECT_FALSE(Refusal(With(grants), reads));
  grants.tools = {"file/write"};
  EXPECT_TRUE(Refusal(With(grants), reads));
  grants.toolsets = {"file"};
  EXPECT_FALSE(Refusal(With(grants), reads)) << "tools and toolsets add up";
  grants.scopes = {"write"};
  EXPECT_TRUE(Refusal(With(grants), reads)) << "a list grants no scope";
}

TEST(Policy, CTRL_defect_02_ConnectionsAreCheckedAgainstTheList) {
  EXPECT_FALSE(ConnectionRefusal(With({}), "Sales"));
  const Principal limited = With({.connections = {{"Sales"}}});
  EXPECT_FALSE(ConnectionRefusal(limited, "Sales"));
  for (const char* other : {"sales", "DefaultConnection", "", "Sales "})
    EXPECT_TRUE(ConnectionRefusal(limited, other)) << other;
  EXPECT_TRUE(ConnectionRefusal(With({.connections = std::vector<std::string>{}}), "Sales"));
}

TEST(Policy, CredentialsEndWhileConnectionsAreOpen) {
  auto credential = std::make_shared<Credential>();
  credential->grants.scopes = AllScopes();
  Principal principal;
  principal.credential = credential;
  const ToolInfo info = ToolNeeding({"read"}, true);
  EXPECT_FALSE(Refusal(principal, info));
  credential->expires = base::Now() - std::chrono::seconds(1);
  ASSERT_TRUE(Refusal(principal, info));
  EXPECT_EQ(Refusal(principal, info)->code, Code::kUnauthenticated);
  credential->expires = base::WallTime::max();
  credential->revoked = true;
  EXPECT_EQ(Refusal(principal, info)->code, Code::kUnauthenticated);
  EXPECT_EQ(ReadRefusal(principal)->code, Code::kUnauthenticated);
}

}  // namespace
}  // namespace toolpost::auth
