// The compiled form of a schema: one Node per subschema, keywords grouped by the kind of value they
// look at, so that an evaluation touches only what applies. Built once by json_schema_compile.cc,
// immutable and shared between threads after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/regex.h"
#include "schema/value.h"
#include "toolpost/json.h"

namespace toolpost::schema {

struct Node;

enum TypeBit : std::uint8_t {
  kNull = 1,
  kBoolean = 2,
  kObject = 4,
  kArray = 8,
  kNumber = 16,
  kString = 32,
  kInteger = 64,
  kAnyType = 127,
};

// Whether a value of kind `kind` (with `value` at least for doubles) has one of the types.
inline bool TypeMatches(std::uint8_t types, boost::json::kind kind, const Json* value) {
  // By boost::json::kind; a double is an integer only if it has no fraction.
  constexpr std::uint8_t kBits[] = {kNull,   kBoolean, kInteger, kInteger,
                                    kNumber, kString,  kArray,   kObject};
  static_assert(static_cast<int>(boost::json::kind::double_) == 4 &&
                static_cast<int>(boost::json::kind::object) == 7);
  if (types & kBits[static_cast<std::size_t>(kind)]) return true;
  return (types & kInteger) && kind == boost::json::kind::double_ &&
         IsIntegral(value->get_double());
}

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct Pattern {
  std::string source;
  base::Regex regex;
};

struct NumberRules {
  std::optional<Json> minimum, maximum, exclusive_minimum, exclusive_maximum;
  std::optional<Json> multiple_of;
  Decimal divisor;  // of multiple_of
};

struct StringRules {
  std::uint64_t min_length = 0;
  std::uint64_t max_length = kNoLimit;
  std::optional<Pattern> pattern;
};

struct ArrayRules {
  std::uint64_t min_items = 0;
  std::uint64_t max_items = kNoLimit;
  bool unique = false;
  std::vector<const Node*> prefix;
  const Node* items = nullptr;
  const Node* contains = nullptr;
  std::uint64_t min_contains = 1;
  std::uint64_t max_contains = kNoLimit;
};

// A name of `properties` (node set) or only of `required` (node null).
struct Property {
  std::string name;
  const Node* node = nullptr;
  bool required = false;
};

struct Dependency {
  std::string name;
  std::vector<std::string> required;
  const Node* schema = nullptr;
};

struct ObjectRules {
  std::uint64_t min_properties = 0;
  std::uint64_t max_properties = kNoLimit;
  std::vector<Property> properties;   // sorted by size, then bytes
  std::vector<std::string> names;     // of `properties`, as declared
  std::vector<std::string> required;  // as declared, without repetition
  std::vector<std::pair<Pattern, const Node*>> patterns;
  const Node* additional = nullptr;
  const Node* property_names = nullptr;
  std::vector<Dependency> dependencies;

  const Property* Find(std::string_view name) const {
    if (properties.size() > kLinearProperties) return FindSorted(name);
    for (const Property& property : properties) {
      if (property.name == name) return &property;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kLinearProperties = 8;
  const Property* FindSorted(std::string_view name) const;
};

// `$dynamicRef`: `target` unless a resource of the dynamic scope has an anchor of that name; the
// outermost wins.
using DynamicAnchors = std::vector<std::pair<std::uint32_t, const Node*>>;  // sorted by resource
struct DynamicReference {
  const Node* target = nullptr;
  const DynamicAnchors* anchors = nullptr;  // null: a plain reference
};

// Keywords that apply subschemas to the same value.
struct InPlaceRules {
  const Node* reference = nullptr;
  std::optional<DynamicReference> dynamic;
  std::vector<const Node*> all_of, any_of, one_of;
  const Node* negated = nullptr;
  const Node* condition = nullptr;
  const Node* then = nullptr;
  const Node* otherwise = nullptr;
};

struct UnevaluatedRules {
  const Node* properties = nullptr;
  const Node* items = nullptr;
};

struct Node {
  bool never = false;             // the schema `false`
  bool only_type = true;          // nothing but `types` to check
  std::uint8_t types = kAnyType;  // TypeBit mask
  std::uint32_t resource = 0;     // the schema resource it belongs to, for the dynamic scope
  std::unique_ptr<std::vector<Json>> allowed;  // enum
  std::unique_ptr<Json> constant;
  std::unique_ptr<NumberRules> number;
  std::unique_ptr<StringRules> string;
  std::unique_ptr<ArrayRules> array;
  std::unique_ptr<ObjectRules> object;
  std::unique_ptr<InPlaceRules> in_place;
  std::unique_ptr<UnevaluatedRules> unevaluated;
};

// Owns the nodes; their addresses are stable.
struct SchemaGraph {
  std::deque<Node> nodes;
  std::map<std::string, DynamicAnchors> dynamic_anchors;  // by name
  const Node* root = nullptr;
};

}  // namespace toolpost::schema
