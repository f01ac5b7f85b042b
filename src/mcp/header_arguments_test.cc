#include "mcp/header_arguments.h"

#include <gtest/gtest.h>

#include "base/json_parse.h"

namespace toolpost::mcp {
namespace {

Result<std::vector<HeaderArgument>> Collect(std::string_view schema) {
  return CollectHeaderArguments(*base::ParseJson(schema));
}

TEST(HeaderArguments, CollectsNestedProperties) {
  const auto found = Collect(R"({"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "a":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"B"}}},
      "x-mcp-header":{"type":"string"}, "default":{"type":"boolean","x-mcp-header":"D"}}})");
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ((*found)[0].header, "Region");
  EXPECT_EQ((*found)[0].type, "string");
  EXPECT_EQ((*found)[1].path, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ((*found)[2].path, (std::vector<std::string>{"default"}));
}

TEST(HeaderArguments, RefusesWhatClientsDropTheToolFor) {
  const char* const bad[] = {
      R"({"properties":{"a":{"type":"string","x-mcp-header":""}}})",
      R"({"properties":{"a":{"type":"string","x-mcp-header":"a b"}}})",
      R"({"properties":{"a":{"type":"string","x-mcp-header":5}}})",
      R"({"properties":{"a":{"type":"number","x-mcp-header":"A"}}})",
      R"({"properties":{"a":{"x-mcp-header":"A"}}})",
      R"({"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}})",
      R"({"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}})",
      R"({"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}})",
      R"({"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]})",
      R"({"$defs":{"a":{"type":"string","x-mcp-header":"A"}}})",
      R"({"type":"string","x-mcp-header":"A"})",
  };
  for (const char* schema : bad) {
    const auto found = Collect(schema);
    ASSERT_FALSE(found) << schema;
    EXPECT_EQ(found.error().code, Code::kInvalidArgument);
  }
}

TEST(HeaderArguments, DataIsNoSchema) {
  const auto found =
      Collect(R"({"properties":{"a":{"type":"object","default":{"x-mcp-header":"A"}}}})");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->empty());
}

TEST(HeaderArguments, DeepSchemasAreRefused) {
  Json schema = JsonObject{};
  for (int i = 0; i < 200; ++i) schema = JsonObject{{"properties", {{"a", schema}}}};
  EXPECT_FALSE(CollectHeaderArguments(schema));
}

}  // namespace
}  // namespace toolpost::mcp
