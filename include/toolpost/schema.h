// Typed fields: one Fields() per struct gives its JSON schema, its decoding from arguments and its
// encoding as a result.
//
//   struct Args {
//     std::string path;
//     std::int64_t limit = 0;
//     static constexpr auto Fields() {
//       return std::tuple{Req("path", &Args::path, "File to read.").MinLength(1),
//                         Opt("limit", &Args::limit, "Lines.").Range(1, 200).Default(50)};
//     }
//   };
//
// Members may be bool, int, std::int64_t, double, std::string, an enum with EnumNames, Json
// (anything), JsonObject, JsonArray, another struct with Fields(), and std::optional, std::vector
// and std::map<std::string, …> of those. Everything here is a pure function of its arguments and
// safe on any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolpost/field.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost {

// One broken rule of an argument check.
struct Violation {
  std::string path;  // JSON pointer of the offending value, "" for the whole
  std::string rule;  // the keyword: "type", "required", "maximum" …
  // A sentence part for people and models: "must be an integer", "is required".
  std::string expected;
};

namespace fields {

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;
template <typename T>
concept HasFields = requires {
  T::Fields();
};
template <typename T>
inline constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;
// Computed at compile time, so that a call pays nothing for it.
template <typename T>
inline constexpr auto kFieldsOf = T::Fields();

// Adds the keywords of `rules` that fit a value of the JSON type `type` to `schema`.
void AddRules(JsonObject& schema, const FieldRules& rules, std::string_view type);
void AddItemCounts(JsonObject& schema, const FieldRules& rules);
void AllowNull(JsonObject& schema);
// A value that passed the schema may still not fit the C++ type.
Error Misfit(std::string_view what);
std::optional<std::int64_t> ToInteger(const Json& value);
std::optional<double> ToReal(const Json& value);

// Where a schema is built: all its parts in one place that only grows.
using Storage = boost::json::storage_ptr;
Storage NewStorage();

template <typename T>
JsonObject StructSchema(bool closed, const Storage& storage);

template <typename T>
JsonObject ValueSchema(const FieldRules& rules, bool closed, const Storage& storage) {
  JsonObject schema(storage);
  if constexpr (kIsOptional<T>) {
    return ValueSchema<typename T::value_type>(rules, closed, storage);
  } else if constexpr (std::is_same_v<T, bool>) {
    AddRules(schema, rules, "boolean");
  } else if constexpr (kIsInteger<T>) {
    AddRules(schema, rules, "integer");
  } else if constexpr (std::is_floating_point_v<T>) {
    AddRules(schema, rules, "number");
  } else if constexpr (std::is_same_v<T, std::string>) {
    AddRules(schema, rules, "string");
  } else if constexpr (std::is_enum_v<T>) {
    AddRules(schema, rules, "string");
    JsonArray names(storage);
    names.reserve(std::size(EnumNames<T>::kNames));
    for (const auto& each : EnumNames<T>::kNames) names.emplace_back(each.second);
    schema["enum"] = std::move(names);
  } else if constexpr (kIsVector<T>) {
    schema["type"] = "array";
    JsonObject items = ValueSchema<typename T::value_type>(rules, closed, storage);
    if (!items.empty()) schema["items"] = std::move(items);
    AddItemCounts(schema, rules);
  } else if constexpr (kIsMap<T>) {
    schema["type"] = "object";
    JsonObject values = ValueSchema<typename T::mapped_type>(rules, closed, storage);
    if (!values.empty()) schema["additionalProperties"] = std::move(values);
  } else if constexpr (std::is_same_v<T, JsonObject>) {
    schema["type"] = "object";
  } else if constexpr (std::is_same_v<T, JsonArray>) {
    schema["type"] = "array";
    AddItemCounts(schema, rules);
  } else if constexpr (!std::is_same_v<T, Json>) {
    return StructSchema<T>(closed, storage);
  }
  return schema;
}

template <typename F>
JsonObject FieldSchema(const F& field, bool closed, const Storage& storage) {
  JsonObject schema = ValueSchema<typename F::Value>(field.rules, closed, storage);
  if constexpr (kIsOptional<typename F::Value>) {
    if (field.required && schema.contains("type")) AllowNull(schema);
  }
  if (!field.description.empty()) schema["description"] = field.description;
  return schema;
}

template <typename T>
JsonObject StructSchema(bool closed, const Storage& storage) {
  static_assert(HasFields<T>, "a struct needs static constexpr auto Fields()");
  JsonObject schema({{"type", "object"}}, storage);
  JsonObject properties(storage);
  JsonArray required(storage);
  std::apply(
      [&](const auto&... field) {
        properties.reserve(sizeof...(field));
        ((properties[field.name] = FieldSchema(field, closed, storage)), ...);
        ((field.required ? void(required.emplace_back(field.name)) : void()), ...);
      },
      kFieldsOf<T>);
  if (!properties.empty()) schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  if (closed) schema["additionalProperties"] = false;
  return schema;
}

template <typename T>
Result<void> DecodeInto(T& out, const Json& value, std::string_view name);

template <typename F, typename Owner>
Result<void> DecodeField(const F& field, Owner& out, const JsonObject& from) {
  auto& member = out.*field.member;
  const Json* value = from.if_contains(field.name);
  if (value != nullptr && !value->is_null()) return DecodeInto(member, *value, field.name);
  if constexpr (std::is_same_v<typename F::Value, Json>) return {};
  if (field.required && !kIsOptional<typename F::Value>) return Misfit(field.name);
  const FieldRules& rules = field.rules;
  using Bare = typename F::Bare;
  if constexpr (std::is_same_v<Bare, bool>) {
    if (rules.default_bool) member = *rules.default_bool;
  } else if constexpr (std::is_arithmetic_v<Bare>) {
    if (rules.default_number.set()) member = rules.default_number.as<Bare>();
  } else if constexpr (std::is_same_v<Bare, std::string>) {
    if (rules.default_text.data() != nullptr) member = std::string(rules.default_text);
  } else if constexpr (std::is_enum_v<Bare>) {
    if (rules.default_text.data() != nullptr)
      return DecodeInto(member, Json(rules.default_text), field.name);
  }
  return {};
}

template <typename T>
Result<void> DecodeStruct(T& out, const JsonObject& from) {
  Result<void> result;
  std::apply(
      [&](const auto&... field) {
        ((result = result ? DecodeField(field, out, from) : std::move(result)), ...);
      },
      kFieldsOf<T>);
  return result;
}

template <typename T>
Result<void> DecodeInto(T& out, const Json& value, std::string_view name) {
  if constexpr (kIsOptional<T>) {
    return DecodeInto(out.emplace(), value, name);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_bool()) return Misfit(name);
    out = value.get_bool();
  } else if constexpr (kIsInteger<T>) {
    const std::optional<std::int64_t> integer = ToInteger(value);
    if (!integer || !std::in_range<T>(*integer)) return Misfit(name);
    out = static_cast<T>(*integer);
  } else if constexpr (std::is_floating_point_v<T>) {
    const std::optional<double> real = ToReal(value);
    if (!real) return Misfit(name);
    out = static_cast<T>(*real);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) return Misfit(name);
    out.assign(value.get_string().data(), value.get_string().size());
  } else if constexpr (std::is_enum_v<T>) {
    if (!value.is_string()) return Misfit(name);
    const std::string_view text(value.get_string().data(), value.get_string().size());
    for (const auto& each : EnumNames<T>::kNames) {
      if (each.second == text) return out = each.first, Result<void>();
    }
    return Misfit(name);
  } else if constexpr (kIsVector<T>) {
    if (!value.is_array()) return Misfit(name);
    out.clear();
    out.reserve(value.get_array().size());
    for (const Json& element : value.get_array()) {
      typename T::value_type decoded{};
      RETURN_IF_ERROR(DecodeInto(decoded, element, name));
      out.push_back(std::move(decoded));
    }
  } else if constexpr (kIsMap<T>) {
    if (!value.is_object()) return Misfit(name);
    for (const auto& entry : value.get_object()) {
      RETURN_IF_ERROR(DecodeInto(out[std::string(entry.key())], entry.value(), name));
    }
  } else if constexpr (std::is_same_v<T, Json>) {
    out = Json(value, boost::json::storage_ptr());
  } else if constexpr (std::is_same_v<T, JsonObject>) {
    if (!value.is_object()) return Misfit(name);
    out = JsonObject(value.get_object(), boost::json::storage_ptr());
  } else if constexpr (std::is_same_v<T, JsonArray>) {
    if (!value.is_array()) return Misfit(name);
    out = JsonArray(value.get_array(), boost::json::storage_ptr());
  } else {
    if (!value.is_object()) return Misfit(name);
    return DecodeStruct(out, value.get_object());
  }
  return {};
}

}  // namespace fields

