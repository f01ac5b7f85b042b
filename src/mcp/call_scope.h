// The CallContext of a call that came in as a message, or from the C++ API: what all eras share.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/timer_queue.h"
#include "mcp/channel.h"
#include "mcp/message.h"
#include "mcp/operation.h"
#include "mcp/registry.h"
#include "mcp/revision.h"
#include "toolpost/context.h"

namespace toolpost::mcp {

struct Core;

// Owned by shared_ptr: the worker that runs the handler, the map of in-flight calls and timers hold
// it. Progress, Log and Ask are called by the handler's thread; Cancel by any.
class CallScope : public CallContext, public std::enable_shared_from_this<CallScope> {
 public:
  // Who calls, from where, and on whose memory.
  struct Origin {
    Core* core = nullptr;
    std::shared_ptr<const Body>
        body;  // keeps `message` and its arguments alive; null for the C++ API
    const Message* message = nullptr;  // null for the C++ API
    std::shared_ptr<Channel> channel;  // null for the C++ API
    SharedPrincipal principal;         // never null
    ToolView view;
    Revision revision = kModernRevision;
    const Arrival* arrival = nullptr;  // of a door without a channel; outlives the scope
  };

  explicit CallScope(Origin origin);
  ~CallScope() override;

  const Principal& principal() const override { return *origin_.principal; }
  std::string_view request_id() const override { return request_id_; }
  std::string_view protocol_version() const override;
  std::chrono::steady_clock::time_point deadline() const override;
  std::stop_token stop_token() const override { return stop_.get_token(); }
  void Progress(double progress, std::optional<double> total, std::string_view message) override;
  void Log(LogLevel level, Json data, std::string_view logger) override;
  const Json& state() const override { return state_; }
  void SetState(Json state) override { state_ = std::move(state); }
  const JsonObject& meta() const override;
  void ReleaseStream() override {}
  Result<void> BecomeTask() override { return {}; }

  Core& core() const { return *origin_.core; }
  const Message& message() const { return *origin_.message; }
  const std::string& id() const { return origin_.message->id; }
  const ToolView& view() const { return origin_.view; }
  Revision revision() const { return origin_.revision; }
  Channel& channel() const { return *origin_.channel; }

  // Prepares for work on another thread: from here on the call can be cancelled and ends at the
  // deadline.
  void StartTimed();
  // Asks the handler to stop. `by_client`: no response is wanted any more.
  void Cancel(bool by_client);
  // The request calls this tool.
  void Calls(const RegisteredTool& tool) { operation_.Calls(tool.tool.info); }
  // For log lines of the call; null: it belongs to no trace.
  const TraceLabels* trace() const { return operation_.labels(); }
  // Counts the request, once, when it is answered. A request the client cancelled counts as that.
  void Answered(Ending ending);
  // True if the door wants to answer this outcome with an error of its own kind.
  bool DoorRefuses(const CallOutcome& outcome) const;
  bool cancelled_by_client() const { return cancelled_by_client_.load(std::memory_order_relaxed); }

 protected:
  // The lowest level of log messages the client wants; none: no messages.
  virtual std::optional<LogLevel> log_threshold() const = 0;
  // Sends a message related to this call.
  virtual void Emit(std::string message);
  // A name of the session that does not open it; empty: there is none.
  virtual std::string_view session_label() const { return {}; }
  void StopDeadline();

  Json state_;

 private:
  Origin origin_;
  std::string request_id_;
  Operation operation_;
  std::stop_source stop_{std::nostopstate};
  std::atomic<bool> cancelled_by_client_{false};
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
  base::TimerQueue::Id timer_ = 0;
  double last_progress_;
};

// Calls from outside MCP (C++ API, CLI, controller): nobody to ask, nowhere to send messages.
class DirectCall : public CallScope {
 public:
  using CallScope::CallScope;
  std::string_view protocol_version() const override { return {}; }
  bool ClientHas(std::string_view) const override { return false; }
  Result<InputResponses> Ask(std::vector<InputRequest> requests) override;

 protected:
  std::optional<LogLevel> log_threshold() const override { return std::nullopt; }
  void Emit(std::string) override {}
};

// The capability a question needs ("elicitation", "elicitation.url", "sampling", "roots").
std::string_view CapabilityFor(const InputRequest& request);
// Looks `path` ("elicitation.url") up in a ClientCapabilities object. `elicitation: {}` means form.
bool HasCapability(const JsonObject* capabilities, std::string_view path);
// The ClientCapabilities object that names what `requests` need, for error data.
JsonObject RequiredCapabilities(const std::vector<InputRequest>& requests);
Error MissingCapability(JsonObject required);

std::string_view NameOf(LogLevel level);
std::optional<LogLevel> LogLevelFrom(std::string_view name);

}  // namespace toolpost::mcp
