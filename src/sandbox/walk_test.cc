#include "sandbox/walk.h"

#include <dirent.h>
#include <gmock/gmock.h>

#include "sandbox/roots_fixture.h"

namespace toolpost::sandbox {
namespace {

using ::testing::ElementsAre;

class WalkTest : public RootsFixture {
 protected:
  WalkTest() {
    for (const char* path : {"root/b", "root/a/x", "root/a/y/z", "root/a-b", "root/c/q"}) Put(path);
  }
  std::vector<std::string> Seen(const WalkOptions& options = {}) {
    std::vector<std::string> seen;
    const auto end = Walk(Opened(), At("."), options, [&](const WalkEntry& entry) {
      if (!entry.seen) seen.emplace_back(entry.relative);
      return Step::kInto;
    });
    EXPECT_TRUE(end) << end.error().message;
    return seen;
  }
};

TEST_F(WalkTest, ParentsFirstSiblingsByName) {
  EXPECT_THAT(Seen(), ElementsAre("a", "a/x", "a/y", "a/y/z", "a-b", "b", "c", "c/q"));
}

TEST_F(WalkTest, GoesOnAfterAnyEntryOrWhereItWas) {
  const std::vector<std::string> all = Seen();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(Seen({.after = all[i]}),
              std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end()))
        << all[i];
  }
  EXPECT_THAT(Seen({.after = "a/w"}), ElementsAre("a/x", "a/y", "a/y/z", "a-b", "b", "c", "c/q"));
  EXPECT_THAT(Seen({.after = "a/y/zz"}), ElementsAre("a-b", "b", "c", "c/q"));
  EXPECT_THAT(Seen({.after = "a/gone/x"}),
              ElementsAre("a/x", "a/y", "a/y/z", "a-b", "b", "c", "c/q"));
  EXPECT_THAT(Seen({.after = "bb"}), ElementsAre("c", "c/q"));
  EXPECT_THAT(Seen({.after = "z"}), ElementsAre());
}

TEST_F(WalkTest, DepthAndStop) {
  EXPECT_THAT(Seen({.max_depth = 1}), ElementsAre("a", "a-b", "b", "c"));
  int visits = 0;
  const auto end = Walk(Opened(), At("."), {}, [&](const WalkEntry&) {
    ++visits;
    return Step::kStop;
  });
  EXPECT_TRUE(end);
  EXPECT_EQ(visits, 1);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(Walk(Opened(), At("."), {.stop = stop.get_token()},
                 [](const WalkEntry&) { return Step::kInto; })
                .error()
                .code,
            Code::kCancelled);
}

TEST_F(WalkTest, FoldersThatGoAwayMeanwhileAreSkipped) {
  std::vector<std::string> seen;
  const auto end = Walk(Opened(), At("."), {}, [&](const WalkEntry& entry) {
    seen.emplace_back(entry.relative);
    if (entry.relative == "a") std::filesystem::remove_all(directory_ / "root/a");
    return Step::kInto;
  });
  EXPECT_TRUE(end);
  EXPECT_THAT(seen, ElementsAre("a", "a-b", "b", "c", "c/q"));
}

}  // namespace
}  // namespace toolpost::sandbox
