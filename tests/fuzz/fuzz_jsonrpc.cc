// Any bytes as a JSON-RPC body: parsed or refused, and what was parsed is written back to the same
// value.
#include <cstdint>
#include <cstdlib>

#include "base/json_parse.h"
#include "base/json_write.h"
#include "mcp/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = toolpost::base::ParseJson(text);
  const auto body = toolpost::mcp::Body::Parse(text);
  if (value.has_value() != body.has_value()) std::abort();
  if (!value) return 0;
  const auto again = toolpost::base::ParseJson(toolpost::base::ToJson(*value));
  if (!again || *again != *value) std::abort();
  return 0;
}
