// The evaluation's spine: node, types, scalars, in-place applicators, unevaluated*.
#include "schema/evaluate.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::schema {

namespace {

using boost::json::kind;

// Recursive references on nested values: deeper than any honest document, far from the end of the
// stack.
constexpr unsigned kMaxDepth = 400;
constexpr std::size_t kBytesPerStep = 256;
constexpr std::size_t kValuesPerStep = 16;

bool EqualsInstance(const Json& value, const Instance& instance) {
  if (instance.object != nullptr) {
    return value.is_object() && EqualValues(*instance.object, value.get_object());
  }
  if (instance.value != nullptr) return EqualValues(*instance.value, value);
  return value.is_string() && std::string_view(value.get_string()) == instance.text;
}

bool CheckValues(const Node& node, const Instance& instance, ViolationList* violations) {
  if (node.constant && !EqualsInstance(*node.constant, instance)) {
    return Fail(violations, instance, "const",
                [&] { return ValueText("must be", *node.constant); });
  }
  if (node.allowed && std::ranges::none_of(*node.allowed, [&](const Json& value) {
        return EqualsInstance(value, instance);
      })) {
    return Fail(violations, instance, "enum", [&] { return EnumText(*node.allowed); });
  }
  return true;
}

bool CheckNumber(const NumberRules& rules, const Instance& at, ViolationList* violations) {
  const Json& number = *at.value;
  const auto fail = [&](std::string_view rule, std::string_view lead, const Json& limit) {
    return Fail(violations, at, rule, [&] { return ValueText(lead, limit); });
  };
  bool valid = true;
  if (rules.minimum && CompareNumbers(number, *rules.minimum) < 0) {
    valid = fail("minimum", "must be at least", *rules.minimum);
  }
  if (rules.maximum && CompareNumbers(number, *rules.maximum) > 0) {
    valid = fail("maximum", "must be at most", *rules.maximum);
  }
  if (rules.exclusive_minimum && CompareNumbers(number, *rules.exclusive_minimum) <= 0) {
    valid = fail("exclusiveMinimum", "must be greater than", *rules.exclusive_minimum);
  }
  if (rules.exclusive_maximum && CompareNumbers(number, *rules.exclusive_maximum) >= 0) {
    valid = fail("exclusiveMaximum", "must be less than", *rules.exclusive_maximum);
  }
  if (rules.multiple_of && !IsMultipleOf(number, rules.divisor)) {
    valid = fail("multipleOf", "must be a multiple of", *rules.multiple_of);
  }
  return valid;
}

bool CheckString(const StringRules& rules, const Instance& at, ViolationList* violations) {
  const std::string_view text = at.Text();
  const auto count = [&](std::string_view lead, std::uint64_t limit) {
    return [=] { return CountText(lead, limit, "character", "characters"); };
  };
  bool valid = true;
  // A code point has one to four bytes: most lengths are settled without counting.
  if (text.size() < rules.min_length ||
      (text.size() / 4 < rules.min_length && base::CountCodePoints(text) < rules.min_length)) {
    valid = Fail(violations, at, "minLength", count("must be at least", rules.min_length));
  }
  if (text.size() > rules.max_length && base::CountCodePoints(text) > rules.max_length) {
    valid = Fail(violations, at, "maxLength", count("must be at most", rules.max_length));
  }
  if (rules.pattern && !rules.pattern->regex.Search(text)) {
    valid = Fail(violations, at, "pattern", [&] { return PatternText(rules.pattern->source); });
  }
  return valid;
}

}  // namespace

void EvaluatedMarks::Merge(const EvaluatedMarks& other) {
  all_ |= other.all_;
  if (seen_.size() < other.seen_.size()) seen_.resize(other.seen_.size());
  for (std::size_t i = 0; i < other.seen_.size(); ++i) {
    if (other.seen_[i]) seen_[i] = true;
  }
}

bool SchemaEvaluation::Run(const Node& root, const Instance& instance, ViolationList* violations) {
  const Scope scope{nullptr, root.resource};
  return Check(root, instance, {&scope, nullptr, violations, 0}) && !exceeded_;
}

