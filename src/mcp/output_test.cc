// What the public headers build: tools from functions, requests for input.
#include <gtest/gtest.h>

#include <cstdint>

#include "base/json_write.h"
#include "toolpost/context.h"
#include "toolpost/tool.h"

namespace toolpost {
namespace {

struct Point {
  std::int64_t x = 0;
  static constexpr auto Fields() { return std::tuple{Req("x", &Point::x)}; }
};

Result<Point> Double(const Point& in, CallContext&) { return Point{in.x * 2}; }

TEST(Tool, MakeToolTakesAFunction) {
  const Tool tool = MakeTool({.name = "math/double"}, Double);
  EXPECT_EQ(*tool.input_schema, InputSchemaOf<Point>());
  EXPECT_EQ(*tool.output_schema, OutputSchemaOf<Point>());
  EXPECT_TRUE(tool.handler);
}

TEST(InputRequest, ParamsAreThoseOfTheMethod) {
  EXPECT_EQ(base::ToJson(InputRequest::Elicit("k", "Sure?", {{"type", "object"}}).params),
            R"({"message":"Sure?","requestedSchema":{"type":"object"}})");
  EXPECT_EQ(base::ToJson(InputRequest::ElicitUrl("k", "Log in", "https://example.com/").params),
            R"({"mode":"url","message":"Log in","url":"https://example.com/"})");
  EXPECT_EQ(InputRequest::Sample("k", {}).method, "sampling/createMessage");
  EXPECT_EQ(InputRequest::Roots("k").method, "roots/list");
}

}  // namespace
}  // namespace toolpost
