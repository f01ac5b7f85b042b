// Any bytes as a JSON-RPC body: parsed or refused, for its JSON or for the length of its batch, and
// what was parsed is written back to the same value.
#include <cstdint>
#include <cstdlib>

#include "base/json_parse.h"
#include "base/json_write.h"
#include "mcp/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = toolpost::base::ParseJson(text);
  const auto body = toolpost::mcp::Body::Parse(text);
  const bool long_batch =
      value && value->is_array() && value->get_array().size() > toolpost::mcp::Body::kMaxBatch;
  if (body.has_value() != (value && !long_batch)) std::abort();
  if (!value) return 0;
  const auto again = toolpost::base::ParseJson(toolpost::base::ToJson(*value));
  if (!again || *again != *value) std::abort();
  return 0;
}
