// Every tool × property: a wrong type, a missing, an unknown and an over-limit value are refused
// before the handler runs.
#include "tests/contract/shipped_tools.h"

namespace toolpost {
namespace {

// Exempt by decision D8.
bool Exempt(const Tool& tool) { return !tool.validate; }

// A value of a type the property does not allow.
Json WrongType(const JsonObject& property) {
  const Json* type = property.if_contains("type");
  return type != nullptr && *type == "string" ? Json(7) : Json("not that");
}

// Values beyond the limits the property states.
std::vector<Json> OverLimit(const JsonObject& property) {
  std::vector<Json> values;
  if (const Json* limit = property.if_contains("maxLength")) {
    values.emplace_back(
        std::string(static_cast<std::size_t>(limit->to_number<std::int64_t>()) + 1, 'x'));
  }
  if (const Json* limit = property.if_contains("maximum"))
    values.emplace_back(limit->to_number<double>() + 1);
  if (const Json* limit = property.if_contains("minimum"))
    values.emplace_back(limit->to_number<double>() - 1);
  if (property.contains("enum")) values.emplace_back("none of the values");
  return values;
}

void ExpectRefused(const Tool& original, const JsonObject& arguments, std::string_view what) {
  // The same definition with a handler that must not run.
  Tool probe = original;
  probe.info.name = "probe/target";
  probe.info.wire = "probe_target";
  probe.info.aliases.clear();
  bool ran = false;
  probe.handler = [&ran](const JsonObject&, CallContext&) -> Result<Output> {
    ran = true;
    return Output::Text("ran");
  };
  probe.output_schema = {};
  Server server;
  ASSERT_TRUE(server.AddTool(probe));
  const Result<Output> output = server.Call("probe/target", arguments);
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->is_error) << original.info.name << ": " << what;
  EXPECT_FALSE(ran) << original.info.name << ": " << what << " reached the handler";
}

TEST_F(ShippedTools,
       PRD_FR_007_5_PRD_NFR_018_PRD_AC_002_4_CTRL_SEC_2_CTRL_SEC_7_BadArgumentsNeverReachAHandler) {
  std::size_t cases = 0;
  for (const auto& entry : All()) {
    const Tool& tool = entry->tool;
    if (Exempt(tool)) continue;
    ExpectRefused(tool, {{"no_such_argument", 1}}, "an unknown argument");
    ++cases;
    const JsonObject& schema = tool.input_schema->as_object();
    if (const Json* required = schema.if_contains("required")) {
      if (!required->as_array().empty()) {
        ExpectRefused(tool, {}, "missing arguments");
        ++cases;
      }
    }
    const Json* properties = schema.if_contains("properties");
    if (properties == nullptr) continue;
    for (const auto& [name, property] : properties->as_object()) {
      ExpectRefused(tool, {{name, WrongType(property.as_object())}},
                    std::string(name) + " of a wrong type");
      ++cases;
      for (const Json& value : OverLimit(property.as_object())) {
        ExpectRefused(tool, {{name, value}}, std::string(name) + " over its limit");
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, 7u);
}

}  // namespace
}  // namespace toolpost
