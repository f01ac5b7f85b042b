// The validation vocabulary, keyword by keyword.
#include "schema/keywords.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "schema/index.h"

namespace toolpost::schema {

namespace {

using base::StrCat;

constexpr std::pair<std::string_view, std::uint8_t> kTypeNames[] = {
    {"null", kNull},     {"boolean", kBoolean},          {"object", kObject},   {"array", kArray},
    {"string", kString}, {"number", kNumber | kInteger}, {"integer", kInteger},
};

class Reader {
 public:
  Reader(const JsonObject& schema, std::string_view pointer) : schema_(schema), pointer_(pointer) {}

  const Json* Get(std::string_view keyword) const { return schema_.if_contains(keyword); }
  Error Wrong(std::string_view keyword, std::string_view expected) const {
    return SchemaError(PointerJoin(pointer_, keyword), StrCat("must be ", expected));
  }

  Result<void> Count(std::string_view keyword, std::uint64_t& out) const {
    const Json* value = Get(keyword);
    if (value == nullptr) return {};
    const bool whole = value->is_number() && CompareNumbers(*value, Json(0)) >= 0 &&
                       (!value->is_double() || IsIntegral(value->get_double()));
    if (!whole) return Wrong(keyword, "a whole number that is not negative");
    if (value->is_uint64()) {
      out = value->get_uint64();
    } else if (value->is_int64()) {
      out = static_cast<std::uint64_t>(value->get_int64());
    } else {
      out =
          value->get_double() < 1.8e19 ? static_cast<std::uint64_t>(value->get_double()) : kNoLimit;
    }
    return {};
  }

  Result<void> Number(std::string_view keyword, std::optional<Json>& out) const {
    const Json* value = Get(keyword);
    if (value == nullptr) return {};
    if (!value->is_number()) return Wrong(keyword, "a number");
    out.emplace(*value, boost::json::storage_ptr());
    return {};
  }

  Result<std::vector<std::string>> Names(const Json& value, std::string_view keyword) const {
    std::vector<std::string> names;
    if (!value.is_array()) return Wrong(keyword, "a list of names");
    for (const Json& item : value.get_array()) {
      if (!item.is_string()) return Wrong(keyword, "a list of names");
      names.emplace_back(item.get_string());
    }
    return names;
  }

