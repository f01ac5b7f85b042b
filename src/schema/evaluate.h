// Evaluation of a compiled schema against a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schema/instance.h"
#include "schema/message.h"
#include "schema/node.h"

namespace toolpost::schema {

// Which members or items of one value have been evaluated, for the unevaluated* keywords. Only kept
// when one of them is waiting for the answer.
class EvaluatedMarks {
 public:
  void Set(std::size_t index) {
    if (index >= seen_.size()) seen_.resize(index + 1);
    seen_[index] = true;
  }
  void SetAll() { all_ = true; }
  bool Has(std::size_t index) const { return all_ || (index < seen_.size() && seen_[index]); }
  void Merge(const EvaluatedMarks& other);
  std::size_t size() const { return seen_.size(); }

 private:
  bool all_ = false;
  std::vector<bool> seen_;
};

// One evaluation: construct, Run once, ask `exceeded`. Allocates nothing as long as the value is
// valid and the schema uses neither unevaluated* nor uniqueItems on long arrays.
class SchemaEvaluation {
 public:
  explicit SchemaEvaluation(std::size_t max_steps) : steps_(max_steps) {}

  // Whether `instance` is valid. With `violations`, goes on after the first one and reports them
  // all.
  bool Run(const Node& root, const Instance& instance, ViolationList* violations);
  // The bounds on steps or depth were hit: the answer false means "not known to be valid".
  bool exceeded() const { return exceeded_; }

 private:
  // Innermost first: the resources entered on the way here.
  struct Scope {
    const Scope* outer;
    std::uint32_t resource;
  };
  struct Context {
    const Scope* scope;
    EvaluatedMarks* marks;      // null: nobody asks
    ViolationList* violations;  // null: stop at the first
    unsigned depth;
  };

  bool Spend(std::size_t steps) {
    if (steps_ < steps) return Exceed();
    steps_ -= steps;
    return true;
  }
  bool Exceed() {
    exceeded_ = true;
    steps_ = 0;
    return false;
  }

  bool Check(const Node& node, const Instance& instance, const Context& context);
  bool CheckRules(const Node& node, const Instance& instance, const Context& context);
  bool CheckKind(const Node& node, const Instance& instance, const Context& context);
  // A branch that may fail without consequence: no violations, marks only if it holds.
  bool Try(const Node& node, const Instance& instance, const Context& context);

  bool CheckObject(const ObjectRules& rules, const Instance& instance, const Context& context);
  bool CheckMember(const ObjectRules& rules, const Instance& member, const Property* property,
                   const Context& context);
  bool CheckAdditional(const ObjectRules& rules, const Instance& member, const Context& context);
  bool CheckName(const Node& names, const Instance& member, const Context& context);
  bool CheckRequired(const ObjectRules& rules, const Instance& instance, const Context& context);
  bool CheckDependencies(const ObjectRules& rules, const Instance& instance,
                         const Context& context);
  bool CheckArray(const ArrayRules& rules, const Instance& instance, const Context& context);
  bool CheckItems(const ArrayRules& rules, const Instance& instance, const Context& context);
  bool CheckContains(const ArrayRules& rules, const Instance& instance, const Context& context);
  bool CheckUnique(const Instance& instance, const Context& context);

  bool CheckInPlace(const InPlaceRules& rules, const Instance& instance, const Context& context);
  bool CheckReferences(const InPlaceRules& rules, const Instance& instance, const Context& context);
  bool CheckAnyOf(const InPlaceRules& rules, const Instance& instance, const Context& context);
  bool CheckOneOf(const InPlaceRules& rules, const Instance& instance, const Context& context);
  bool CheckCondition(const InPlaceRules& rules, const Instance& instance, const Context& context);
  bool CheckUnevaluated(const Node& node, const Instance& instance, const Context& context);

  static const Node& DynamicTarget(const DynamicReference& reference, const Scope* scope);

  std::size_t steps_;
  bool exceeded_ = false;
};

}  // namespace toolpost::schema
