// `requestState` of multi-round-trip requests (2026-07-28): what a call wants back with the
// answers, signed.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "mcp/message.h"
#include "toolpost/context.h"

namespace toolpost::mcp {

// The text is readable by the client, but cannot be changed, moved to another principal or request,
// used after it expired, or used again after the call it belongs to completed. Thread-safe. The key
// lives as long as the process.
class RequestStateCodec {
 public:
  RequestStateCodec();

  struct State {
    InputResponses answers;  // of earlier rounds
    Json handler_state;
    std::string nonce;
  };

  static constexpr std::chrono::minutes kLifetime{15};

  std::string Seal(const State& state, const Principal& principal, const Message& message) const;
  // Code::kInvalidArgument for anything that is not ours, or not for this principal and request.
  Result<State> Open(std::string_view text, const Principal& principal,
                     const Message& message) const;
  // The call completed: its state will not be accepted again.
  void Spend(const std::string& nonce);

 private:
  const std::string key_;
  mutable std::mutex mutex_;
  std::map<std::string, base::WallTime, std::less<>> spent_;
};

}  // namespace toolpost::mcp
