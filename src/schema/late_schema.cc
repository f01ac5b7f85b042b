// Compiling once, whoever comes first.
#include "schema/late_schema.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace toolpost::schema {

struct LateSchema::State {
  std::once_flag once;
  std::optional<Result<JsonSchema>> compiled;
};

LateSchema::LateSchema() : state_(std::make_unique<State>()) {}
LateSchema::LateSchema(JsonSchema compiled) : LateSchema() {
  std::call_once(state_->once, [&] { state_->compiled.emplace(std::move(compiled)); });
}
LateSchema::~LateSchema() = default;
LateSchema::LateSchema(LateSchema&&) noexcept = default;
LateSchema& LateSchema::operator=(LateSchema&&) noexcept = default;

Result<const JsonSchema*> LateSchema::Get(const Json& schema) const {
  std::call_once(state_->once, [&] { state_->compiled.emplace(JsonSchema::Compile(schema)); });
  const Result<JsonSchema>& compiled = *state_->compiled;
  if (compiled) return &*compiled;
  return Error::Internal(
      base::StrCat("The tool's own schema is wrong: ", compiled.error().message));
}

}  // namespace toolpost::schema
