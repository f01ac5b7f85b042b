// The parts of schema.h that do not depend on a type.
#include "toolpost/schema.h"

#include <cmath>

namespace toolpost::fields {
namespace {

Json NumberOf(const FieldNumber& number) {
  return number.integral() ? Json(number.as<std::int64_t>()) : Json(number.as<double>());
}

void AddNumber(JsonObject& schema, std::string_view keyword, const FieldNumber& number) {
  if (number.set()) schema[keyword] = NumberOf(number);
}

void AddCount(JsonObject& schema, std::string_view keyword, std::size_t count) {
  if (count != 0) schema[keyword] = static_cast<std::int64_t>(count);
}

constexpr std::size_t kUsualKeywords = 4;  // of a field
constexpr std::size_t kUsualSize = 2048;   // of a schema

}  // namespace

Storage NewStorage() {
  return boost::json::make_shared_resource<boost::json::monotonic_resource>(kUsualSize);
}

void AddRules(JsonObject& schema, const FieldRules& rules, std::string_view type) {
  schema.reserve(kUsualKeywords);
  schema["type"] = type;
  if (type == "integer" || type == "number") {
    AddNumber(schema, "minimum", rules.minimum);
    AddNumber(schema, "maximum", rules.maximum);
    AddNumber(schema, "exclusiveMinimum", rules.exclusive_minimum);
    AddNumber(schema, "default", rules.default_number);
  } else if (type == "string") {
    AddCount(schema, "minLength", rules.min_length);
    AddCount(schema, "maxLength", rules.max_length);
    if (!rules.pattern.empty()) schema["pattern"] = rules.pattern;
    if (rules.choices[0] != nullptr) {
      JsonArray choices(schema.storage());
      choices.reserve(rules.choices.size());
      for (const char* choice : rules.choices) {
        if (choice != nullptr) choices.emplace_back(choice);
      }
      schema["enum"] = std::move(choices);
    }
    if (rules.default_text.data() != nullptr) schema["default"] = rules.default_text;
  } else if (rules.default_bool) {
    schema["default"] = *rules.default_bool;
  }
  if (!rules.header.empty()) schema["x-mcp-header"] = rules.header;
}

void AddItemCounts(JsonObject& schema, const FieldRules& rules) {
  AddCount(schema, "minItems", rules.min_items);
  AddCount(schema, "maxItems", rules.max_items);
}

void AllowNull(JsonObject& schema) {
  Json& type = schema.at("type");
  type = JsonArray({type, "null"}, schema.storage());
  if (Json* choices = schema.if_contains("enum")) choices->as_array().emplace_back(nullptr);
}

Error Misfit(std::string_view what) {
  return Error::InvalidParams("Argument \"" + std::string(what) +
                              "\" is missing, of the wrong type or out of range");
}

std::optional<std::int64_t> ToInteger(const Json& value) {
  if (value.is_int64()) return value.get_int64();
  // JSON Schema counts 3.0 as an integer. 2^63 itself is the first double that does not fit.
  if (value.is_double()) {
    const double real = value.get_double();
    if (real == std::trunc(real) && real >= -0x1p63 && real < 0x1p63)
      return static_cast<std::int64_t>(real);
  }
  return std::nullopt;
}

std::optional<double> ToReal(const Json& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  return std::nullopt;
}

}  // namespace toolpost::fields
