#include "mcp/input_rules.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace toolpost::mcp {
namespace {

TEST(LateInputRules, CompilesOnceForAllThreads) {
  const Json schema = {
      {"type", "object"},
      {"properties", {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}}}}};
  const LateInputRules late;
  std::vector<const InputRules*> seen(8);
  {
    std::vector<std::jthread> threads;
    for (const InputRules*& rules : seen) threads.emplace_back([&] { rules = *late.Get(schema); });
  }
  ASSERT_NE(seen[0], nullptr);
  for (const InputRules* rules : seen) EXPECT_EQ(rules, seen[0]);
  EXPECT_TRUE(seen[0]->schema.IsValid({{"region", "north"}}));
  EXPECT_FALSE(seen[0]->schema.IsValid({{"region", 1}}));
  ASSERT_EQ(seen[0]->headers.size(), 1u);
  EXPECT_EQ(seen[0]->headers[0].header, "Region");
}

TEST(LateInputRules, AWrongSchemaFailsEveryTime) {
  const Json schema = {{"type", "nonsense"}};
  const LateInputRules late;
  for (int i = 0; i < 2; ++i) {
    const auto compiled = late.Get(schema);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, Code::kInternal);
  }
}

TEST(LateInputRules, CompiledOnesAreTaken) {
  const LateInputRules late(*InputRules::Compile({{"type", "integer"}}));
  EXPECT_TRUE((*late.Get(false))->schema.IsValid(3));
}

}  // namespace
}  // namespace toolpost::mcp
