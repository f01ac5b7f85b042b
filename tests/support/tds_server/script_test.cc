#include "tds_server/script.h"

#include <gtest/gtest.h>

#include "tds_server/rules.h"

namespace toolpost::tds_server {
namespace {

std::string Problem(std::string_view json) {
  const auto script = ParseScript(json);
  return script ? "" : script.error().message;
}

TEST(Script, SaysWhatIsWrong) {
  EXPECT_NE(Problem("{"), "");
  EXPECT_EQ(Problem("[]"), "The script is no object");
  EXPECT_EQ(Problem(R"({"rule": []})"), "The script has a member that is not known");
  EXPECT_EQ(Problem(R"({"rules": [{"tag": 1}]})"), "rules[0]: `tag` must be text");
  EXPECT_EQ(Problem(R"({"rules": [{"steps": [{"what": 1}]}]})"),
            "rules[0].steps[0] is no known step");
  EXPECT_EQ(Problem(R"({"rules": [{"steps": [{"count": 1, "x": 1}]}]})"),
            "rules[0].steps[0] has a member that is not known");
  EXPECT_EQ(Problem(R"({"otherwise": [{"rows": [[1]]}]})"),
            "otherwise has rows before any columns");
  EXPECT_EQ(
      Problem(R"({"otherwise": [{"columns": [{"name": "a", "type": "int"}], "rows": [["x"]]}]})"),
      "otherwise: A value is no int: \"x\"");
  EXPECT_EQ(Problem(R"({"otherwise": [{"columns": [{"name": "a"}], "rows": [[1, 2]]}]})"),
            "otherwise: A row has 2 values for 1 columns");
  EXPECT_EQ(Problem(R"({"faults": {"login": "late"}})"), "`late` is no fault: silent or cut");
}

TEST(Tag, IsTheFirstCommentOfItsForm) {
  EXPECT_EQ(TagOf("/* toolpost:tables */ SELECT 1"), "toolpost:tables");
  EXPECT_EQ(TagOf("/* no tag: a b */ SELECT /*a:b*/ 1"), "a:b");
  EXPECT_EQ(TagOf("SELECT 1 /* open:"), "");
  EXPECT_EQ(TagOf("SELECT 1"), "");
}

class Chosen : public ::testing::Test {
 protected:
  static std::int64_t Count(Rules& rules, const Received& request) {
    const Rules::Steps chosen = rules.Choose(request);
    const auto* count = std::get_if<CountStep>(&chosen.steps.front());
    return count == nullptr ? -1 : count->rows;
  }
};

TEST_F(Chosen, TheFirstRuleThatFitsAndIsNotUsedUp) {
  Rules rules(*ParseScript(R"({"rules": [
    {"tag": "t:a", "times": 1, "steps": [{"count": 1}]},
    {"tag": "t:a", "parameters": {"1": 7, "@x": "y"}, "steps": [{"count": 2}]},
    {"tag": "t:a", "steps": [{"count": 3}]},
    {"text": "exact", "steps": [{"count": 4}]},
    {"prefix": "set ", "steps": [{"count": 5}]},
    {"procedure": "sp_who", "steps": [{"count": 6}]}]})"));
  const Received tagged{.text = "/* t:a */"};
  EXPECT_EQ(Count(rules, tagged), 1);
  EXPECT_EQ(Count(rules, tagged), 3);
  Received with = tagged;
  with.parameters = {{.name = "", .value = Json(7)}, {.name = "@x", .value = Json("y")}};
  EXPECT_EQ(Count(rules, with), 2);
  with.parameters[1].value = Json("z");
  EXPECT_EQ(Count(rules, with), 3);
  EXPECT_EQ(Count(rules, {.text = "exact"}), 4);
  EXPECT_EQ(Count(rules, {.text = "set textsize 1"}), 5);
  EXPECT_EQ(Count(rules, {.procedure = "sp_who"}), 6);
  EXPECT_EQ(Count(rules, {.text = "exactly"}), -1);
}

}  // namespace
}  // namespace toolpost::tds_server
