#include "schema/late_schema.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace toolpost::schema {
namespace {

TEST(LateSchema, CompilesOnceForAllThreads) {
  const Json schema = {{"type", "string"}};
  const LateSchema late;
  std::vector<const JsonSchema*> seen(8);
  {
    std::vector<std::jthread> threads;
    for (const JsonSchema*& compiled : seen)
      threads.emplace_back([&] { compiled = *late.Get(schema); });
  }
  ASSERT_NE(seen[0], nullptr);
  for (const JsonSchema* compiled : seen) EXPECT_EQ(compiled, seen[0]);
  EXPECT_TRUE(seen[0]->IsValid("text"));
  EXPECT_FALSE(seen[0]->IsValid(1));
}

TEST(LateSchema, AWrongSchemaFailsEveryTime) {
  const Json schema = {{"type", "nonsense"}};
  const LateSchema late;
  for (int i = 0; i < 2; ++i) {
    const auto compiled = late.Get(schema);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, Code::kInternal);
  }
}

TEST(LateSchema, ACompiledOneIsTaken) {
  const Json schema = {{"type", "integer"}};
  const LateSchema late(*JsonSchema::Compile(schema));
  EXPECT_TRUE((*late.Get(false))->IsValid(3));
}

}  // namespace
}  // namespace toolpost::schema