 private:
  const JsonObject& schema_;
  std::string_view pointer_;
};

Result<void> ReadType(const Reader& reader, Node& node) {
  const Json* value = reader.Get("type");
  if (value == nullptr) return {};
  const auto* list = value->if_array();
  if (list != nullptr && list->empty())
    return reader.Wrong("type", "a type name or a list of them");
  std::uint8_t mask = 0;
  for (std::size_t i = 0; i < (list != nullptr ? list->size() : 1); ++i) {
    const Json& name = list != nullptr ? (*list)[i] : *value;
    const auto* known = std::ranges::find_if(kTypeNames, [&](const auto& type) {
      return name.is_string() && std::string_view(name.get_string()) == type.first;
    });
    if (known == std::end(kTypeNames)) {
      return reader.Wrong(
          "type",
          "one of null, boolean, object, array, string, number, integer, or a list of these");
    }
    mask |= known->second;
  }
  node.types = mask;
  return {};
}

Result<void> ReadValues(const Reader& reader, Node& node) {
  if (const Json* value = reader.Get("const")) {
    node.constant = std::make_unique<Json>(*value, boost::json::storage_ptr());
  }
  if (const Json* value = reader.Get("enum")) {
    if (!value->is_array()) return reader.Wrong("enum", "a list of values");
    const JsonArray& array = value->get_array();
    node.allowed = std::make_unique<std::vector<Json>>();
    for (const Json& item : array) node.allowed->emplace_back(item, boost::json::storage_ptr());
  }
  return {};
}

Result<void> ReadNumbers(const Reader& reader, Node& node) {
  NumberRules rules;
  RETURN_IF_ERROR(reader.Number("minimum", rules.minimum));
  RETURN_IF_ERROR(reader.Number("maximum", rules.maximum));
  RETURN_IF_ERROR(reader.Number("exclusiveMinimum", rules.exclusive_minimum));
  RETURN_IF_ERROR(reader.Number("exclusiveMaximum", rules.exclusive_maximum));
  RETURN_IF_ERROR(reader.Number("multipleOf", rules.multiple_of));
  if (rules.multiple_of) {
    if (CompareNumbers(*rules.multiple_of, Json(0)) <= 0) {
      return reader.Wrong("multipleOf", "greater than 0");
    }
    rules.divisor = ToDecimal(*rules.multiple_of);
  }
  if (rules.minimum || rules.maximum || rules.exclusive_minimum || rules.exclusive_maximum ||
      rules.multiple_of) {
    node.number = std::make_unique<NumberRules>(std::move(rules));
  }
  return {};
}

Result<void> ReadStrings(const Reader& reader, const PatternSource& patterns, Node& node) {
  StringRules rules;
  RETURN_IF_ERROR(reader.Count("minLength", rules.min_length));
  RETURN_IF_ERROR(reader.Count("maxLength", rules.max_length));
  if (const Json* value = reader.Get("pattern")) {
    if (!value->is_string()) return reader.Wrong("pattern", "a string");
    ASSIGN_OR_RETURN(rules.pattern, patterns(value->get_string()));
  }
  if (rules.min_length > 0 || rules.max_length != kNoLimit || rules.pattern) {
    node.string = std::make_unique<StringRules>(std::move(rules));
  }
  return {};
}

Result<void> ReadArrays(const Reader& reader, Node& node) {
  ArrayRules rules;
  RETURN_IF_ERROR(reader.Count("minItems", rules.min_items));
  RETURN_IF_ERROR(reader.Count("maxItems", rules.max_items));
  RETURN_IF_ERROR(reader.Count("minContains", rules.min_contains));
  RETURN_IF_ERROR(reader.Count("maxContains", rules.max_contains));
  if (const Json* value = reader.Get("uniqueItems")) {
    if (!value->is_bool()) return reader.Wrong("uniqueItems", "true or false");
    rules.unique = value->get_bool();
  }
  if (rules.min_items > 0 || rules.max_items != kNoLimit || rules.unique ||
      rules.min_contains != 1 || rules.max_contains != kNoLimit) {
    node.array = std::make_unique<ArrayRules>(std::move(rules));
  }
  return {};
}

Result<void> ReadObjects(const Reader& reader, Node& node) {
  ObjectRules rules;
  RETURN_IF_ERROR(reader.Count("minProperties", rules.min_properties));
  RETURN_IF_ERROR(reader.Count("maxProperties", rules.max_properties));
  if (const Json* value = reader.Get("required")) {
    ASSIGN_OR_RETURN(std::vector<std::string> names, reader.Names(*value, "required"));
    std::unordered_set<std::string> known;
    for (std::string& name : names) {
      if (!known.insert(name).second) continue;
      rules.properties.push_back({name, nullptr, true});
      rules.required.push_back(std::move(name));
    }
  }
  if (const Json* value = reader.Get("dependentRequired")) {
    if (!value->is_object()) return reader.Wrong("dependentRequired", "an object of name lists");
    for (const auto& member : value->get_object()) {
      ASSIGN_OR_RETURN(auto names, reader.Names(member.value(), "dependentRequired"));
      rules.dependencies.push_back({std::string(member.key()), std::move(names), nullptr});
    }
  }
  if (rules.min_properties > 0 || rules.max_properties != kNoLimit || !rules.properties.empty() ||
      !rules.dependencies.empty()) {
    node.object = std::make_unique<ObjectRules>(std::move(rules));
  }
  return {};
}

}  // namespace

Result<void> ReadValidationKeywords(const JsonObject& schema, std::string_view pointer,
                                    const PatternSource& patterns, Node& node) {
  const Reader reader(schema, pointer);
  RETURN_IF_ERROR(ReadType(reader, node));
  RETURN_IF_ERROR(ReadValues(reader, node));
  RETURN_IF_ERROR(ReadNumbers(reader, node));
  RETURN_IF_ERROR(ReadStrings(reader, patterns, node));
  RETURN_IF_ERROR(ReadArrays(reader, node));
  return ReadObjects(reader, node);
}

}  // namespace toolpost::schema
