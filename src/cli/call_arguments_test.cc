// Shell words become the JSON a tool expects.
#include "cli/call_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/json_parse.h"
#include "base/json_write.h"

namespace toolpost::cli {
namespace {

using ::testing::HasSubstr;

const char* const kSchema = R"({"type":"object","properties":{
  "path":{"type":"string"},"limit":{"type":"integer"},"deep":{"type":"boolean"},"tags":{"type":"array"},
  "note":{"type":["string","null"]},"any":{}}})";

std::string Build(std::vector<std::string> words, const char* schema = kSchema) {
  Result<JsonObject> arguments = ArgumentsFromWords(*base::ParseJson(schema), words);
  return arguments ? base::ToJson(*std::move(arguments)) : arguments.error().message;
}

TEST(CallArguments, TheSchemaDecidesBetweenTextAndJson) {
  EXPECT_EQ(Build({"path=5", "limit=5", "deep=true", R"(tags=["a",1])"}),
            R"({"path":"5","limit":5,"deep":true,"tags":["a",1]})");
}

TEST(CallArguments, TextStaysTextEvenIfItLooksLikeJson) {
  EXPECT_EQ(Build({"path=null", R"(note={"a":1})"}), R"({"path":"null","note":"{\"a\":1}"})");
}

TEST(CallArguments, WhatIsNotJsonIsPassedOnForTheToolToExplain) {
  EXPECT_EQ(Build({"limit=many", "any=", "deep=yes"}), R"({"limit":"many","any":"","deep":"yes"})");
}

TEST(CallArguments, UnknownKeysAndMissingSchemaFallBackToJson) {
  EXPECT_EQ(Build({"x=null", "y=a=b"}), R"({"x":null,"y":"a=b"})");
  EXPECT_EQ(Build({"path=1"}, "null"), R"({"path":1})");
  EXPECT_EQ(Build({"path=1"}, R"({"properties":[]})"), R"({"path":1})");
}

TEST(CallArguments, RefusesWordsWithoutKeyAndRepeatedKeys) {
  EXPECT_THAT(Build({"path"}), HasSubstr("Argument 1 is not key=value"));
  EXPECT_THAT(Build({"=1"}), HasSubstr("is not key=value"));
  EXPECT_THAT(Build({"limit=1", "limit=2"}), HasSubstr("Argument limit is given twice"));
}

}  // namespace
}  // namespace toolpost::cli
