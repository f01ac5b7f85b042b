// What a tool's input schema asks of a call, compiled when it is first needed: most tools of a
// process are never called.
#pragma once

#include <memory>
#include <vector>

#include "mcp/header_arguments.h"
#include "schema/json_schema.h"

namespace toolpost::mcp {

struct InputRules {
  schema::JsonSchema schema;
  std::vector<HeaderArgument> headers;

  static Result<InputRules> Compile(const Json& input_schema);
};

// Thread-safe. The compiled rules belong to it.
class LateInputRules {
 public:
  LateInputRules();  // compiles with the first Get()
  explicit LateInputRules(InputRules compiled);
  ~LateInputRules();
  LateInputRules(LateInputRules&&) noexcept;
  LateInputRules& operator=(LateInputRules&&) noexcept;

  // `input_schema` is the same in every call. Code::kInternal if it cannot be compiled.
  Result<const InputRules*> Get(const Json& input_schema) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace toolpost::mcp
