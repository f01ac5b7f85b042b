// Builds the node graph from an index, with a work list instead of recursion.
#include "schema/compile.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "schema/index.h"
#include "schema/keywords.h"

namespace toolpost::schema {

namespace {

using base::StrCat;

bool BySizeThenBytes(const Property& property, std::string_view name) {
  return property.name.size() != name.size() ? property.name.size() < name.size()
                                             : property.name < name;
}

class Compiler {
 public:
  Compiler(const Json& schema, const JsonSchema::Options& options)
      : schema_(schema), index_(options) {}

  Result<SchemaGraph> Run() {
    RETURN_IF_ERROR(index_.AddRoot(schema_));
    graph_.root = NodeFor(&schema_);
    const std::size_t own = index_.order().size();
    for (std::size_t i = 0; i < own; ++i) NodeFor(index_.order()[i]);
    // An anchor found late may be the target of a dynamic reference compiled early, and may bring
    // in more documents.
    do {
      RETURN_IF_ERROR(Drain());
      LinkDynamicReferences();
    } while (!pending_.empty());
    return std::move(graph_);
  }

 private:
  Node* NodeFor(const Json* schema) {
    const auto [entry, added] = nodes_.try_emplace(schema, nullptr);
    if (added) {
      entry->second = &graph_.nodes.emplace_back();
      pending_.push_back(schema);
    }
    return entry->second;
  }

  Result<void> Drain() {
    while (!pending_.empty()) {
      const Json* schema = pending_.back();
      pending_.pop_back();
      RETURN_IF_ERROR(Fill(*schema, *nodes_.at(schema)));
    }
    return {};
  }

  Result<void> Fill(const Json& schema, Node& node) {
    const SchemaPlace place = index_.place(&schema);
    node.resource = place.resource;
    if (schema.is_bool()) {
      node.never = !schema.get_bool();
      return {};
    }
    const JsonObject& object = schema.get_object();
    const std::uint8_t vocabularies = index_.resource(place.resource).vocabularies;
    if (vocabularies & kValidationVocabulary) {
      const auto pattern = [&](std::string_view source) {
        return PatternFor(source, place.pointer);
      };
      RETURN_IF_ERROR(ReadValidationKeywords(object, place.pointer, pattern, node));
    }
    if (vocabularies & kApplicatorVocabulary) {
      ReadArrayApplicators(object, node);
      RETURN_IF_ERROR(ReadObjectApplicators(object, place.pointer, node));
      ReadInPlace(object, node);
    }
    if (vocabularies & kUnevaluatedVocabulary) ReadUnevaluated(object, node);
    RETURN_IF_ERROR(ReadReferences(object, place, node));
    Finish(node);
    return {};
  }

  Result<Pattern> PatternFor(std::string_view source, std::string_view pointer) {
    const auto found = patterns_.find(std::string(source));
    if (found != patterns_.end()) return Pattern{std::string(source), found->second};
    auto regex = base::Regex::Compile(source);
    if (!regex) {
      return SchemaError(pointer, StrCat("the pattern ", source.substr(0, 200),
                                         " is refused: ", regex.error().message));
    }
    patterns_.emplace(source, *regex);
    return Pattern{std::string(source), *regex};
  }

  const Node* Sub(const JsonObject& schema, std::string_view keyword) {
    const Json* value = schema.if_contains(keyword);
    return value == nullptr ? nullptr : NodeFor(value);
  }

  std::vector<const Node*> SubList(const JsonObject& schema, std::string_view keyword) {
    std::vector<const Node*> list;
    if (const Json* value = schema.if_contains(keyword)) {
      for (const Json& item : value->get_array()) list.push_back(NodeFor(&item));
    }
    return list;
  }

  void ReadArrayApplicators(const JsonObject& schema, Node& node) {
    std::vector<const Node*> prefix = SubList(schema, "prefixItems");
    const Node* items = Sub(schema, "items");
    const Node* contains = Sub(schema, "contains");
    if (prefix.empty() && items == nullptr && contains == nullptr) return;
    ArrayRules& rules = Ensure(node.array);
    rules.prefix = std::move(prefix);
    rules.items = items;
    rules.contains = contains;
  }

  Result<void> ReadObjectApplicators(const JsonObject& schema, std::string_view pointer,
                                     Node& node) {
    if (const Json* value = schema.if_contains("properties")) {
      AddProperties(value->get_object(), Ensure(node.object));
    }
    if (const Json* value = schema.if_contains("patternProperties")) {
      for (const auto& member : value->get_object()) {
        ASSIGN_OR_RETURN(Pattern pattern, PatternFor(member.key(), pointer));
        Ensure(node.object).patterns.emplace_back(std::move(pattern), NodeFor(&member.value()));
      }
    }
    if (const Json* value = schema.if_contains("dependentSchemas")) {
      for (const auto& member : value->get_object()) {
        Ensure(node.object)
            .dependencies.push_back({std::string(member.key()), {}, NodeFor(&member.value())});
      }
    }
    if (const Node* sub = Sub(schema, "additionalProperties")) Ensure(node.object).additional = sub;
    if (const Node* sub = Sub(schema, "propertyNames")) Ensure(node.object).property_names = sub;
    return {};
  }

