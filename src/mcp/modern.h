// 2026-07-28: stateless requests that describe themselves.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "mcp/call_scope.h"
#include "mcp/message.h"

namespace toolpost::mcp {

struct Core;

// The request headers of an HTTP POST, as far as the protocol looks at them.
class HttpHeaders {
 public:
  virtual ~HttpHeaders() = default;
  // The value without surrounding white space; data() == nullptr when the header is absent.
  virtual std::string_view Find(std::string_view name) const = 0;
};

// What a modern request says of itself in `params._meta`.
struct ModernEnvelope {
  std::string_view version;
  const JsonObject* capabilities = nullptr;
  std::optional<LogLevel> log_level;
};

// True if `_meta` has the key that marks a modern request, whatever its value.
bool HasModernClaim(const Message& message);
// Code::kInvalidArgument naming the key that is missing or of the wrong type.
Result<ModernEnvelope> ReadEnvelope(const Message& message);

// Answers one request with a modern claim. `headers` is null where there are none (stdio,
// WebSocket).
void ServeModern(CallScope::Origin origin, const HttpHeaders* headers);

}  // namespace toolpost::mcp
