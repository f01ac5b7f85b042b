// The CallContext of a call inside a legacy session: questions go to the client as requests, and
// the worker waits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mcp/call_scope.h"
#include "mcp/session.h"
#include "mcp/tasks.h"

namespace toolpost::mcp {

class LegacyCall : public CallScope {
 public:
  LegacyCall(Origin origin, std::shared_ptr<Session> session);

  Session& session() const { return *session_; }
  const std::shared_ptr<Task>& task() const { return task_; }
  // Enters the call into the session's requests in flight. False, with the error sent, when the id
  // is in use.
  bool Track();
  // From here on messages and the result belong to the task (2025-11-25, `params.task`).
  void RunAsTask(std::shared_ptr<Task> task);

  bool ClientHas(std::string_view capability) const override;
  Result<InputResponses> Ask(std::vector<InputRequest> requests) override;
  void ReleaseStream() override;

  // Answers the request; nothing is sent when the client cancelled it.
  void Reply(Result<std::string> members);
  // The same with the contents of a resource.
  void ReplyRead(Result<base::LongMessage> contents);
  // Answers tools/call with the outcome of the gate, through the task if it became one.
  void ReplyTool(const CallOutcome& outcome);

 protected:
  std::optional<LogLevel> log_threshold() const override { return session_->log_level(); }
  void Emit(std::string message) override;
  std::string_view session_label() const override { return session_->label(); }

 private:
  void Send(Result<std::string> members, Ending ending);

  std::shared_ptr<Session> session_;
  std::shared_ptr<Task> task_;
  bool tracked_ = false;
};

// Members of a legacy CallToolResult for an outcome that is no protocol error.
std::string LegacyToolResult(const CallOutcome& outcome, Revision revision,
                             std::string_view extra_meta = {});

}  // namespace toolpost::mcp
