// Replies, questions and messages of calls inside a session.
#include "mcp/legacy_call.h"

#include "base/crypto.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "mcp/tool_result.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

// Pages an error tells the client to visit first.
void ExpectVisits(Session& session, const Error& error) {
  if (error.code != Code::kUrlElicitation || session.revision() < Revision::k2025_11_25) return;
  const Json* visits =
      error.data.is_object() ? error.data.get_object().if_contains("elicitations") : nullptr;
  if (visits == nullptr || !visits->is_array()) return;
  for (const Json& visit : visits->get_array()) {
    if (const Json* id =
            visit.is_object() ? visit.get_object().if_contains("elicitationId") : nullptr;
        id != nullptr && id->is_string())
      session.ExpectVisit(id->get_string());
  }
}

}  // namespace

LegacyCall::LegacyCall(Origin origin, std::shared_ptr<Session> session)
    : CallScope(std::move(origin)), session_(std::move(session)) {}

bool LegacyCall::Track() {
  tracked_ = session_->Track(std::static_pointer_cast<CallScope>(shared_from_this()));
  if (!tracked_) Reply(Error::InvalidRequest("This id is in use by a running request"));
  return tracked_;
}

void LegacyCall::RunAsTask(std::shared_ptr<Task> task) {
  task_ = std::move(task);
  task_->set_call(weak_from_this());
  StopDeadline();
}

bool LegacyCall::ClientHas(std::string_view capability) const {
  if (capability.starts_with("elicitation") && revision() < Revision::k2025_06_18) return false;
  if (capability == "elicitation.url" && revision() < Revision::k2025_11_25) return false;
  return HasCapability(session_->client_capabilities(), capability);
}

Result<InputResponses> LegacyCall::Ask(std::vector<InputRequest> requests) {
  const JsonObject required = RequiredCapabilities(requests);
  std::erase_if(requests,
                [this](const InputRequest& request) { return !ClientHas(CapabilityFor(request)); });
  if (requests.empty()) return MissingCapability(required);
  if (task_) task_->SetWaiting(true);
  InputResponses responses;
  for (InputRequest& request : requests) {
    if (CapabilityFor(request) == "elicitation.url") {
      if (request.visit.empty()) request.visit = base::RandomUuid();
      request.params["elicitationId"] = request.visit;
      session_->ExpectVisit(request.visit);
    }
    if (task_) {
      request.params["_meta"] =
          JsonObject{{"io.modelcontextprotocol/related-task", JsonObject{{"taskId", task_->id()}}}};
    }
    ASSIGN_OR_RETURN(JsonObject answer,
                     session_->AskClient(request.method, request.params,
                                         task_ ? nullptr : &channel(), stop_token()));
    responses.emplace(request.key, std::move(answer));
  }
  if (task_) task_->SetWaiting(false);
  return responses;
}

void LegacyCall::ReleaseStream() {
  if (!task_ && revision() >= Revision::k2025_11_25) channel().Release();
}

void LegacyCall::Emit(std::string message) {
  if (task_) {
    session_->Push(std::move(message));
  } else {
    CallScope::Emit(std::move(message));
  }
}

void LegacyCall::Reply(Result<std::string> members) {
  const Ending ending = members ? Ending() : Ending::Failed(members.error().code, true);
  Send(std::move(members), ending);
}

void LegacyCall::ReplyRead(Result<base::LongMessage> contents) {
  if (!contents) return Reply(std::move(contents).error());
  if (contents->text == nullptr) return Reply(std::move(contents->head));
  if (tracked_) session_->Untrack(id());
  Answered(Ending());
  if (cancelled_by_client()) return channel().Abandon();
  channel().FinishLong(LongResultMessage(id(), *std::move(contents)));
}

void LegacyCall::Send(Result<std::string> members, Ending ending) {
  if (tracked_) session_->Untrack(id());
  Answered(ending);
  if (cancelled_by_client() || (!members && members.error().code == Code::kCancelled)) {
    channel().Abandon();
  } else if (members) {
    channel().Finish(ResultMessage(id(), *std::move(members)), 200);
  } else {
    ExpectVisits(*session_, members.error());
    channel().Refuse(members.error());
    channel().Finish(LegacyErrorMessage(id(), members.error()), 200);
  }
}

void LegacyCall::ReplyTool(const CallOutcome& outcome) {
  if (!task_ && DoorRefuses(outcome)) return Reply(*outcome.error);
  const bool tool_level =
      !outcome.protocol_error || outcome.error->code == Code::kMissingCapability;
  std::string related;
  if (task_)
    related =
        base::StrCat(R"("io.modelcontextprotocol/related-task":{"taskId":")", task_->id(), R"("})");
  Result<std::string> members =
      tool_level ? Result<std::string>(LegacyToolResult(outcome, revision(), related))
                 : Result<std::string>(*outcome.error);
  if (!task_) {
    Send(std::move(members), EndingOf(outcome));
  } else if (members) {
    task_->Complete(*std::move(members));
  } else {
    task_->Fail(members.error());
  }
}

std::string LegacyToolResult(const CallOutcome& outcome, Revision revision,
                             std::string_view extra_meta) {
  std::string members;
  if (outcome.protocol_error) {
    Output output = Output::Text(outcome.error->message);
    output.is_error = true;
    AppendToolResult(members, output, revision, extra_meta);
  } else {
    AppendToolResult(members, outcome.output, revision, extra_meta);
  }
  return members;
}

}  // namespace toolpost::mcp
