// Typed fields: schemas, decoding, encoding.
#include "toolpost/schema.h"

#include <gtest/gtest.h>

#include "base/json_parse.h"
#include "base/json_write.h"
#include "schema/json_schema.h"

namespace toolpost {

enum class Color { kRed, kGreen };
template <>
struct EnumNames<Color> {
  static constexpr std::pair<Color, std::string_view> kNames[] = {{Color::kRed, "red"},
                                                                  {Color::kGreen, "green"}};
};

namespace {

Json Parse(std::string_view text) { return *base::ParseJson(text); }
JsonObject Object(std::string_view text) { return Parse(text).as_object(); }

struct Nothing {
  static constexpr auto Fields() { return std::tuple{}; }
};

struct Point {
  std::int64_t x = 0;
  std::optional<std::int64_t> y;
  static constexpr auto Fields() { return std::tuple{Req("x", &Point::x), Opt("y", &Point::y)}; }
};

struct Args {
  std::int64_t task_id = 0;
  int limit = 7;
  bool deep = false;
  double ratio = 0;
  std::string encoding;
  Color color = Color::kRed;
  std::optional<Color> other;
  std::optional<std::string> region;
  std::vector<std::string> names;
  std::map<std::string, std::int64_t> counts;
  Point at;
  std::vector<Point> path;
  Json anything;
  static constexpr auto Fields() {
    return std::tuple{
        Req("task_id", &Args::task_id, "Id of the task.").Positive(),
        Opt("limit", &Args::limit, "Rows.").Range(1, 200).Default(50),
        Opt("deep", &Args::deep, "Also below.").Default(true),
        Opt("ratio", &Args::ratio, "Share.").Range(0.5, 2).Default(1.5),
        Opt("encoding", &Args::encoding, "Encoding.").OneOf({"utf-8", "hex"}).Default("utf-8"),
        Opt("color", &Args::color, "Colour.").Default(Color::kGreen),
        Opt("other", &Args::other),
        Opt("region", &Args::region, "Where.")
            .Pattern("^[a-z]+$")
            .MinLength(2)
            .MaxLength(9)
            .Header("Region"),
        Opt("names", &Args::names, "Names.").MinItems(1).MaxItems(3).MaxLength(4),
        Opt("counts", &Args::counts, "Counts.").Min(0),
        Opt("at", &Args::at, "Place."),
        Opt("path", &Args::path, "Places."),
        Opt("anything", &Args::anything, "Anything.")};
  }
};

TEST(Schema, NoFields) {
  EXPECT_EQ(InputSchemaOf<Nothing>(), Parse(R"({"type":"object","additionalProperties":false})"));
  EXPECT_EQ(OutputSchemaOf<Nothing>(), Parse(R"({"type":"object"})"));
  EXPECT_TRUE(Decode<Nothing>({}));
  EXPECT_EQ(Encode(Nothing{}), Parse("{}"));
}

TEST(Schema, EveryTypeAndRule) {
  EXPECT_EQ(InputSchemaOf<Args>(), Parse(R"({"type":"object","properties":{
    "task_id":{"type":"integer","minimum":1,"description":"Id of the task."},
    "limit":{"type":"integer","minimum":1,"maximum":200,"default":50,"description":"Rows."},
    "deep":{"type":"boolean","default":true,"description":"Also below."},
    "ratio":{"type":"number","minimum":0.5,"maximum":2,"default":1.5,"description":"Share."},
    "encoding":{"type":"string","enum":["utf-8","hex"],"default":"utf-8","description":"Encoding."},
    "color":{"type":"string","default":"green","enum":["red","green"],"description":"Colour."},
    "other":{"type":"string","enum":["red","green"]},
    "region":{"type":"string","minLength":2,"maxLength":9,"pattern":"^[a-z]+$","x-mcp-header":"Region","description":"Where."},
    "names":{"type":"array","items":{"type":"string","maxLength":4},"minItems":1,"maxItems":3,"description":"Names."},
    "counts":{"type":"object","additionalProperties":{"type":"integer","minimum":0},"description":"Counts."},
    "at":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],
          "additionalProperties":false,"description":"Place."},
    "path":{"type":"array","items":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},
            "required":["x"],"additionalProperties":false},"description":"Places."},
    "anything":{"description":"Anything."}},
    "required":["task_id"],"additionalProperties":false})"));
  EXPECT_TRUE(schema::JsonSchema::Compile(InputSchemaOf<Args>()));
}

TEST(Schema, OutputAllowsMoreProperties) {
  EXPECT_EQ(
      OutputSchemaOf<Point>(),
      Parse(
          R"({"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"]})"));
  EXPECT_EQ(OutputSchemaOf<std::vector<Point>>().at("type"), "array");
}

