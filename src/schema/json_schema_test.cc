// JsonSchema: messages, refusals at compile time, bounds, threads.
#include "schema/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/json_parse.h"
#include "base/strings.h"

namespace toolpost::schema {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Json Parse(std::string_view text) { return *base::ParseJson(text, {}, 5000); }

JsonSchema Compiled(std::string_view text) {
  auto schema = JsonSchema::Compile(Parse(text));
  if (!schema) throw std::runtime_error(schema.error().message);
  return *std::move(schema);
}

std::vector<std::string> Lines(const std::vector<Violation>& violations) {
  std::vector<std::string> lines;
  for (const Violation& v : violations)
    lines.push_back(base::StrCat(v.path, " [", v.rule, "] ", v.expected));
  return lines;
}

std::vector<std::string> Check(std::string_view schema, std::string_view instance) {
  return Lines(Compiled(schema).Validate(Parse(instance)));
}

std::string Refusal(std::string_view text, const JsonSchema::Options& options = {}) {
  const auto schema = JsonSchema::Compile(Parse(text), options);
  EXPECT_FALSE(schema) << text;
  if (schema) return {};
  EXPECT_EQ(schema.error().code, Code::kInvalidArgument);
  return schema.error().message;
}

constexpr std::string_view kReadFile = R"({
  "type": "object",
  "properties": {
    "path": {"type": "string", "minLength": 1, "maxLength": 200},
    "encoding": {"enum": ["utf-8", "base64", "hex"]},
    "limit": {"type": "integer", "minimum": 1, "maximum": 100}
  },
  "required": ["path"], "additionalProperties": false})";

TEST(JsonSchema, AcceptsValidArgumentsAsValueAndAsBareObject) {
  const JsonSchema schema = Compiled(kReadFile);
  const Json instance = Parse(R"({"path":"a.txt","encoding":"hex","limit":5})");
  EXPECT_TRUE(schema.IsValid(instance));
  EXPECT_THAT(schema.Validate(instance), IsEmpty());
  EXPECT_THAT(schema.Validate(instance.get_object()), IsEmpty());
}

TEST(JsonSchema, ReportsAllViolationsInDocumentOrder) {
  EXPECT_THAT(
      Check(kReadFile, R"({"limit":0,"pth":1,"encoding":"utf8"})"),
      ElementsAre(
          "/path [required] is required", "/limit [minimum] must be at least 1",
          "/pth [additionalProperties] is not a known argument; allowed: path, encoding, limit; "
          "did you mean \"path\"?",
          "/encoding [enum] must be one of \"utf-8\", \"base64\", \"hex\""));
}

TEST(JsonSchema, SaysWhatTypeIsExpectedAndWhatWasGiven) {
  EXPECT_THAT(Check(R"({"type":"string"})", "1"),
              ElementsAre(" [type] must be a string, not a number"));
  EXPECT_THAT(Check(R"({"type":["string","null"]})", "{}"),
              ElementsAre(" [type] must be a string or null, not an object"));
  EXPECT_THAT(Check(R"({"type":"integer"})", "1.5"),
              ElementsAre(" [type] must be an integer, not a number with a fraction"));
  EXPECT_THAT(Check(R"({"type":"number"})", "null"),
              ElementsAre(" [type] must be a number, not null"));
  EXPECT_THAT(Check(R"({"type":["array","object","boolean"]})", "\"x\""),
              ElementsAre(" [type] must be a boolean, an array or an object, not a string"));
}

TEST(JsonSchema, SaysWhichLimitIsBroken) {
  EXPECT_THAT(Check(R"({"maxLength":2})", "\"äöü\""),
              ElementsAre(" [maxLength] must be at most 2 characters"));
  EXPECT_THAT(Check(R"({"maxLength":3,"minLength":3})", "\"äöü\""), IsEmpty());
  EXPECT_THAT(Check(R"({"minLength":1})", "\"\""),
              ElementsAre(" [minLength] must be at least 1 character"));
  EXPECT_THAT(Check(R"({"pattern":"^[a-z]+$"})", "\"A\""),
              ElementsAre(" [pattern] must match the pattern ^[a-z]+$"));
  EXPECT_THAT(Check(R"({"exclusiveMinimum":0.5,"multipleOf":2})", "-1"),
              ElementsAre(" [exclusiveMinimum] must be greater than 0.5",
                          " [multipleOf] must be a multiple of 2"));
  EXPECT_THAT(
      Check(R"({"exclusiveMaximum":1,"maximum":0})", "1"),
      ElementsAre(" [maximum] must be at most 0", " [exclusiveMaximum] must be less than 1"));
  EXPECT_THAT(Check(R"({"minItems":1})", "[]"),
              ElementsAre(" [minItems] must have at least 1 item"));
  EXPECT_THAT(Check(R"({"maxItems":2})", "[1,2,3]"),
              ElementsAre(" [maxItems] must have at most 2 items"));
  EXPECT_THAT(Check(R"({"maxProperties":0})", R"({"a":1})"),
              ElementsAre(" [maxProperties] must have at most 0 properties"));
  EXPECT_THAT(
      Check(R"({"uniqueItems":true})", "[1,2,1.0]"),
      ElementsAre(" [uniqueItems] must not hold equal items, but the items 0 and 2 are equal"));
  EXPECT_THAT(Check(R"({"const":{"a":1}})", "2"), ElementsAre(" [const] must be {\"a\":1}"));
}

