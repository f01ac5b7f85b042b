// JsonSchema: the compiled graph behind its public face.
#include "schema/json_schema.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "schema/compile.h"
#include "schema/evaluate.h"
#include "schema/instance.h"

namespace toolpost::schema {

struct JsonSchema::Compiled {
  SchemaGraph graph;
};

namespace {

std::vector<Violation> Violations(const Node& root, const Instance& instance,
                                  std::size_t max_violations, std::size_t max_steps) {
  SchemaEvaluation quick(max_steps);
  if (quick.Run(root, instance, nullptr)) return {};
  max_violations = std::max<std::size_t>(max_violations, 1);  // an empty list would mean valid
  ViolationList list(max_violations);
  bool exceeded = quick.exceeded();
  if (!exceeded) {
    SchemaEvaluation thorough(max_steps);
    thorough.Run(root, instance, &list);
    exceeded = thorough.exceeded() && !list.full();
  }
  std::vector<Violation> violations = list.Take();
  if (exceeded && violations.size() < max_violations) {
    violations.push_back(
        {"", "limit", "is too large or too deeply nested to be checked completely"});
  }
  return violations;
}

}  // namespace

JsonSchema::JsonSchema(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

Result<JsonSchema> JsonSchema::Compile(const Json& schema, const Options& options) {
  try {
    ASSIGN_OR_RETURN(SchemaGraph graph, CompileSchema(schema, options));
    return JsonSchema(std::make_shared<const Compiled>(Compiled{std::move(graph)}));
  } catch (const std::exception&) {
    return Error::Internal(
        "the schema could not be compiled: out of memory or a failing document source");
  }
}

Result<JsonSchema> JsonSchema::Compile(const Json& schema) { return Compile(schema, Options()); }

bool JsonSchema::IsValid(const Json& instance, std::size_t max_steps) const {
  return SchemaEvaluation(max_steps).Run(*compiled_->graph.root, Instance(instance), nullptr);
}

std::vector<Violation> JsonSchema::Validate(const Json& instance, std::size_t max_violations,
                                            std::size_t max_steps) const {
  return Violations(*compiled_->graph.root, Instance(instance), max_violations, max_steps);
}

std::vector<Violation> JsonSchema::Validate(const JsonObject& instance, std::size_t max_violations,
                                            std::size_t max_steps) const {
  return Violations(*compiled_->graph.root, Instance(instance), max_violations, max_steps);
}

}  // namespace toolpost::schema
