// Shell words to JSON, guided by the tool's schema.
#include "cli/call_arguments.h"

#include <algorithm>
#include <string_view>

#include "base/json_parse.h"
#include "base/strings.h"

namespace toolpost::cli {
namespace {

const JsonObject* ObjectAt(const Json* value, std::string_view key) {
  if (value == nullptr || !value->is_object()) return nullptr;
  const Json* member = value->as_object().if_contains(key);
  return member == nullptr ? nullptr : member->if_object();
}

bool IsString(const Json& value) { return value.is_string() && value.as_string() == "string"; }

// True if the schema's type is, or allows, a string.
bool WantsString(const Json& input_schema, std::string_view key) {
  const JsonObject* properties = ObjectAt(&input_schema, "properties");
  const Json* property = properties == nullptr ? nullptr : properties->if_contains(key);
  const Json* type = property == nullptr || !property->is_object()
                         ? nullptr
                         : property->as_object().if_contains("type");
  if (type == nullptr) return false;
  if (type->is_array())
    return std::any_of(type->as_array().begin(), type->as_array().end(), IsString);
  return IsString(*type);
}

}  // namespace

Result<JsonObject> ArgumentsFromWords(const Json& input_schema,
                                      std::span<const std::string> words) {
  JsonObject arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      // Not repeated: half an argument may be half a secret.
      return Error::InvalidParams(base::StrCat(
          "Argument ", i + 1,
          " is not key=value. Give arguments as key=value, or all at once with --json '{…}'."));
    }
    const std::string_view key(word.data(), equals);
    const std::string_view text = std::string_view(word).substr(equals + 1);
    if (arguments.contains(key))
      return Error::InvalidParams(base::StrCat("Argument ", key, " is given twice"));
    Result<Json> parsed = WantsString(input_schema, key) ? Json(text) : base::ParseJson(text);
    arguments.emplace(key, parsed ? *std::move(parsed) : Json(text));
  }
  return arguments;
}

}  // namespace toolpost::cli