TEST(JsonSchema, SummarisesAlternatives) {
  EXPECT_THAT(Check(R"({"anyOf":[{"type":"string","minLength":2},{"type":"null"}]})", "1"),
              ElementsAre(" [anyOf] must be a string or null, not a number"));
  EXPECT_THAT(Check(R"({"oneOf":[{"const":"a"},{"const":"b"}]})", "\"c\""),
              ElementsAre(" [oneOf] must be one of \"a\", \"b\""));
  EXPECT_THAT(
      Check(R"({"anyOf":[{"minLength":3},{"maxLength":1}]})", "\"xx\""),
      ElementsAre(" [anyOf] must match at least one of the 2 allowed forms, but matches none"));
  EXPECT_THAT(
      Check(R"({"oneOf":[{"minimum":1},{"minimum":2}]})", "3"),
      ElementsAre(
          " [oneOf] must match exactly one of the 2 allowed forms, but matches more than one"));
  EXPECT_THAT(Check(R"({"not":{"type":"null"}})", "null"),
              ElementsAre(" [not] has a form that is not allowed"));
}

TEST(JsonSchema, PointsIntoNestedValues) {
  EXPECT_THAT(Check(R"({"properties":{"a/b":{"items":{"properties":{"x~":{"type":"null"}},
                        "required":["y"],"additionalProperties":false}}}})",
                    R"({"a/b":[{"y":1},{"x~":1}]})"),
              ElementsAre("/a~1b/0/y [additionalProperties] is not a known property; allowed: x~",
                          "/a~1b/1/y [required] is required",
                          "/a~1b/1/x~0 [type] must be null, not a number"));
}

TEST(JsonSchema, ReportsNamesDependenciesAndUnevaluatedMembers) {
  EXPECT_THAT(Check(R"({"propertyNames":{"pattern":"^a"}})", R"({"b":1})"),
              ElementsAre("/b [propertyNames] has a name that must match the pattern ^a"));
  EXPECT_THAT(Check(R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})"),
              ElementsAre("/b [dependentRequired] is required when \"a\" is given"));
  EXPECT_THAT(Check(R"({"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false})",
                    R"({"a":1,"b":2})"),
              ElementsAre("/b [unevaluatedProperties] is not a known argument"));
  EXPECT_THAT(Check(R"({"prefixItems":[true],"items":false})", "[1,2]"),
              ElementsAre("/1 [items] is one item too many; at most 1 item is allowed"));
  EXPECT_THAT(Check(R"({"contains":{"type":"string"},"minContains":2})", R"(["a",1])"),
              ElementsAre(" [minContains] must contain at least 2 matching items"));
  EXPECT_THAT(Check(R"({"additionalProperties":false})", R"({"a":1})"),
              ElementsAre("/a [additionalProperties] is not a known argument; none are allowed"));
  EXPECT_THAT(Check(R"({"properties":{"a":false}})", R"({"a":1})"),
              ElementsAre("/a [false] is not allowed"));
}

TEST(JsonSchema, DoesNotRepeatAViolationReachedTwice) {
  EXPECT_THAT(
      Check(
          R"({"$defs":{"s":{"type":"string"}},"allOf":[{"$ref":"#/$defs/s"},{"$ref":"#/$defs/s"}]})",
          "1"),
      ElementsAre(" [type] must be a string, not a number"));
}

