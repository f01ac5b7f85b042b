// JSON Schema 2020-12, compiled once, evaluated within bounds, never touching the network.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolpost/json.h"
#include "toolpost/result.h"
#include "toolpost/schema.h"

namespace toolpost::schema {

// Immutable after Compile; Validate may run on any number of threads at once.
class JsonSchema {
 public:
  struct Options {
    // Resolves a `$ref` to another document by absolute URI; absent or null result: the reference
    // is refused.
    std::function<std::optional<Json>(std::string_view uri)> documents;
    std::size_t max_subschemas = 10'000;
  };

  // Refuses unknown dialects in `$schema`, unresolvable references, unsupported patterns and too
  // large schemas, saying where.
  static Result<JsonSchema> Compile(const Json& schema, const Options& options);
  static Result<JsonSchema> Compile(const Json& schema);

  // True if valid. Bounded to `max_steps` keyword evaluations (over it: invalid).
  bool IsValid(const Json& instance, std::size_t max_steps = 1'000'000) const;
  // All violations, at most `max_violations`, in document order; empty means valid. `path` is a
  // JSON pointer.
  std::vector<Violation> Validate(const Json& instance, std::size_t max_violations = 20,
                                  std::size_t max_steps = 1'000'000) const;
  std::vector<Violation> Validate(const JsonObject& instance, std::size_t max_violations = 20,
                                  std::size_t max_steps = 1'000'000) const;

 private:
  struct Compiled;
  explicit JsonSchema(std::shared_ptr<const Compiled> compiled);
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace toolpost::schema
