#include "api/typescript.h"

#include <gtest/gtest.h>

#include "base/json_parse.h"

namespace toolpost::api {
namespace {

std::string TypeOf(std::string_view schema) { return TypeScriptOf(*base::ParseJson(schema)); }

TEST(TypeScript, Scalars) {
  EXPECT_EQ(TypeOf(R"({"type":"string","maxLength":3})"), "string");
  EXPECT_EQ(TypeOf(R"({"type":"integer"})"), "number");
  EXPECT_EQ(TypeOf(R"({"type":"number"})"), "number");
  EXPECT_EQ(TypeOf(R"({"type":"boolean"})"), "boolean");
  EXPECT_EQ(TypeOf(R"({"type":["string","null","integer","number"]})"), "string | null | number");
}

TEST(TypeScript, Literals) {
  EXPECT_EQ(TypeOf(R"({"type":"string","enum":["a","b\"c"]})"), R"("a" | "b\"c")");
  EXPECT_EQ(TypeOf(R"({"const":true})"), "true");
  EXPECT_EQ(TypeOf(R"({"enum":[]})"), "never");
}

TEST(TypeScript, WhatIsNotSaidIsUnknown) {
  for (const char* schema : {"{}", "true", "1", R"({"type":"date"})", R"({"type":5})",
                             R"({"description":"x"})", R"({"$ref":"#/x"})"})
    EXPECT_EQ(TypeOf(schema), "unknown") << schema;
  EXPECT_EQ(TypeOf("false"), "never");
}

TEST(TypeScript, Arrays) {
  EXPECT_EQ(TypeOf(R"({"type":"array"})"), "unknown[]");
  EXPECT_EQ(TypeOf(R"({"type":"array","items":{"type":"string"}})"), "string[]");
  EXPECT_EQ(TypeOf(R"({"type":"array","items":{"enum":["a","b"]}})"), R"(Array<"a" | "b">)");
}

TEST(TypeScript, Objects) {
  EXPECT_EQ(TypeOf(R"({"type":"object"})"), "Record<string, unknown>");
  EXPECT_EQ(TypeOf(R"({"type":"object","additionalProperties":false})"), "Record<string, never>");
  EXPECT_EQ(TypeOf(R"({"type":"object","additionalProperties":{"type":"string"}})"),
            "Record<string, string>");
  EXPECT_EQ(TypeOf(R"({"type":"object","required":["a"],"properties":{)"
                   R"("a":{"type":"string","description":"Of it."},)"
                   R"("b-c":{"type":"object","properties":{"d":{}}}}})"),
            "{\n  /** Of it. */\n  a: string;\n  \"b-c\"?: {\n    d?: unknown;\n  };\n}");
}

TEST(TypeScript, Unions) {
  EXPECT_EQ(TypeOf(R"({"anyOf":[{"type":"string"},{"type":"null"},{"type":"string"}]})"),
            "string | null");
}

TEST(TypeScript, DescriptionsCannotLeaveTheirComment) {
  const std::string text =
      TypeScriptDeclaration("N", *base::ParseJson(R"({"type":"string"})"), "a */ b\n// c */");
  EXPECT_EQ(text, "/** a * / b // c * / */\nexport type N = string;\n");
}

TEST(TypeScript, ObjectsAreInterfaces) {
  EXPECT_EQ(TypeScriptDeclaration(
                "N", *base::ParseJson(R"({"type":"object","properties":{"a":{"type":"null"}}})")),
            "export interface N {\n  a?: null;\n}\n");
  EXPECT_EQ(TypeScriptDeclaration(
                "N", *base::ParseJson(R"({"anyOf":[{"type":"object","properties":{"a":{}}},)"
                                      R"({"type":"object","properties":{"b":{}}}]})")),
            "export type N = {\n  a?: unknown;\n} | {\n  b?: unknown;\n};\n");
}

}  // namespace
}  // namespace toolpost::api
