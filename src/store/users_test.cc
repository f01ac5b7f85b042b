#include "store/users.h"

#include <gmock/gmock.h>

#include "store/store_fixture.h"

namespace toolpost::store {
namespace {

class UsersTest : public StoreTest {
 protected:
  void TearDown() override {
    base::SetNowForTest({});
    StoreTest::TearDown();
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, UsersTest, BothEngines(), EngineName);

TEST_P(UsersTest, TODO_operation_get_my_user_info_KnowsWhoWasRecognised) {
  Users users(store_);
  base::SetNowForTest(*base::FromIso8601("2026-07-28T10:00:00Z"));
  users.Seen("ann", "Ann", "ann@example.com");
  const auto found = users.Find("ann");
  ASSERT_TRUE(found && *found) << (found ? "" : found.error().message);
  EXPECT_EQ((*found)->name, "Ann");
  EXPECT_EQ((*found)->email, "ann@example.com");
  EXPECT_EQ((*found)->created_at, *base::FromIso8601("2026-07-28T10:00:00Z"));
  EXPECT_FALSE(users.Find("bob")->has_value());
}

TEST_P(UsersTest, EmptyClaimsKeepWhatIsKnown) {
  Users users(store_);
  base::SetNowForTest(*base::FromIso8601("2026-07-28T10:00:00Z"));
  users.Seen("ann", "Ann", "ann@example.com");
  ASSERT_TRUE(users.Flush());
  base::SetNowForTest(*base::FromIso8601("2026-07-29T10:00:00Z"));
  Users another(store_);
  another.Seen("ann", "Anna", {});
  const auto found = another.Find("ann");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->name, "Anna");
  EXPECT_EQ((*found)->email, "ann@example.com");
  EXPECT_EQ((*found)->created_at, *base::FromIso8601("2026-07-28T10:00:00Z"));
  EXPECT_EQ((*found)->last_seen, *base::FromIso8601("2026-07-29T10:00:00Z"));
}

TEST_P(UsersTest, TODO_tool_get_my_user_info_TheLocalUserIsThereFromTheStart) {
  const auto found = Users(store_).Find("local");
  ASSERT_TRUE(found && *found) << (found ? "" : found.error().message);
  EXPECT_EQ((*found)->name, "Local user");
}

TEST_P(UsersTest, HostileClaimsSpoilNothing) {
  Users users(store_);
  users.Seen("ann", std::string("a\0b\xff", 4) + std::string(100'000, 'x'), "'); DROP TABLE x; --");
  const auto found = users.Find("ann");
  ASSERT_TRUE(found && *found) << (found ? "" : found.error().message);
  EXPECT_EQ((*found)->name.size(), 512u);
}

}  // namespace
}  // namespace toolpost::store
