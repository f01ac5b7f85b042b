// How an operation ended, small enough to be a key of counters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::mcp {

class Ending {
 public:
  constexpr Ending() = default;  // well
  // A result with `isError` whose tool gave no code.
  static constexpr Ending ToolError() { return Ending(1); }
  // `protocol_error`: the door answers with an error, not with a result that has `isError`.
  static constexpr Ending Failed(Code code, bool protocol_error) {
    return Ending(static_cast<std::uint8_t>(2 + 2 * static_cast<int>(code) + protocol_error));
  }

  constexpr bool ok() const { return kind_ == 0; }
  // "OK", "TOOL_ERROR" or the name of the error code.
  std::string_view name() const;
  // `error.type` of the OpenTelemetry conventions for MCP: the JSON-RPC code as text, `tool_error`
  // for results with `isError`, `cancelled` where nothing is answered; empty when all went well.
  std::string error_type() const;
  // True if the conventions make it an error of the server: -32603 and -32000 to -32099.
  bool server_error() const;
  // The JSON-RPC code; 0 unless the door answers with an error.
  int json_rpc() const;

  constexpr bool operator==(const Ending&) const = default;

 private:
  explicit constexpr Ending(std::uint8_t kind) : kind_(kind) {}
  Code code() const { return static_cast<Code>((kind_ - 2) / 2); }
  bool protocol_error() const { return kind_ >= 2 && kind_ % 2 == 1; }

  std::uint8_t kind_ = 0;
};

}  // namespace toolpost::mcp
