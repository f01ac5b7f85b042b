// What happens in a server, told as it happens: the life of tools and sessions (PRD FR-005.5,
// FR-007.3, NFR-027).
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "toolpost/json.h"

namespace toolpost {

enum class EventKind {
  kToolRegistered,    // tool, wireName, version
  kToolUnregistered,  // tool, wireName, version
  kToolExecuted,      // tool, success, code, durationMs, requestId
  kSessionOpened,     // session, transport
  kSessionClosed,     // session, reason
};

// The name of a kind on every door: "toolExecuted".
std::string_view NameOf(EventKind kind);

struct Event {
  EventKind kind = EventKind::kToolExecuted;
  JsonObject data;          // the members named above
  std::string principal{};  // id of the caller whose doing it was; empty: the server's own
  std::chrono::system_clock::time_point time = std::chrono::system_clock::now();
};

}  // namespace toolpost
