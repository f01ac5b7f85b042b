// A schema compiled when it is first needed: most tools of a process are never called.
#pragma once

#include <memory>

#include "schema/json_schema.h"

namespace toolpost::schema {

// Thread-safe. The compiled schema belongs to it.
class LateSchema {
 public:
  LateSchema();  // compiles with the first Get()
  explicit LateSchema(JsonSchema compiled);
  ~LateSchema();
  LateSchema(LateSchema&&) noexcept;
  LateSchema& operator=(LateSchema&&) noexcept;

  // `schema` is the same in every call. Code::kInternal if it cannot be compiled.
  Result<const JsonSchema*> Get(const Json& schema) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace toolpost::schema