// Schema of arguments: an object that allows no other properties.
template <typename T>
Json InputSchemaOf() {
  return fields::StructSchema<T>(true, fields::NewStorage());
}

// Schema of a result: other properties are allowed, because clients validate results and throw.
template <typename T>
Json OutputSchemaOf() {
  return fields::ValueSchema<T>(FieldRules{}, false, fields::NewStorage());
}

// Arguments that passed the schema, as a struct. Everything is copied: nothing refers to
// `arguments` afterwards. Code::kInvalidArgument when a value does not fit its C++ type (an int
// beyond 32 bits).
template <typename T>
Result<T> Decode(const JsonObject& arguments) {
  T out{};
  RETURN_IF_ERROR(fields::DecodeStruct(out, arguments));
  return out;
}

// A value as JSON, under the names of Fields(). Optional fields without a value are left out.
template <typename T>
Json Encode(const T& value) {
  if constexpr (fields::kIsOptional<T>) {
    return value ? Encode(*value) : Json();
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& each : EnumNames<T>::kNames) {
      if (each.first == value) return Json(each.second);
    }
    return Json();
  } else if constexpr (fields::kIsVector<T>) {
    JsonArray array;
    array.reserve(value.size());
    for (const auto& element : value) array.push_back(Encode<typename T::value_type>(element));
    return array;
  } else if constexpr (fields::kIsMap<T>) {
    JsonObject object;
    object.reserve(value.size());
    for (const auto& [key, element] : value) object.emplace(key, Encode(element));
    return object;
  } else if constexpr (fields::HasFields<T>) {
    JsonObject object;
    const auto add = [&](const auto& field) {
      const auto& member = value.*field.member;
      if constexpr (fields::kIsOptional<std::decay_t<decltype(member)>>) {
        if (!member && !field.required) return;
      }
      object.emplace(field.name, Encode(member));
    };
    std::apply(
        [&](const auto&... field) {
          object.reserve(sizeof...(field));
          (add(field), ...);
        },
        fields::kFieldsOf<T>);
    return object;
  } else {
    return Json(value);
  }
}

}  // namespace toolpost
