#include "toolpost/late_json.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace toolpost {
namespace {

std::atomic<int> built = 0;

Json Build() {
  ++built;
  return {{"type", "object"}};
}

TEST(LateJson, BuildsOnceWithTheFirstReadOfAnyCopy) {
  built = 0;
  const LateJson late(&Build);
  const LateJson copy = late;
  EXPECT_TRUE(late.late());
  EXPECT_EQ(built, 0);
  std::vector<const Json*> seen(8);
  {
    std::vector<std::jthread> threads;
    for (const Json*& value : seen) threads.emplace_back([&] { value = &*copy; });
  }
  for (const Json* value : seen) EXPECT_EQ(value, &*late);
  EXPECT_EQ(*late, Json({{"type", "object"}}));
  EXPECT_EQ(built, 1);
}

TEST(LateJson, TakesValuesAsTheyAre) {
  EXPECT_TRUE(LateJson()->is_null());
  LateJson json = nullptr;
  EXPECT_TRUE(json->is_null());
  EXPECT_FALSE(json.late());
  json = JsonObject{{"a", 1}};
  EXPECT_EQ(json->at("a"), 1);
  json = {{"type", "object"}, {"title", "x"}};
  EXPECT_EQ(json->at("title"), "x");
}

TEST(LateJson, AValueKeepsItsStorage) {
  const auto storage = boost::json::make_shared_resource<boost::json::monotonic_resource>();
  JsonObject object(storage);
  object["a"] = 1;
  const LateJson json = Json(std::move(object));
  EXPECT_EQ(json->storage().get(), storage.get());
}

}  // namespace
}  // namespace toolpost