TEST(Schema, AbsentAndNullTakeDefaults) {
  const auto args = Decode<Args>(Object(R"({"task_id":3,"limit":null,"other":null})"));
  ASSERT_TRUE(args) << args.error().message;
  EXPECT_EQ(args->task_id, 3);
  EXPECT_EQ(args->limit, 50);
  EXPECT_TRUE(args->deep);
  EXPECT_EQ(args->ratio, 1.5);
  EXPECT_EQ(args->encoding, "utf-8");
  EXPECT_EQ(args->color, Color::kGreen);
  EXPECT_FALSE(args->other);
  EXPECT_FALSE(args->region);
  EXPECT_TRUE(args->names.empty());
  EXPECT_TRUE(args->anything.is_null());
}

TEST(Schema, DecodesEveryType) {
  const auto args = Decode<Args>(Object(
      R"({"task_id":9007199254740993,"limit":2,"deep":false,"ratio":2,"encoding":"hex","color":"red","other":"green",
          "region":"eu","names":["a","b"],"counts":{"k":4},"at":{"x":1,"y":2},"path":[{"x":5}],"anything":[1,{"a":null}]})"));
  ASSERT_TRUE(args) << args.error().message;
  EXPECT_EQ(args->task_id, 9007199254740993);
  EXPECT_EQ(args->limit, 2);
  EXPECT_FALSE(args->deep);
  EXPECT_EQ(args->ratio, 2.0);
  EXPECT_EQ(args->encoding, "hex");
  EXPECT_EQ(args->color, Color::kRed);
  EXPECT_EQ(args->other, Color::kGreen);
  EXPECT_EQ(args->region, "eu");
  EXPECT_EQ(args->names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(args->counts.at("k"), 4);
  EXPECT_EQ(args->at.y, 2);
  ASSERT_EQ(args->path.size(), 1u);
  EXPECT_FALSE(args->path[0].y);
  EXPECT_EQ(base::ToJson(args->anything), R"([1,{"a":null}])");
}

TEST(Schema, DecodeRefusesWhatTheTypeCannotHold) {
  const char* const bad[] = {
      R"({})",
      R"({"task_id":null})",
      R"({"task_id":"3"})",
      R"({"task_id":1.5})",
      R"({"task_id":1e30})",
      R"({"task_id":18446744073709551615})",
      R"({"task_id":1,"limit":2147483648})",
      R"({"task_id":1,"deep":0})",
      R"({"task_id":1,"ratio":"x"})",
      R"({"task_id":1,"encoding":5})",
      R"({"task_id":1,"color":"blue"})",
      R"({"task_id":1,"names":"a"})",
      R"({"task_id":1,"names":[null]})",
      R"({"task_id":1,"counts":[]})",
      R"({"task_id":1,"at":{}})",
      R"({"task_id":1,"path":[3]})",
  };
  for (const char* text : bad) {
    const auto args = Decode<Args>(Object(text));
    ASSERT_FALSE(args) << text;
    EXPECT_EQ(args.error().code, Code::kInvalidArgument);
  }
}

TEST(Schema, IntegersMaySpellAFraction) {
  const auto args = Decode<Args>(Object(R"({"task_id":3.0})"));
  ASSERT_TRUE(args);
  EXPECT_EQ(args->task_id, 3);
}

TEST(Schema, EncodeLeavesOutAbsentOptionals) {
  EXPECT_EQ(base::ToJson(Encode(Point{1, {}})), R"({"x":1})");
  EXPECT_EQ(base::ToJson(Encode(Point{1, 2})), R"({"x":1,"y":2})");
  EXPECT_EQ(base::ToJson(Encode(std::vector<Point>{{1, {}}, {2, 3}})),
            R"([{"x":1},{"x":2,"y":3}])");
}

TEST(Schema, EncodedValuesFitTheirOwnSchema) {
  Args args;
  args.task_id = 4;
  args.names = {"a"};
  args.counts = {{"k", 1}};
  args.encoding = "hex";
  args.ratio = 1;
  const auto schema = schema::JsonSchema::Compile(OutputSchemaOf<Args>());
  ASSERT_TRUE(schema);
  const auto violations = schema->Validate(Encode(args));
  EXPECT_TRUE(violations.empty()) << violations.front().path << " " << violations.front().expected;
}

struct Nullable {
  std::optional<std::string> note;
  static constexpr auto Fields() { return std::tuple{Req("note", &Nullable::note)}; }
};

TEST(Schema, RequiredOptionalIsNullable) {
  EXPECT_EQ(OutputSchemaOf<Nullable>().at("properties").at("note"),
            Parse(R"({"type":["string","null"]})"));
  EXPECT_EQ(base::ToJson(Encode(Nullable{})), R"({"note":null})");
  EXPECT_TRUE(Decode<Nullable>(Object(R"({"note":null})")));
}

}  // namespace
}  // namespace toolpost
