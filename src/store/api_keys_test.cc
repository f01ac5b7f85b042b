#include "store/api_keys.h"

#include <gmock/gmock.h>

#include "store/store_fixture.h"

namespace toolpost::store {
namespace {

using ::testing::ElementsAre;

class ApiKeysTest : public StoreTest {
 protected:
  ApiKeys Keys() { return ApiKeys(*store_); }
  static std::vector<std::string> Ids(const Result<std::vector<ApiKey>>& keys) {
    std::vector<std::string> ids;
    EXPECT_TRUE(keys);
    if (keys) {
      for (const ApiKey& key : *keys) ids.push_back(key.id);
    }
    return ids;
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, ApiKeysTest, BothEngines(), EngineName);

ApiKey FullKey() {
  const base::WallTime now = base::Now();
  return {.id = "k-full",
          .digest = std::string("\0\x01\xff", 3) + std::string(29, '\x80'),
          .name = "Zo\xc3\xab's key; DROP TABLE toolpost_api_keys; --",
          .user_id = "user \xf0\x9f\x94\x91",
          .key_type = "application",
          .description = "two\nlines",
          .scopes = {"read", "write"},
          .tools = {{"ExecuteQuery", "with \"quotes\"", ""}},
          .toolsets = std::vector<std::string>{},
          .connections = std::nullopt,
          .roots = {{"/srv/data"}},
          .read_only = true,
          .created_at = now,
          .expires_at = now + std::chrono::hours(24) + std::chrono::nanoseconds(1),
          .revoked_at = now + std::chrono::seconds(5),
          .last_used = base::WallTime(std::chrono::seconds(-1))};
}

TEST_P(ApiKeysTest, KeepEveryFieldAsItWas) {
  const ApiKey empty{.id = "k-empty"};
  ASSERT_TRUE(Keys().Add(empty));
  const ApiKey full = FullKey();
  ASSERT_TRUE(Keys().Add(full));
  EXPECT_EQ(Keys().Find("k-full")->value(), full);
  EXPECT_EQ(Keys().Find("k-empty")->value(), empty);
}

TEST_P(ApiKeysTest, TellAnAbsentListFromAnEmptyOne) {
  ASSERT_TRUE(Keys().Add({.id = "k", .tools = std::vector<std::string>{}}));
  const ApiKey key = Keys().Find("k")->value();
  EXPECT_TRUE(key.tools.has_value());
  EXPECT_FALSE(key.toolsets.has_value());
}

TEST_P(ApiKeysTest, AreFoundByTheirExactIdOnly) {
  ASSERT_TRUE(Keys().Add({.id = "abc"}));
  for (const char* id : {"", "ab", "abcd", "ABC", "abc ", "%", "' OR 1=1 --", "*"}) {
    const auto found = Keys().Find(id);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->has_value()) << id;
  }
  EXPECT_EQ(Keys().Find(std::string_view("abc\0", 4)).error().code, Code::kInvalidArgument);
}

TEST_P(ApiKeysTest, RefuseAnIdThatIsTaken) {
  ASSERT_TRUE(Keys().Add({.id = "k", .name = "first"}));
  const auto again = Keys().Add({.id = "k", .name = "second"});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kConflict);
  EXPECT_EQ(Keys().Find("k")->value().name, "first");
}

TEST_P(ApiKeysTest, AreListedNewestFirst) {
  const base::WallTime start{std::chrono::seconds(1000)};
  ASSERT_TRUE(
      Keys().Add({.id = "b", .user_id = "ann", .created_at = start + std::chrono::nanoseconds(2)}));
  ASSERT_TRUE(
      Keys().Add({.id = "a", .user_id = "ann", .created_at = start + std::chrono::nanoseconds(3)}));
  ASSERT_TRUE(
      Keys().Add({.id = "c", .user_id = "bob", .created_at = start + std::chrono::nanoseconds(1)}));
  EXPECT_THAT(Ids(Keys().All()), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Ids(Keys().OfUser("ann")), ElementsAre("a", "b"));
  EXPECT_THAT(Ids(Keys().OfUser("ANN")), ElementsAre());
}

TEST_P(ApiKeysTest, KeepTheTimeOfTheirFirstRevocation) {
  ASSERT_TRUE(Keys().Add({.id = "k"}));
  const base::WallTime first{std::chrono::seconds(5000)};
  EXPECT_TRUE(*Keys().Revoke("k", first));
  EXPECT_TRUE(*Keys().Revoke("k", first + std::chrono::hours(1)));
  EXPECT_EQ(Keys().Find("k")->value().revoked_at, first);
  EXPECT_FALSE(*Keys().Revoke("unknown", first));
}

TEST_P(ApiKeysTest, AreGoneOnceDeleted) {
  ASSERT_TRUE(Keys().Add({.id = "k"}));
  ASSERT_TRUE(Keys().Add({.id = "other"}));
  EXPECT_TRUE(*Keys().Delete("k"));
  EXPECT_FALSE(*Keys().Delete("k"));
  EXPECT_FALSE(Keys().Find("k")->has_value());
  EXPECT_TRUE(Keys().Find("other")->has_value());
}

TEST_P(ApiKeysTest, AreRefusedWhenARestrictionCannotBeRead) {
  ASSERT_TRUE(Keys().Add({.id = "k", .tools = {{"a"}}}));
  for (const char* damage : {"", "[\"a\"", "null", "{}", "[1]", "\"a\""}) {
    ASSERT_TRUE(store_->With([&](db::Sql& sql) -> Result<void> {
      RETURN_IF_ERROR(sql.Execute("UPDATE toolpost_api_keys SET tools = $1", {damage}));
      return {};
    }));
    const auto found = Keys().Find("k");
    ASSERT_FALSE(found) << damage;
    EXPECT_EQ(found.error().code, Code::kInternal);
  }
}

}  // namespace
}  // namespace toolpost::store
