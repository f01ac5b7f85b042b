// Endings in the words of logs and of OpenTelemetry.
#include "mcp/ending.h"

#include "base/error_table.h"

namespace toolpost::mcp {

std::string_view Ending::name() const {
  if (ok()) return "OK";
  return kind_ == 1 ? "TOOL_ERROR" : base::FormsOf(code()).name;
}

int Ending::json_rpc() const {
  return protocol_error() && code() != Code::kCancelled ? base::FormsOf(code()).json_rpc : 0;
}

std::string Ending::error_type() const {
  if (ok()) return {};
  if (!protocol_error()) return "tool_error";
  return code() == Code::kCancelled ? "cancelled" : std::to_string(json_rpc());
}

bool Ending::server_error() const {
  const int number = json_rpc();
  return number == -32603 || (number <= -32000 && number >= -32099);
}

}  // namespace toolpost::mcp