  void AddProperties(const JsonObject& properties, ObjectRules& rules) {
    std::unordered_map<std::string_view, std::size_t> required;
    for (std::size_t i = 0; i < rules.required.size(); ++i) required.emplace(rules.required[i], i);
    for (const auto& member : properties) {
      const std::string_view name = member.key();
      const Node* sub = NodeFor(&member.value());
      rules.names.emplace_back(name);
      if (const auto found = required.find(name); found != required.end()) {
        rules.properties[found->second].node = sub;
      } else {
        rules.properties.push_back({std::string(name), sub, false});
      }
    }
  }

  void ReadInPlace(const JsonObject& schema, Node& node) {
    InPlaceRules rules;
    rules.all_of = SubList(schema, "allOf");
    rules.any_of = SubList(schema, "anyOf");
    rules.one_of = SubList(schema, "oneOf");
    rules.negated = Sub(schema, "not");
    rules.condition = Sub(schema, "if");
    rules.then = Sub(schema, "then");
    rules.otherwise = Sub(schema, "else");
    if (!rules.all_of.empty() || !rules.any_of.empty() || !rules.one_of.empty() ||
        rules.negated != nullptr || rules.condition != nullptr) {
      node.in_place = std::make_unique<InPlaceRules>(std::move(rules));
    }
  }

  void ReadUnevaluated(const JsonObject& schema, Node& node) {
    if (const Node* sub = Sub(schema, "unevaluatedProperties")) {
      Ensure(node.unevaluated).properties = sub;
    }
    if (const Node* sub = Sub(schema, "unevaluatedItems")) Ensure(node.unevaluated).items = sub;
  }

  Result<const Json*> Target(const Json& value, std::string_view keyword,
                             const SchemaPlace& place) {
    const std::string at = PointerJoin(place.pointer, keyword);
    if (!value.is_string()) return SchemaError(at, "must be a string");
    auto target = index_.Resolve(place.resource, value.get_string());
    if (!target) {
      return SchemaError(
          at, StrCat("the reference ", std::string_view(value.get_string()).substr(0, 200),
                     " cannot be resolved: ", target.error().message));
    }
    return target;
  }

  Result<void> ReadReferences(const JsonObject& schema, const SchemaPlace& place, Node& node) {
    if (const Json* value = schema.if_contains("$ref")) {
      ASSIGN_OR_RETURN(const Json* target, Target(*value, "$ref", place));
      Ensure(node.in_place).reference = NodeFor(target);
    }
    if (const Json* value = schema.if_contains("$dynamicRef")) {
      ASSIGN_OR_RETURN(const Json* target, Target(*value, "$dynamicRef", place));
      Ensure(node.in_place).dynamic = DynamicReference{NodeFor(target)};
      // JSON Schema core, 8.2.3.2: dynamic only if the initial target is a dynamic anchor of that
      // name.
      const std::string_view reference = value->get_string();
      const std::string_view name =
          reference.substr(std::min(reference.find('#'), reference.size() - 1) + 1);
      const auto& anchors = index_.resource(index_.place(target).resource).dynamic_anchors;
      if (const auto found = anchors.find(name);
          found != anchors.end() && found->second == target) {
        node.in_place->dynamic->anchors = &graph_.dynamic_anchors[std::string(name)];
      }
    }
    return {};
  }

  void LinkDynamicReferences() {
    for (auto& [name, anchors] : graph_.dynamic_anchors) {
      anchors.clear();
      for (std::uint32_t id = 0; id < index_.resources().size(); ++id) {
        const auto& known = index_.resource(id).dynamic_anchors;
        if (const auto found = known.find(name); found != known.end()) {
          anchors.emplace_back(id, NodeFor(found->second));
        }
      }
    }
  }

  static void Finish(Node& node) {
    if (node.object) {
      std::ranges::sort(node.object->properties, [](const Property& a, const Property& b) {
        return BySizeThenBytes(a, b.name);
      });
    }
    node.only_type = !node.allowed && !node.constant && !node.number && !node.string &&
                     !node.array && !node.object && !node.in_place && !node.unevaluated;
  }

  const Json& schema_;
  SchemaIndex index_;
  SchemaGraph graph_;
  std::unordered_map<const Json*, Node*> nodes_;
  std::vector<const Json*> pending_;
  std::unordered_map<std::string, base::Regex> patterns_;
};

}  // namespace

const Property* ObjectRules::FindSorted(std::string_view name) const {
  const auto found = std::lower_bound(properties.begin(), properties.end(), name, BySizeThenBytes);
  return found != properties.end() && found->name == name ? &*found : nullptr;
}

Result<SchemaGraph> CompileSchema(const Json& schema, const JsonSchema::Options& options) {
  return Compiler(schema, options).Run();
}

}  // namespace toolpost::schema
