// Finds and checks x-mcp-header annotations.
#include "mcp/header_arguments.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kAnnotation = "x-mcp-header";
constexpr std::size_t kMaxDepth = 64;

// Keywords whose value is data, not a schema: a member of that name in there is no annotation.
constexpr std::string_view kData[] = {"default", "const", "enum", "examples", "required"};

bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

std::string_view StringAt(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return {value->get_string().data(), value->get_string().size()};
}

class Collector {
 public:
  // `reachable`: only `properties` were followed from the root to here.
  Result<void> Visit(const Json& schema, bool reachable, std::size_t depth) {
    if (depth > kMaxDepth) return Error::InvalidParams("The input schema is nested too deeply");
    if (schema.is_array()) {
      for (const Json& each : schema.get_array()) RETURN_IF_ERROR(Visit(each, false, depth + 1));
    }
    if (!schema.is_object()) return {};
    for (const auto& member : schema.get_object()) {
      const std::string_view key = member.key();
      if (key == "properties" && member.value().is_object()) {
        RETURN_IF_ERROR(VisitProperties(member.value().get_object(), reachable, depth));
      } else if (key == kAnnotation) {
        RETURN_IF_ERROR(Take(schema.get_object(), reachable));
      } else if (std::ranges::find(kData, key) == std::end(kData)) {
        RETURN_IF_ERROR(Visit(member.value(), false, depth + 1));
      }
    }
    return {};
  }

  std::vector<HeaderArgument> found;

 private:
  Result<void> VisitProperties(const JsonObject& properties, bool reachable, std::size_t depth) {
    for (const auto& property : properties) {
      path_.emplace_back(property.key());
      RETURN_IF_ERROR(Visit(property.value(), reachable, depth + 1));
      path_.pop_back();
    }
    return {};
  }

  Result<void> Take(const JsonObject& schema, bool reachable) {
    const std::string_view header = StringAt(schema, kAnnotation);
    const std::string_view type = StringAt(schema, "type");
    if (!IsToken(header))
      return Bad(header, "must be a header name: letters, digits and !#$%&'*+-.^_`|~");
    if (!reachable || path_.empty())
      return Bad(header, "must stand on a property reachable through `properties` only");
    if (type != "string" && type != "integer" && type != "boolean") {
      return Bad(header, "must stand on a property of type string, integer or boolean");
    }
    for (const HeaderArgument& other : found) {
      if (base::EqualIgnoringCase(other.header, header)) return Bad(header, "is used twice");
    }
    found.push_back({std::string(header), path_, std::string(type)});
    return {};
  }

  static Error Bad(std::string_view header, std::string_view rule) {
    return Error::InvalidParams(base::StrCat("x-mcp-header \"", header, "\" ", rule));
  }

  std::vector<std::string> path_;
};

}  // namespace

Result<std::vector<HeaderArgument>> CollectHeaderArguments(const Json& input_schema) {
  Collector collector;
  RETURN_IF_ERROR(collector.Visit(input_schema, true, 0));
  return std::move(collector.found);
}

}  // namespace toolpost::mcp
