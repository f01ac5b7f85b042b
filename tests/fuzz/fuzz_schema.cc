// Any JSON as {"schema": …, "instance": …}: compiled or refused, evaluated within bounds, and both
// ways of asking agree.
#include <cstdint>
#include <cstdlib>

#include "base/json_parse.h"
#include "schema/json_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = toolpost::base::ParseJson({reinterpret_cast<const char*>(data), size});
  if (!input || !input->is_object()) return 0;
  const toolpost::Json* schema = input->get_object().if_contains("schema");
  const toolpost::Json* instance = input->get_object().if_contains("instance");
  if (schema == nullptr || instance == nullptr) return 0;
  const auto compiled = toolpost::schema::JsonSchema::Compile(*schema);
  if (!compiled) return 0;
  constexpr std::size_t kSteps = 10'000;
  const bool valid = compiled->IsValid(*instance, kSteps);
  if (valid && !compiled->Validate(*instance, 20, kSteps * 4).empty()) std::abort();
  return 0;
}