TEST(JsonSchema, ListsAtMostTwelveNamesAndCutsLongOnes) {
  std::string properties;
  for (int i = 0; i < 20; ++i) properties += base::StrCat(i ? "," : "", "\"p", i, "\":true");
  const auto lines =
      Check(base::StrCat(R"({"additionalProperties":false,"properties":{)", properties, "}}"),
            base::StrCat("{\"", std::string(100'000, 'z'), "\":1}"));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("p10, p11 and 8 more"));
  EXPECT_LT(lines[0].size(), 500u);
}

TEST(JsonSchema, StopsAtTheMaximumOfViolations) {
  const JsonSchema schema = Compiled(R"({"items":{"type":"string"}})");
  const Json instance = JsonArray(1000, Json(1));
  EXPECT_EQ(schema.Validate(instance).size(), 20u);
  EXPECT_EQ(schema.Validate(instance, 3).size(), 3u);
  EXPECT_EQ(schema.Validate(instance, 0).size(), 1u) << "an empty list would read as valid";
}

TEST(JsonSchema, ComparesNumbersExactly) {
  EXPECT_THAT(Check(R"({"const":1})", "1.0"), IsEmpty());
  EXPECT_FALSE(Compiled(R"({"const":9007199254740993})").IsValid(Json(9007199254740992.0)));
  EXPECT_FALSE(Compiled(R"({"maximum":9007199254740992.0})").IsValid(Json(9007199254740993)));
  EXPECT_TRUE(
      Compiled(R"({"minimum":18446744073709551615})").IsValid(Json(18446744073709551616.0)));
  EXPECT_FALSE(Compiled(R"({"maximum":9223372036854775807})").IsValid(Json(9223372036854775808.0)));
  EXPECT_TRUE(Compiled(R"({"exclusiveMaximum":0})").IsValid(Json(-9223372036854775807 - 1)));
  EXPECT_FALSE(Compiled(R"({"exclusiveMinimum":-1})").IsValid(Json(-1.5)));
  EXPECT_TRUE(Compiled(R"({"multipleOf":0.01})").IsValid(Json(19.99)));
  EXPECT_TRUE(Compiled(R"({"multipleOf":0.1})").IsValid(Json(0.3)));
  EXPECT_FALSE(Compiled(R"({"multipleOf":0.01})").IsValid(Json(0.015)));
  EXPECT_FALSE(Compiled(R"({"multipleOf":0.123456789})").IsValid(Json(1e308)));
  EXPECT_TRUE(Compiled(R"({"multipleOf":5e-324})").IsValid(Json(1e308)));
  EXPECT_FALSE(Compiled(R"({"multipleOf":1e308})").IsValid(Json(5e-324)));
  EXPECT_TRUE(Compiled(R"({"multipleOf":2})").IsValid(Json(-9223372036854775807 - 1)));
  EXPECT_FALSE(Compiled(R"({"uniqueItems":true})")
                   .IsValid(Parse("[{\"a\":1,\"b\":2},{\"b\":2.0,\"a\":1}]")));
  EXPECT_TRUE(
      Compiled(R"({"uniqueItems":true})").IsValid(Parse("[0,false,null,\"\",[],{},\"0\"]")));
}

TEST(JsonSchema, FindsDuplicatesInLargeArraysQuickly) {
  const JsonSchema schema = Compiled(R"({"uniqueItems":true})");
  JsonArray items;
  for (int i = 0; i < 100'000; ++i) items.push_back(Json{{"id", i}, {"name", "same"}});
  EXPECT_TRUE(schema.IsValid(items));
  items.push_back(Json{{"name", "same"}, {"id", 77777.0}});
  EXPECT_FALSE(schema.IsValid(items));
  EXPECT_THAT(
      Lines(schema.Validate(Json(items))),
      ElementsAre(
          " [uniqueItems] must not hold equal items, but the items 77777 and 100000 are equal"));
}

TEST(JsonSchema, RefusesOtherDialects) {
  for (const char* uri :
       {"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
        "https://example.com/mine", ""}) {
    const std::string message = Refusal(base::StrCat("{\"$schema\":\"", uri, "\"}"));
    EXPECT_THAT(message, HasSubstr("unsupported $schema"));
    EXPECT_THAT(message,
                HasSubstr("only https://json-schema.org/draft/2020-12/schema is supported"));
  }
  EXPECT_TRUE(
      JsonSchema::Compile(Parse(R"({"$schema":"https://json-schema.org/draft/2020-12/schema#"})")));
}

TEST(JsonSchema, RefusesMetaSchemasThatNeedUnknownVocabularies) {
  JsonSchema::Options options;
  options.documents = [](std::string_view) -> std::optional<Json> {
    return Parse(
        R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/format-assertion":true}})");
  };
  EXPECT_THAT(Refusal(R"({"$schema":"https://example.com/mine"})", options),
              HasSubstr("needs the unknown vocabulary"));
}

TEST(JsonSchema, RefusesMalformedKeywordsSayingWhere) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"(1)", "schema: a schema must be an object, true or false"},
      {R"(null)", "a schema must be"},
      {R"({"properties":{"a":{"type":"strng"}}})", "schema at /properties/a/type: must be one of"},
      {R"({"type":[]})", "schema at /type"},
      {R"({"properties":[]})", "schema at /properties: must be an object of schemas"},
      {R"({"properties":{"a":3}})", "schema at /properties/a: a schema must be"},
      {R"({"allOf":[]})", "schema at /allOf: must be a list of at least one schema"},
      {R"({"anyOf":{}})", "schema at /anyOf"},
      {R"({"minLength":-1})", "schema at /minLength: must be a whole number"},
      {R"({"maxItems":1.5})", "schema at /maxItems"},
      {R"({"minimum":"1"})", "schema at /minimum: must be a number"},
      {R"({"multipleOf":0})", "schema at /multipleOf: must be greater than 0"},
      {R"({"enum":1})", "schema at /enum: must be a list of values"},
      {R"({"required":"a"})", "schema at /required: must be a list of names"},
      {R"({"required":[1]})", "schema at /required"},
      {R"({"dependentRequired":{"a":1}})", "schema at /dependentRequired"},
      {R"({"uniqueItems":1})", "schema at /uniqueItems"},
      {R"({"pattern":1})", "schema at /pattern"},
      {R"({"$defs":{"unused":{"pattern":"("}}})",
       "schema at /$defs/unused: the pattern ( is refused"},
      {R"x({"patternProperties":{"(?=a)":true}})x", "lookahead"},
      {R"({"$ref":1})", "schema at /$ref: must be a string"},
      {R"({"$ref":"#/nowhere"})", "there is nothing at /nowhere"},
      {R"({"$ref":"#/type","type":"string"})", "a schema must be an object"},
      {R"({"$ref":"#none"})", "there is no anchor none"},
      {R"({"$ref":"https://example.com/x"})",
       "the document https://example.com/x is not available"},
      {R"({"$id":"a#b"})", "$id must not have a fragment"},
      {R"({"$id":1})", "$id must be a string"},
      {R"({"$anchor":"1"})", "$anchor is not a valid name"},
      {R"({"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}})", "used twice"},
      {R"({"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}})", "used twice"},
  };
  for (const auto& [schema, expected] : cases)
    EXPECT_THAT(Refusal(schema), HasSubstr(expected)) << schema;
}

TEST(JsonSchema, TurnsExceptionsOfTheDocumentSourceIntoErrors) {
  JsonSchema::Options options;
  options.documents = [](std::string_view) -> std::optional<Json> {
    throw std::runtime_error("secret");
  };
  const auto schema = JsonSchema::Compile(Parse(R"({"$ref":"other.json"})"), options);
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().message.find("secret"), std::string::npos);
}

TEST(JsonSchema, EndlessDocumentChainsEnd) {
  JsonSchema::Options options;
  options.documents = [](std::string_view uri) -> std::optional<Json> {
    return Json{{"$ref", base::StrCat(uri, "x")}};
  };
  EXPECT_THAT(Refusal(R"({"$ref":"http://a/x"})", options), HasSubstr("is not available"));
}

TEST(JsonSchema, RefusesTooManySubschemas) {
  JsonArray all;
  for (int i = 0; i < 10'000; ++i) all.push_back(JsonObject());
  const auto schema = JsonSchema::Compile(Json{{"allOf", all}});
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().message, HasSubstr("more than the allowed 10000 subschemas"));
  all.pop_back();
  EXPECT_TRUE(JsonSchema::Compile(Json{{"allOf", all}}));
}

TEST(JsonSchema, RefusesTooDeepSchemas) {
  std::string text = "true";
  for (int i = 0; i < 1000; ++i) text = R"({"not":)" + text + "}";
  EXPECT_THAT(Refusal(text), HasSubstr("nested deeper"));
}

TEST(JsonSchema, EndlessReferencesEnd) {
  for (const char* text :
       {R"({"$ref":"#"})", R"({"not":{"$ref":"#"}})", R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})",
        R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"})",
        R"({"$dynamicAnchor":"x","$dynamicRef":"#x"})", R"({"if":{"$ref":"#"},"else":true})"}) {
    const JsonSchema schema = Compiled(text);
    EXPECT_FALSE(schema.IsValid(Json(1))) << text;
    EXPECT_THAT(Lines(schema.Validate(Json(1))),
                ElementsAre(" [limit] is too large or too deeply nested to be checked completely"))
        << text;
  }
}

TEST(JsonSchema, LongChainsOfReferencesCompileWithoutRecursion) {
  JsonObject defs;
  for (int i = 0; i < 4000; ++i)
    defs[base::StrCat("d", i)] = Json{{"$ref", base::StrCat("#/$defs/d", i + 1)}};
  defs["d4000"] = true;
  EXPECT_TRUE(JsonSchema::Compile(Json{{"$defs", defs}, {"$ref", "#/$defs/d0"}}));
}

// Doubles the work at each of 40 levels.
std::string Bomb(std::string_view keyword) {
  std::string defs = R"("d40":{"type":"string"})";
  for (int i = 0; i < 40; ++i) {
    const std::string next = base::StrCat("{\"$ref\":\"#/$defs/d", i + 1, "\"}");
    defs += base::StrCat(",\"d", i, "\":{\"", keyword, "\":[", next, ",", next, "]}");
  }
  return base::StrCat("{\"$ref\":\"#/$defs/d0\",\"$defs\":{", defs, "}}");
}

TEST(JsonSchema, ExponentialSchemasStopAtTheStepLimit) {
  EXPECT_FALSE(Compiled(Bomb("anyOf")).IsValid(Json(1)));
  EXPECT_FALSE(Compiled(Bomb("allOf")).IsValid(Json("x")));
  EXPECT_FALSE(Compiled(Bomb("oneOf")).IsValid(Json(1)));
  EXPECT_EQ(Lines(Compiled(Bomb("anyOf")).Validate(Json(1))).size(), 1u);
}

TEST(JsonSchema, StepsBoundTheWork) {
  const JsonSchema schema = Compiled(R"({"items":{"type":"integer"}})");
  const Json instance = JsonArray(1000, Json(1));
  EXPECT_TRUE(schema.IsValid(instance));
  EXPECT_FALSE(schema.IsValid(instance, 500));
  EXPECT_THAT(Lines(schema.Validate(instance, 20, 500)),
              ElementsAre(" [limit] is too large or too deeply nested to be checked completely"));
  EXPECT_FALSE(Compiled(R"({"not":{"items":{"type":"string"}}})").IsValid(instance, 0));
}

TEST(JsonSchema, DeepValuesUnderRecursiveSchemas) {
  const JsonSchema schema = Compiled(R"({"type":"array","items":{"$ref":"#"}})");
  std::string text = "[]";
  for (int i = 0; i < 100; ++i) text = "[" + text + "]";
  EXPECT_TRUE(schema.IsValid(Parse(text)));
  for (int i = 0; i < 1000; ++i) text = "[" + text + "]";
  EXPECT_FALSE(schema.IsValid(Parse(text)));
}

TEST(JsonSchema, OutlivesTheArenaOfItsSource) {
  std::optional<JsonSchema> schema;
  {
    Json source = Parse(
        R"({"enum":["a-string-that-is-long-enough-for-the-heap"],"properties":{"k":{"const":[1]}}})");
    schema.emplace(*JsonSchema::Compile(source));
  }
  EXPECT_TRUE(schema->IsValid(Json("a-string-that-is-long-enough-for-the-heap")));
}

TEST(JsonSchema, NullIsAValueLikeAnyOther) {
  EXPECT_THAT(Check(R"({"const":null})", "null"), IsEmpty());
  EXPECT_THAT(Check(R"({"enum":[null,1]})", "2"), ElementsAre(" [enum] must be one of null, 1"));
  EXPECT_THAT(Check(R"({"required":["a"]})", R"({"a":null})"), IsEmpty());
  EXPECT_THAT(Check(R"({"minLength":3,"minimum":3,"minItems":3,"required":["a"]})", "null"),
              IsEmpty());
}

TEST(JsonSchema, FormatsOnlyAnnotate) {
  EXPECT_THAT(Check(R"({"format":"email"})", "\"no\""), IsEmpty());
}

TEST(JsonSchema, ValidatesOnManyThreadsAtOnce) {
  const JsonSchema schema =
      Compiled(R"({"$defs":{"n":{"type":"object","properties":{"v":{"pattern":"^\\p{L}+$"},
      "next":{"$ref":"#/$defs/n"}},"unevaluatedProperties":false}},"$ref":"#/$defs/n"})");
  const Json good = Parse(R"({"v":"é","next":{"v":"b","next":{"v":"c"}}})");
  const Json bad = Parse(R"({"v":"é","next":{"v":"1","nxt":{}}})");
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        EXPECT_TRUE(schema.IsValid(good));
        EXPECT_EQ(schema.Validate(bad).size(), 2u);
      }
    });
  }
}

}  // namespace
}  // namespace toolpost::schema