bool SchemaEvaluation::Check(const Node& node, const Instance& instance, const Context& context) {
  if (!Spend(1)) return false;
  if (node.never) {
    return Fail(context.violations, instance, "false", [] { return "is not allowed"; });
  }
  if (!TypeMatches(node.types, instance.kind, instance.value)) {
    return Fail(context.violations, instance, "type",
                [&] { return TypeText(node.types, instance); });
  }
  if (node.only_type) return true;
  if (context.depth >= kMaxDepth) return Exceed();
  const Scope entered{context.scope, node.resource};
  const Scope* scope = context.scope->resource == node.resource ? context.scope : &entered;
  return CheckRules(node, instance, {scope, context.marks, context.violations, context.depth + 1});
}

bool SchemaEvaluation::CheckRules(const Node& node, const Instance& instance,
                                  const Context& context) {
  const bool go_on = context.violations != nullptr;
  if (node.allowed && !Spend(node.allowed->size() / kValuesPerStep)) return false;
  if (!CheckValues(node, instance, context.violations)) return false;
  if (!node.unevaluated) {
    bool valid = CheckKind(node, instance, context);
    if (!valid && !go_on) return false;
    return (!node.in_place || CheckInPlace(*node.in_place, instance, context)) && valid;
  }
  // unevaluated* sees what this schema evaluates, and nothing of the schemas around it.
  EvaluatedMarks marks;
  Context inner = context;
  inner.marks = &marks;
  bool valid = CheckKind(node, instance, inner);
  if (!valid && !go_on) return false;
  if (node.in_place && !CheckInPlace(*node.in_place, instance, inner)) return false;
  valid = CheckUnevaluated(node, instance, inner) && valid;
  if (context.marks != nullptr && Spend(marks.size() / 64)) context.marks->Merge(marks);
  return valid;
}

bool SchemaEvaluation::CheckKind(const Node& node, const Instance& instance,
                                 const Context& context) {
  switch (instance.kind) {
    case kind::object:
      return !node.object || CheckObject(*node.object, instance, context);
    case kind::array:
      return !node.array || CheckArray(*node.array, instance, context);
    case kind::string:
      return !node.string || (Spend(instance.Text().size() / kBytesPerStep) &&
                              CheckString(*node.string, instance, context.violations));
    case kind::int64:
    case kind::uint64:
    case kind::double_:
      return !node.number || CheckNumber(*node.number, instance, context.violations);
    default:
      return true;
  }
}

bool SchemaEvaluation::Try(const Node& node, const Instance& instance, const Context& context) {
  if (context.marks == nullptr) {
    return Check(node, instance, {context.scope, nullptr, nullptr, context.depth});
  }
  EvaluatedMarks marks;
  if (!Check(node, instance, {context.scope, &marks, nullptr, context.depth})) return false;
  if (!Spend(marks.size() / 64)) return false;
  context.marks->Merge(marks);
  return true;
}

bool SchemaEvaluation::CheckInPlace(const InPlaceRules& rules, const Instance& instance,
                                    const Context& context) {
  const bool go_on = context.violations != nullptr;
  bool valid = CheckReferences(rules, instance, context);
  for (const Node* node : rules.all_of) {
    if (!valid && !go_on) return false;
    valid = Check(*node, instance, context) && valid;
  }
  if (!valid && !go_on) return false;
  if (!rules.any_of.empty()) valid = CheckAnyOf(rules, instance, context) && valid;
  if (!rules.one_of.empty()) valid = CheckOneOf(rules, instance, context) && valid;
  if (rules.negated != nullptr) {
    const bool matches =
        Check(*rules.negated, instance, {context.scope, nullptr, nullptr, context.depth});
    if (exceeded_) return false;
    if (matches) {
      valid = Fail(context.violations, instance, "not",
                   [] { return "has a form that is not allowed"; });
    }
  }
  if (rules.condition != nullptr) valid = CheckCondition(rules, instance, context) && valid;
  return valid;
}

