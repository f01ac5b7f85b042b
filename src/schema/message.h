// What a violation says: texts for people and models, and their collection in document order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/instance.h"
#include "schema/node.h"
#include "toolpost/schema.h"

namespace toolpost::schema {

// Gathers up to a number of violations; one evaluation, one thread.
class ViolationList {
 public:
  explicit ViolationList(std::size_t limit) : limit_(limit) {}

  bool full() const { return entries_.size() >= limit_; }
  void Add(const Instance& at, std::string_view rule, std::string expected);
  // About the absent member `missing` of `at`.
  void AddMissing(const Instance& at, std::string_view missing, std::string_view rule,
                  std::string expected);
  // What was added, in the order of the document (a value before its members), without repetitions.
  std::vector<Violation> Take();

 private:
  struct Entry {
    std::vector<std::size_t> positions;
    Violation violation;
  };
  std::size_t limit_;
  std::vector<Entry> entries_;
};

// False, after adding a violation if someone gathers them; `text` is called only then.
template <typename Text>
bool Fail(ViolationList* violations, const Instance& at, std::string_view rule, const Text& text) {
  if (violations != nullptr && !violations->full()) violations->Add(at, rule, text());
  return false;
}

// "must be a string or null, not a number"
std::string TypeText(std::uint8_t types, const Instance& instance);
// `must be one of "a", "b"`
std::string OneOfValuesText(const std::vector<const Json*>& values);
std::string EnumText(const std::vector<Json>& values);
// "must be at least 1": a lead and a JSON value
std::string ValueText(std::string_view lead, const Json& value);
// "must have at most 3 items": the noun in its right number
std::string CountText(std::string_view lead, std::uint64_t count, std::string_view one,
                      std::string_view many);
// "is not a known argument; allowed: a, b; did you mean "a"?"
std::string UnknownNameText(const ObjectRules* rules, std::string_view name, bool nested);
// For a value that matches none of the alternatives of anyOf or oneOf.
std::string NoAlternativeText(const std::vector<const Node*>& alternatives, bool exactly_one,
                              const Instance& instance);
std::string PatternText(std::string_view source);
std::string Quote(std::string_view text);

}  // namespace toolpost::schema
