#include "sandbox/remove_tree.h"

#include "sandbox/roots_fixture.h"

namespace toolpost::sandbox {
namespace {

using RemoveTreeTest = RootsFixture;

TEST_F(RemoveTreeTest, PlanAndRemovalCountTheSame) {
  Put("root/d/a", "123");
  Put("root/d/e/b", "45");
  const auto plan = PlanRemoval(Opened(), At("d"), {});
  ASSERT_TRUE(plan) << plan.error().message;
  const auto removal = RemoveTree(Opened(), At("d"), {});
  ASSERT_TRUE(removal) << removal.error().message;
  EXPECT_EQ(plan->files, 2u);
  EXPECT_EQ(plan->folders, 2u);
  EXPECT_EQ(plan->bytes, 5u);
  EXPECT_EQ(removal->files, 2u);
  EXPECT_EQ(removal->folders, 2u);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "root/d"));
}

TEST_F(RemoveTreeTest, TooManyEntriesAreLeftWhole) {
  for (int i = 0; i < 20; ++i) Put("root/d/" + std::to_string(i % 3) + "/" + std::to_string(i));
  const RemovalLimits limits{.entries = 23};
  const auto removal = RemoveTree(Opened(), At("d"), {}, limits);
  ASSERT_FALSE(removal);
  EXPECT_EQ(removal.error().code, Code::kTooLarge);
  EXPECT_TRUE(std::filesystem::exists(directory_ / "root/d/0/0"));
  EXPECT_TRUE(RemoveTree(Opened(), At("d"), {}, {.entries = 24}));
}

TEST_F(RemoveTreeTest, StoppedRemovalsSayWhatIsGone) {
  Put("root/d/a");
  std::stop_source stop;
  stop.request_stop();
  const auto removal = RemoveTree(Opened(), At("d"), stop.get_token());
  ASSERT_FALSE(removal);
  EXPECT_EQ(removal.error().code, Code::kCancelled);
  EXPECT_TRUE(std::filesystem::exists(directory_ / "root/d/a"));
}

}  // namespace
}  // namespace toolpost::sandbox
