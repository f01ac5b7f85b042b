// Compiling once, whoever comes first.
#include "mcp/input_rules.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace toolpost::mcp {

Result<InputRules> InputRules::Compile(const Json& input_schema) {
  ASSIGN_OR_RETURN(std::vector<HeaderArgument> headers, CollectHeaderArguments(input_schema));
  ASSIGN_OR_RETURN(schema::JsonSchema compiled, schema::JsonSchema::Compile(input_schema));
  return InputRules{std::move(compiled), std::move(headers)};
}

struct LateInputRules::State {
  std::once_flag once;
  std::optional<Result<InputRules>> compiled;
};

LateInputRules::LateInputRules() : state_(std::make_unique<State>()) {}
LateInputRules::LateInputRules(InputRules compiled) : LateInputRules() {
  std::call_once(state_->once, [&] { state_->compiled.emplace(std::move(compiled)); });
}
LateInputRules::~LateInputRules() = default;
LateInputRules::LateInputRules(LateInputRules&&) noexcept = default;
LateInputRules& LateInputRules::operator=(LateInputRules&&) noexcept = default;

Result<const InputRules*> LateInputRules::Get(const Json& input_schema) const {
  std::call_once(state_->once,
                 [&] { state_->compiled.emplace(InputRules::Compile(input_schema)); });
  const Result<InputRules>& compiled = *state_->compiled;
  if (compiled) return &*compiled;
  return Error::Internal(
      base::StrCat("The tool's own schema is wrong: ", compiled.error().message));
}

}  // namespace toolpost::mcp
