#include "tools/database/result_links.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/json_write.h"

namespace toolpost::tools::database {
namespace {

Principal Named(std::string_view id) {
  Principal principal;
  principal.id = id;
  return principal;
}

ResultLinks::Kept Statement(std::string_view parameter = "x") {
  return {"shop", "SELECT 1", Json(JsonArray{parameter, 2, 0.1, nullptr})};
}

class ResultLinksTest : public ::testing::Test {
 protected:
  std::string Put(std::string_view who, const ResultLinks::Kept& kept = Statement()) {
    return links_.Put(Named(who), kept).value_or("none");
  }
  bool Has(std::string_view who, std::string_view uri) {
    if (!uri.starts_with(ResultLinks::kUriPrefix)) return false;
    return links_.Get(Named(who), uri.substr(ResultLinks::kUriPrefix.size())).has_value();
  }

  ResultLinks links_{std::chrono::minutes(15),
                     {.links = 6, .bytes = 20'000, .links_of_one = 3, .bytes_of_one = 5000}};
};

TEST_F(ResultLinksTest, GiveBackWhatWasPutToItsOwnerOnly) {
  const std::string uri = Put("ada");
  ASSERT_TRUE(Has("ada", uri));
  EXPECT_FALSE(Has("bob", uri));
  const auto kept = links_.Get(Named("ada"), uri.substr(ResultLinks::kUriPrefix.size()));
  EXPECT_EQ(kept->connection, "shop");
  EXPECT_EQ(kept->statement, "SELECT 1");
  EXPECT_EQ(base::ToJson(kept->parameters), R"(["x",2,0.1,null])");
}

TEST_F(ResultLinksTest, WhoHasTooManyLosesTheOwnOldest) {
  const std::string others = Put("bob");
  std::vector<std::string> own;
  for (int i = 0; i < 4; ++i) own.push_back(Put("ada"));
  EXPECT_FALSE(Has("ada", own[0]));
  for (int i = 1; i < 4; ++i) EXPECT_TRUE(Has("ada", own[static_cast<std::size_t>(i)])) << i;
  EXPECT_TRUE(Has("bob", others));
}

TEST_F(ResultLinksTest, NobodyPushesOutTheLinksOfOthers) {
  const std::string quiet = Put("quiet");
  for (int i = 0; i < 50; ++i) {
    Put("ada");
    Put("bob");
    ASSERT_TRUE(Has("quiet", quiet)) << i;
  }
  const std::string late = Put("late");
  EXPECT_TRUE(Has("late", late));
  EXPECT_TRUE(Has("quiet", quiet));
}

TEST_F(ResultLinksTest, LargeParametersCountByTheirSize) {
  const std::string quiet = Put("quiet");
  const std::string large(2000, 'x');
  const std::string first = Put("ada", Statement(large));
  const std::string second = Put("ada", Statement(large));
  EXPECT_TRUE(Has("ada", first));
  Put("ada", Statement(large));
  EXPECT_FALSE(Has("ada", first));
  EXPECT_TRUE(Has("ada", second));
  for (const char* who : {"b", "c", "d", "e", "f"}) {
    const std::string own = Put(who, Statement(std::string(4000, 'y')));
    EXPECT_TRUE(Has(who, own)) << who;
    EXPECT_TRUE(Has("quiet", quiet)) << who;
  }
}

TEST_F(ResultLinksTest, WhatIsMoreThanAShareGetsNoLinkAndCostsNone) {
  const std::string before = Put("ada");
  EXPECT_EQ(Put("ada", Statement(std::string(6000, 'x'))), "none");
  EXPECT_TRUE(Has("ada", before));
}

TEST_F(ResultLinksTest, ExpiredLinksAreGone) {
  ResultLinks short_lived(std::chrono::seconds(0));
  const auto uri = short_lived.Put(Named("ada"), Statement());
  ASSERT_TRUE(uri);
  EXPECT_FALSE(short_lived.Get(Named("ada"), uri->substr(ResultLinks::kUriPrefix.size())));
}

}  // namespace
}  // namespace toolpost::tools::database
