// Reads the validation keywords of one schema object into its node.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "schema/node.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::schema {

using PatternSource = std::function<Result<Pattern>(std::string_view source)>;

// Fills what the validation vocabulary defines: type, enum, const, the limits of numbers, strings,
// arrays and objects, required, dependentRequired. `pointer` names the schema in errors; a keyword
// of the wrong type is an error.
Result<void> ReadValidationKeywords(const JsonObject& schema, std::string_view pointer,
                                    const PatternSource& patterns, Node& node);

// The rules of `node` for one kind of value, created at first use.
template <typename Rules>
Rules& Ensure(std::unique_ptr<Rules>& rules) {
  if (!rules) rules = std::make_unique<Rules>();
  return *rules;
}

}  // namespace toolpost::schema
