// The members of events, and events made of them: one struct for each shape, from which the types
// that clients get are generated.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "toolpost/event.h"
#include "toolpost/schema.h"

namespace toolpost {

template <>
struct EnumNames<EventKind> {
  static constexpr std::pair<EventKind, std::string_view> kNames[] = {
      {EventKind::kToolRegistered, "toolRegistered"},
      {EventKind::kToolUnregistered, "toolUnregistered"},
      {EventKind::kToolExecuted, "toolExecuted"},
      {EventKind::kSessionOpened, "sessionOpened"},
      {EventKind::kSessionClosed, "sessionClosed"}};
};

namespace mcp {

struct ToolChangedData {
  std::string tool;
  std::string wire_name;
  std::string version;
  static constexpr auto Fields() {
    return std::tuple{Req("tool", &ToolChangedData::tool, "Canonical id."),
                      Req("wireName", &ToolChangedData::wire_name),
                      Req("version", &ToolChangedData::version)};
  }
};

struct ToolExecutedData {
  std::string tool;
  bool success = false;
  std::string code;
  double duration_ms = 0;
  std::string request_id;
  static constexpr auto Fields() {
    return std::tuple{Req("tool", &ToolExecutedData::tool, "Canonical id."),
                      Req("success", &ToolExecutedData::success),
                      Req("code", &ToolExecutedData::code, "OK, TOOL_ERROR or the error's name."),
                      Req("durationMs", &ToolExecutedData::duration_ms),
                      Req("requestId", &ToolExecutedData::request_id)};
  }
};

struct SessionOpenedData {
  std::string session;
  std::string transport;
  static constexpr auto Fields() {
    return std::tuple{Req("session", &SessionOpenedData::session, "Start of its id."),
                      Req("transport", &SessionOpenedData::transport)};
  }
};

struct SessionClosedData {
  std::string session;
  std::string reason;
  static constexpr auto Fields() {
    return std::tuple{
        Req("session", &SessionClosedData::session, "Start of its id."),
        Req("reason", &SessionClosedData::reason, "closed, idle, revoked or shutdown.")};
  }
};

// `principal` is the id of whose doing it was; empty: the server's own.
template <typename Data>
Event MakeEvent(EventKind kind, const Data& data, std::string principal) {
  return {kind, std::move(Encode(data).as_object()), std::move(principal)};
}

}  // namespace mcp
}  // namespace toolpost
