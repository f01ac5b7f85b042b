// Evaluation of objects and arrays: properties, items, contains, dependencies.
#include <algorithm>

#include "base/strings.h"
#include "schema/evaluate.h"
#include "schema/value.h"

namespace toolpost::schema {

namespace {

bool CheckCount(std::uint64_t count, std::uint64_t limit, bool at_least, const Instance& at,
                std::string_view rule, ViolationList* violations) {
  if (at_least ? count >= limit : count <= limit) return true;
  const bool object = at.object != nullptr;
  return Fail(violations, at, rule, [&] {
    return CountText(at_least ? "must have at least" : "must have at most", limit,
                     object ? "property" : "item", object ? "properties" : "items");
  });
}

// The common member, settled without a call: a known name whose schema asks for a type only.
bool IsPlainlyValid(const Property* property, const Json& value) {
  if (property == nullptr || property->node == nullptr) return false;
  const Node& node = *property->node;
  return node.only_type && !node.never && TypeMatches(node.types, value.kind(), &value);
}

}  // namespace

bool SchemaEvaluation::CheckObject(const ObjectRules& rules, const Instance& instance,
                                   const Context& context) {
  const JsonObject& object = *instance.object;
  const bool go_on = context.violations != nullptr;
  bool valid = CheckCount(object.size(), rules.min_properties, true, instance, "minProperties",
                          context.violations);
  valid = CheckCount(object.size(), rules.max_properties, false, instance, "maxProperties",
                     context.violations) &&
          valid;
  const bool plain = rules.patterns.empty() && rules.property_names == nullptr;
  std::size_t required = 0;
  std::size_t position = 0;
  for (const auto& member : object) {
    if (!valid && !go_on) return false;
    if (!Spend(1)) return false;
    const Property* property = rules.Find(member.key());
    if (property != nullptr && property->required) ++required;
    if (plain && IsPlainlyValid(property, member.value())) {
      if (context.marks != nullptr) context.marks->Set(position);
      ++position;
      continue;
    }
    const Instance child(member.value(), instance, member.key(), position++);
    valid = CheckMember(rules, child, property, context) && valid;
  }
  if (!valid && !go_on) return false;
  if (required != rules.required.size()) valid = CheckRequired(rules, instance, context);
  if (!rules.dependencies.empty()) valid = CheckDependencies(rules, instance, context) && valid;
  return valid;
}

bool SchemaEvaluation::CheckMember(const ObjectRules& rules, const Instance& member,
                                   const Property* property, const Context& context) {
  const bool go_on = context.violations != nullptr;
  const Context inner{context.scope, nullptr, context.violations, context.depth};
  bool valid = true;
  bool evaluated = false;
  if (property != nullptr && property->node != nullptr) {
    evaluated = true;
    valid = Check(*property->node, member, inner);
  }
  for (const auto& [pattern, node] : rules.patterns) {
    if (!valid && !go_on) return false;
    if (!Spend(1)) return false;
    if (!pattern.regex.Search(member.name)) continue;
    evaluated = true;
    valid = Check(*node, member, inner) && valid;
  }
  if (!evaluated && rules.additional != nullptr) {
    evaluated = true;
    valid = CheckAdditional(rules, member, inner) && valid;
  }
  if (evaluated && context.marks != nullptr) context.marks->Set(member.position);
  if (rules.property_names != nullptr)
    valid = CheckName(*rules.property_names, member, inner) && valid;
  return valid;
}

bool SchemaEvaluation::CheckAdditional(const ObjectRules& rules, const Instance& member,
                                       const Context& context) {
  if (!rules.additional->never) return Check(*rules.additional, member, context);
  return Fail(context.violations, member, "additionalProperties", [&] {
    return UnknownNameText(&rules, member.name, member.parent->parent != nullptr);
  });
}

bool SchemaEvaluation::CheckName(const Node& names, const Instance& member,
                                 const Context& context) {
  const Instance name = Instance::OfName(member.name, *member.parent, member.position);
  if (context.violations == nullptr) return Check(names, name, context);
  ViolationList reasons(1);
  if (Check(names, name, {context.scope, nullptr, &reasons, context.depth})) return true;
  return Fail(context.violations, member, "propertyNames", [&] {
    const std::vector<Violation> first = reasons.Take();
    return first.empty() ? std::string("has a name that is not allowed")
                         : base::StrCat("has a name that ", first[0].expected);
  });
}

bool SchemaEvaluation::CheckRequired(const ObjectRules& rules, const Instance& instance,
                                     const Context& context) {
  if (context.violations == nullptr) return false;
  for (const std::string& name : rules.required) {
    if (!Spend(1) || context.violations->full()) break;
    if (instance.object->contains(name)) continue;
    context.violations->AddMissing(instance, name, "required", "is required");
  }
  return false;
}

bool SchemaEvaluation::CheckDependencies(const ObjectRules& rules, const Instance& instance,
                                         const Context& context) {
  bool valid = true;
  for (const Dependency& dependency : rules.dependencies) {
    if (!Spend(1)) return false;
    if (!instance.object->contains(dependency.name)) continue;
    for (const std::string& name : dependency.required) {
      if (!Spend(1)) return false;
      if (instance.object->contains(name)) continue;
      valid = false;
      if (context.violations == nullptr) return false;
      context.violations->AddMissing(
          instance, name, "dependentRequired",
          base::StrCat("is required when ", Quote(dependency.name), " is given"));
    }
    if (dependency.schema != nullptr) valid = Check(*dependency.schema, instance, context) && valid;
    if (!valid && context.violations == nullptr) return false;
  }
  return valid;
}

bool SchemaEvaluation::CheckArray(const ArrayRules& rules, const Instance& instance,
                                  const Context& context) {
  const std::size_t size = instance.value->get_array().size();
  bool valid = CheckCount(size, rules.min_items, true, instance, "minItems", context.violations);
  valid =
      CheckCount(size, rules.max_items, false, instance, "maxItems", context.violations) && valid;
  if (!valid && context.violations == nullptr) return false;
  if (!rules.prefix.empty() || rules.items != nullptr) {
    valid = CheckItems(rules, instance, context) && valid;
  }
  if (!valid && context.violations == nullptr) return false;
  if (rules.contains != nullptr) valid = CheckContains(rules, instance, context) && valid;
  if (rules.unique) valid = CheckUnique(instance, context) && valid;
  return valid;
}

bool SchemaEvaluation::CheckItems(const ArrayRules& rules, const Instance& instance,
                                  const Context& context) {
  const Context inner{context.scope, nullptr, context.violations, context.depth};
  bool valid = true;
  std::size_t position = 0;
  for (const Json& item : instance.value->get_array()) {
    const Node* node = position < rules.prefix.size() ? rules.prefix[position] : rules.items;
    if (node == nullptr) break;
    const Instance child(item, instance, {}, position);
    if (node->never && position >= rules.prefix.size()) {
      valid = Fail(context.violations, child, "items", [&] {
        return CountText("is one item too many; at most", rules.prefix.size(), "item is allowed",
                         "items are allowed");
      });
    } else {
      valid = Check(*node, child, inner) && valid;
    }
    if (!valid && (context.violations == nullptr || exceeded_)) return false;
    if (context.marks != nullptr) context.marks->Set(position);
    ++position;
  }
  return valid;
}

bool SchemaEvaluation::CheckContains(const ArrayRules& rules, const Instance& instance,
                                     const Context& context) {
  const Context silent{context.scope, nullptr, nullptr, context.depth};
  std::uint64_t matches = 0;
  std::size_t position = 0;
  for (const Json& item : instance.value->get_array()) {
    const Instance child(item, instance, {}, position++);
    if (!Check(*rules.contains, child, silent)) {
      if (exceeded_) return false;
      continue;
    }
    ++matches;
    if (context.marks != nullptr) {
      context.marks->Set(child.position);
    } else if (matches >= rules.min_contains && rules.max_contains == kNoLimit) {
      return true;
    }
  }
  const auto fail = [&](std::string_view rule, std::string_view lead, std::uint64_t limit) {
    return Fail(context.violations, instance, rule,
                [&] { return CountText(lead, limit, "matching item", "matching items"); });
  };
  if (matches < rules.min_contains) {
    return fail(rules.min_contains == 1 ? "contains" : "minContains", "must contain at least",
                rules.min_contains);
  }
  return matches <= rules.max_contains ||
         fail("maxContains", "must contain at most", rules.max_contains);
}

bool SchemaEvaluation::CheckUnique(const Instance& instance, const Context& context) {
  const auto duplicate = FindDuplicate(instance.value->get_array(), steps_);
  if (!duplicate) return steps_ > 0 || Exceed();
  return Fail(context.violations, instance, "uniqueItems", [&] {
    return base::StrCat("must not hold equal items, but the items ",
                        std::min(duplicate->first, duplicate->second), " and ",
                        std::max(duplicate->first, duplicate->second), " are equal");
  });
}

}  // namespace toolpost::schema
