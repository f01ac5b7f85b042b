// What all calls share: progress, log messages, cancellation, deadline, capability look-up.
#include "mcp/call_scope.h"

#include <array>
#include <cmath>
#include <limits>

#include "base/json_write.h"
#include "mcp/core.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevelNames = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

// Whole numbers without a fraction, as people and most servers write them.
Json Number(double value) {
  constexpr double kExact = 9'007'199'254'740'992.0;  // 2^53
  if (std::trunc(value) == value && std::abs(value) <= kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

const Arrival& ArrivalOf(const CallScope::Origin& origin) {
  static const Arrival kWithin;
  if (origin.channel) return origin.channel->arrival();
  return origin.arrival != nullptr ? *origin.arrival : kWithin;
}

}  // namespace

std::string_view NameOf(LogLevel level) { return kLevelNames[static_cast<std::size_t>(level)]; }

std::optional<LogLevel> LogLevelFrom(std::string_view name) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

CallScope::CallScope(Origin origin)
    : origin_(std::move(origin)),
      request_id_(origin_.core->NextRequestId()),
      operation_(*origin_.core, origin_.message, ArrivalOf(origin_)),
      last_progress_(-std::numeric_limits<double>::infinity()) {
  origin_.view.credential = origin_.principal->credential;
}

CallScope::~CallScope() { StopDeadline(); }

std::string_view CallScope::protocol_version() const { return NameOf(origin_.revision); }

std::chrono::steady_clock::time_point CallScope::deadline() const { return deadline_; }

void CallScope::Progress(double progress, std::optional<double> total, std::string_view message) {
  const Json* token = meta().if_contains("progressToken");
  if (token == nullptr || !(token->is_string() || token->is_int64() || token->is_uint64())) return;
  if (!(progress > last_progress_)) return;
  last_progress_ = progress;
  std::string params;
  AppendMember(params, "progressToken", *token);
  AppendMember(params, "progress", Number(progress));
  if (total) AppendMember(params, "total", Number(*total));
  if (!message.empty() && revision() >= Revision::k2025_03_26)
    AppendMember(params, "message", message);
  Emit(NotificationMessage("notifications/progress", params));
}

void CallScope::Log(LogLevel level, Json data, std::string_view logger) {
  const std::optional<LogLevel> threshold = log_threshold();
  if (!threshold || level < *threshold) return;
  std::string params;
  AppendMember(params, "level", NameOf(level));
  if (!logger.empty()) AppendMember(params, "logger", logger);
  AppendMember(params, "data", data);
  Emit(NotificationMessage("notifications/message", params));
}

const JsonObject& CallScope::meta() const {
  static const JsonObject kEmpty;
  const JsonObject* meta = origin_.message == nullptr ? nullptr : origin_.message->Meta();
  return meta == nullptr ? kEmpty : *meta;
}

void CallScope::StartTimed() {
  stop_ = std::stop_source();
  const std::chrono::seconds timeout = core().options()->call_timeout;
  deadline_ = std::chrono::steady_clock::now() + timeout;
  timer_ = core().timers.After(timeout, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->Cancel(false);
  });
  if (origin_.channel) {
    origin_.channel->OnCancel([weak = weak_from_this()] {
      if (auto self = weak.lock()) self->Cancel(true);
    });
  }
}

void CallScope::StopDeadline() {
  if (timer_ == 0) return;
  core().timers.Cancel(timer_);
  timer_ = 0;
  deadline_ = std::chrono::steady_clock::time_point::max();
}

void CallScope::Cancel(bool by_client) {
  if (by_client) cancelled_by_client_.store(true, std::memory_order_relaxed);
  stop_.request_stop();
}

void CallScope::Answered(Ending ending) {
  if (cancelled_by_client()) ending = Ending::Failed(Code::kCancelled, true);
  operation_.End(core(), ending,
                 {request_id_, protocol_version(), session_label(), principal().address});
}

bool CallScope::DoorRefuses(const CallOutcome& outcome) const {
  return outcome.error && origin_.channel && origin_.channel->Refuse(*outcome.error);
}

void CallScope::Emit(std::string message) {
  if (!cancelled_by_client()) origin_.channel->Send(std::move(message));
}

Result<InputResponses> DirectCall::Ask(std::vector<InputRequest> requests) {
  return MissingCapability(RequiredCapabilities(requests));
}

std::string_view CapabilityFor(const InputRequest& request) {
  if (request.method == "sampling/createMessage") {
    return request.params.contains("tools") ? "sampling.tools" : "sampling";
  }
  if (request.method == "roots/list") return "roots";
  const Json* mode = request.params.if_contains("mode");
  return mode != nullptr && *mode == "url" ? "elicitation.url" : "elicitation";
}

bool HasCapability(const JsonObject* capabilities, std::string_view path) {
  if (capabilities == nullptr) return false;
  const std::size_t dot = path.find('.');
  const Json* value = capabilities->if_contains(path.substr(0, dot));
  const JsonObject* object = value == nullptr ? nullptr : value->if_object();
  if (object == nullptr) return false;
  if (dot != std::string_view::npos) return object->contains(path.substr(dot + 1));
  return path != "elicitation" || object->empty() || object->contains("form");
}

JsonObject RequiredCapabilities(const std::vector<InputRequest>& requests) {
  JsonObject required;
  for (const InputRequest& request : requests) {
    const std::string_view path = CapabilityFor(request);
    const std::size_t dot = path.find('.');
    Json& entry = required[path.substr(0, dot)];
    if (!entry.is_object()) entry = JsonObject();
    if (dot != std::string_view::npos) entry.get_object()[path.substr(dot + 1)] = JsonObject();
  }
  return required;
}

Error MissingCapability(JsonObject required) {
  std::string names;
  for (const auto& [name, value] : required) {
    if (!names.empty()) names.append(", ");
    names.append(name);
  }
  return {Code::kMissingCapability, "The client lacks a capability this call needs: " + names,
          JsonObject{{"requiredCapabilities", std::move(required)}}};
}

}  // namespace toolpost::mcp
