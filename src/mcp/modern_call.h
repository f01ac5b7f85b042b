// The CallContext of a 2026-07-28 request: stateless, questions end the round, long work becomes a
// task.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mcp/call_scope.h"
#include "mcp/request_state.h"
#include "mcp/tasks.h"

namespace toolpost::mcp {

inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

class ModernCall : public CallScope {
 public:
  // `capabilities` and `log_level` are those of the request's `_meta`.
  ModernCall(Origin origin, const JsonObject* capabilities, std::optional<LogLevel> log_level);

  bool ClientHas(std::string_view capability) const override {
    return HasCapability(capabilities_, capability);
  }
  bool ClientHasTasks() const;
  Result<InputResponses> Ask(std::vector<InputRequest> requests) override;
  Result<void> BecomeTask() override;

  // Takes inputResponses and requestState of a repeated request.
  Result<void> TakeInput();
  void set_task_support(TaskSupport support) { task_support_ = support; }

  // `members` get resultType and `_meta.serverInfo`; `cacheable` adds the caching hints.
  void Reply(Result<std::string> members, bool cacheable = false);
  // For tools/call, prompts/get and resources/read: a handler that stopped to ask becomes an
  // input_required result.
  void ReplyOrAsk(Result<std::string> members, bool cacheable = false);
  // With the contents of a resource.
  void ReplyRead(Result<base::LongMessage> contents);
  void ReplyTool(const CallOutcome& outcome);
  void ReplyError(const Error& error);

 protected:
  std::optional<LogLevel> log_threshold() const override { return log_level_; }
  void Emit(std::string message) override;

 private:
  void ReplyInputRequired();

  const JsonObject* capabilities_;
  std::optional<LogLevel> log_level_;
  InputResponses answers_;
  std::vector<InputRequest> questions_;
  std::string nonce_;
  std::shared_ptr<Task> task_;
  TaskSupport task_support_ = TaskSupport::kForbidden;
};

}  // namespace toolpost::mcp
