// One function per kind of schema.
#include "api/typescript.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::api {
namespace {

constexpr std::size_t kStep = 2;

bool IsIdentifier(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string NameOf(std::string_view name) {
  return IsIdentifier(name) ? std::string(name) : base::ToJson(Json(name));
}

// Nothing in it can end the comment or the line.
std::string Comment(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '/' && out.ends_with('*')) out.push_back(' ');
    out.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  }
  return base::StrCat("/** ", out, " */");
}

std::string_view TextIn(const JsonObject& schema, std::string_view name) {
  const Json* text = schema.if_contains(name);
  return text != nullptr && text->is_string() ? std::string_view(text->get_string())
                                              : std::string_view();
}

std::string Joined(std::vector<std::string> types, std::string_view separator) {
  std::vector<std::string> once;
  for (std::string& type : types) {
    if (std::ranges::find(once, type) == once.end()) once.push_back(std::move(type));
  }
  if (once.empty()) return "never";
  return base::Join(once, separator);
}

std::string ArrayOf(const JsonObject& schema, std::size_t indent) {
  const Json* items = schema.if_contains("items");
  std::string type = items == nullptr ? "unknown" : TypeScriptOf(*items, indent);
  const bool plain = std::ranges::all_of(type, [](char c) { return std::isalnum(c) != 0; });
  return plain || (type.starts_with('{') && type.find(" | ") == std::string::npos)
             ? type + "[]"
             : base::StrCat("Array<", type, ">");
}

bool IsRequired(const JsonObject& schema, std::string_view name) {
  const Json* required = schema.if_contains("required");
  return required != nullptr && required->is_array() &&
         std::ranges::any_of(required->get_array(), [&](const Json& each) {
           return each.is_string() && each.get_string() == name;
         });
}

std::string Members(const JsonObject& schema, const JsonObject& properties, std::size_t indent) {
  const std::string margin(indent + kStep, ' ');
  std::string out = "{\n";
  for (const auto& property : properties) {
    const JsonObject* own = property.value().if_object();
    if (own != nullptr && !TextIn(*own, "description").empty())
      out.append(base::StrCat(margin, Comment(TextIn(*own, "description")), "\n"));
    out.append(base::StrCat(margin, NameOf(property.key()),
                            IsRequired(schema, property.key()) ? ": " : "?: ",
                            TypeScriptOf(property.value(), indent + kStep), ";\n"));
  }
  return base::StrCat(out, std::string(indent, ' '), "}");
}

std::string ObjectOf(const JsonObject& schema, std::size_t indent) {
  const Json* properties = schema.if_contains("properties");
  if (properties != nullptr && properties->is_object() && !properties->get_object().empty())
    return Members(schema, properties->get_object(), indent);
  const Json* others = schema.if_contains("additionalProperties");
  if (others != nullptr && others->is_bool() && !others->get_bool()) return "Record<string, never>";
  return base::StrCat(
      "Record<string, ",
      others == nullptr || others->is_bool() ? "unknown" : TypeScriptOf(*others, indent), ">");
}

std::string Named(std::string_view type, const JsonObject& schema, std::size_t indent) {
  if (type == "object") return ObjectOf(schema, indent);
  if (type == "array") return ArrayOf(schema, indent);
  if (type == "integer" || type == "number") return "number";
  if (type == "string" || type == "boolean" || type == "null") return std::string(type);
  return "unknown";
}

std::string All(const JsonArray& schemas, std::size_t indent, std::string_view separator) {
  std::vector<std::string> types;
  for (const Json& each : schemas) types.push_back(TypeScriptOf(each, indent));
  return Joined(std::move(types), separator);
}

}  // namespace

std::string TypeScriptOf(const Json& schema, std::size_t indent) {
  const JsonObject* object = schema.if_object();
  if (object == nullptr) return schema.is_bool() && !schema.get_bool() ? "never" : "unknown";
  if (const Json* value = object->if_contains("const")) return base::ToJson(*value);
  if (const Json* values = object->if_contains("enum"); values != nullptr && values->is_array()) {
    std::vector<std::string> literals;
    for (const Json& each : values->get_array()) literals.push_back(base::ToJson(each));
    return Joined(std::move(literals), " | ");
  }
  for (const std::string_view any : {"anyOf", "oneOf"}) {
    const Json* of = object->if_contains(any);
    if (of != nullptr && of->is_array()) return All(of->get_array(), indent, " | ");
  }
  const Json* type = object->if_contains("type");
  if (type == nullptr)
    return object->contains("properties") ? ObjectOf(*object, indent) : "unknown";
  if (type->is_string()) return Named(type->get_string(), *object, indent);
  if (!type->is_array()) return "unknown";
  std::vector<std::string> types;
  for (const Json& each : type->get_array())
    types.push_back(each.is_string() ? Named(each.get_string(), *object, indent) : "unknown");
  return Joined(std::move(types), " | ");
}

std::string TypeScriptDeclaration(std::string_view name, const Json& schema,
                                  std::string_view description) {
  std::string out = description.empty() ? "" : Comment(description) + "\n";
  const std::string type = TypeScriptOf(schema);
  const bool plain = type.starts_with("{\n") && type.find("\n} | ") == std::string::npos;
  if (plain) return out.append(base::StrCat("export interface ", name, " ", type, "\n"));
  return out.append(base::StrCat("export type ", name, " = ", type, ";\n"));
}

}  // namespace toolpost::api