const Node& SchemaEvaluation::DynamicTarget(const DynamicReference& reference, const Scope* scope) {
  const Node* target = reference.target;
  if (reference.anchors == nullptr) return *target;
  for (; scope != nullptr; scope = scope->outer) {
    const auto found = std::ranges::lower_bound(*reference.anchors, scope->resource, {},
                                                &DynamicAnchors::value_type::first);
    if (found != reference.anchors->end() && found->first == scope->resource)
      target = found->second;
  }
  return *target;
}

bool SchemaEvaluation::CheckReferences(const InPlaceRules& rules, const Instance& instance,
                                       const Context& context) {
  bool valid = rules.reference == nullptr || Check(*rules.reference, instance, context);
  if (rules.dynamic) {
    if (!valid && context.violations == nullptr) return false;
    valid = Check(DynamicTarget(*rules.dynamic, context.scope), instance, context) && valid;
  }
  return valid;
}

bool SchemaEvaluation::CheckAnyOf(const InPlaceRules& rules, const Instance& instance,
                                  const Context& context) {
  bool matches = false;
  for (const Node* node : rules.any_of) {
    matches = Try(*node, instance, context) || matches;
    if (matches && context.marks == nullptr) return true;
  }
  if (matches || exceeded_) return matches && !exceeded_;
  return Fail(context.violations, instance, "anyOf",
              [&] { return NoAlternativeText(rules.any_of, false, instance); });
}

bool SchemaEvaluation::CheckOneOf(const InPlaceRules& rules, const Instance& instance,
                                  const Context& context) {
  std::size_t matches = 0;
  for (const Node* node : rules.one_of) {
    if (Try(*node, instance, context) && ++matches == 2) break;
  }
  if (exceeded_) return false;
  if (matches == 1) return true;
  return Fail(context.violations, instance, "oneOf", [&] {
    if (matches == 0) return NoAlternativeText(rules.one_of, true, instance);
    return base::StrCat("must match exactly one of the ", rules.one_of.size(),
                        " allowed forms, but matches more than one");
  });
}

bool SchemaEvaluation::CheckCondition(const InPlaceRules& rules, const Instance& instance,
                                      const Context& context) {
  const bool holds = Try(*rules.condition, instance, context);
  if (exceeded_) return false;
  const Node* consequence = holds ? rules.then : rules.otherwise;
  return consequence == nullptr || Check(*consequence, instance, context);
}

bool SchemaEvaluation::CheckUnevaluated(const Node& node, const Instance& instance,
                                        const Context& context) {
  bool valid = true;
  EvaluatedMarks& marks = *context.marks;
  const auto check = [&](const Node& rule, std::string_view keyword, const Instance& child) {
    if (marks.Has(child.position)) return true;
    if (rule.never) {
      return Fail(context.violations, child, keyword, [&] {
        return instance.object != nullptr
                   ? UnknownNameText(node.object.get(), child.name, instance.parent != nullptr)
                   : std::string("is not an allowed item");
      });
    }
    return Check(rule, child, {context.scope, nullptr, context.violations, context.depth});
  };
  const bool go_on = context.violations != nullptr;
  std::size_t position = 0;
  if (instance.kind == kind::object && node.unevaluated->properties != nullptr) {
    for (const auto& member : *instance.object) {
      const Instance child(member.value(), instance, member.key(), position++);
      if (!Spend(1)) return false;
      valid = check(*node.unevaluated->properties, "unevaluatedProperties", child) && valid;
      if (!valid && !go_on) return false;
    }
    marks.SetAll();
  }
  if (instance.kind == kind::array && node.unevaluated->items != nullptr) {
    for (const Json& item : instance.value->get_array()) {
      const Instance child(item, instance, {}, position++);
      if (!Spend(1)) return false;
      valid = check(*node.unevaluated->items, "unevaluatedItems", child) && valid;
      if (!valid && !go_on) return false;
    }
    marks.SetAll();
  }
  return valid;
}

}  // namespace toolpost::schema
