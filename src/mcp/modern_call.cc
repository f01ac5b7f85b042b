// Replies, questions and tasks of stateless requests.
#include "mcp/modern_call.h"

#include "base/crypto.h"
#include "base/error_table.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "mcp/tool_result.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kCacheHints = R"(,"ttlMs":0,"cacheScope":"private")";

// MCP 2026-07-28, error codes: which errors of a valid envelope are more than a 200.
int HttpStatusOf(Code code) {
  switch (code) {
    case Code::kMethodNotFound:
      return 404;
    case Code::kMissingCapability:
    case Code::kHeaderMismatch:
    case Code::kUnsupportedVersion:
    case Code::kInvalidRequest:
      return 400;
    default:
      return 200;
  }
}

}  // namespace

ModernCall::ModernCall(Origin origin, const JsonObject* capabilities,
                       std::optional<LogLevel> log_level)
    : CallScope(std::move(origin)), capabilities_(capabilities), log_level_(log_level) {}

bool ModernCall::ClientHasTasks() const {
  const Json* extensions = capabilities_->if_contains("extensions");
  return extensions != nullptr && extensions->is_object() &&
         extensions->get_object().contains(kTasksExtension);
}

Result<void> ModernCall::TakeInput() {
  if (const Json* text = message().Param("requestState")) {
    if (!text->is_string()) return Error::InvalidParams("requestState must be a string");
    ASSIGN_OR_RETURN(auto opened,
                     core().request_states.Open(text->get_string(), principal(), message()));
    answers_ = std::move(opened.answers);
    state_ = std::move(opened.handler_state);
    nonce_ = std::move(opened.nonce);
  }
  const Json* responses = message().Param("inputResponses");
  if (responses == nullptr) return {};
  if (!responses->is_object())
    return Error::InvalidParams("inputResponses must be an object of answers by key");
  for (const auto& [key, answer] : responses->get_object()) {
    if (!answer.is_object()) {
      return Error::InvalidParams(
          base::StrCat("inputResponses.", std::string_view(key), " must be an object"));
    }
    answers_.insert_or_assign(std::string(key),
                              JsonObject(answer.get_object(), boost::json::storage_ptr()));
  }
  return {};
}

Result<InputResponses> ModernCall::Ask(std::vector<InputRequest> requests) {
  const JsonObject required = RequiredCapabilities(requests);
  std::erase_if(requests,
                [this](const InputRequest& request) { return !ClientHas(CapabilityFor(request)); });
  if (requests.empty()) return MissingCapability(required);
  InputResponses responses;
  std::vector<InputRequest> open;
  for (InputRequest& request : requests) {
    const auto answer = answers_.find(request.key);
    if (answer == answers_.end()) {
      open.push_back(std::move(request));
    } else {
      responses.emplace(request.key, answer->second);
    }
  }
  if (open.empty()) return responses;
  if (task_) {
    ASSIGN_OR_RETURN(InputResponses late, task_->Ask(open, stop_token()));
    responses.merge(late);
    return responses;
  }
  questions_ = std::move(open);
  return Error{Code::kInputRequired, "The client has to answer first", {}};
}

Result<void> ModernCall::BecomeTask() {
  if (task_ || task_support_ == TaskSupport::kForbidden) return {};
  if (!ClientHasTasks()) {
    if (task_support_ == TaskSupport::kOptional) return {};
    return MissingCapability({{"extensions", JsonObject{{kTasksExtension, JsonObject{}}}}});
  }
  ASSIGN_OR_RETURN(task_,
                   core().tasks.Create(TaskEra::kModern, principal(), TaskTable::kDefaultTtl));
  task_->OnChange([core = &core(), weak = std::weak_ptr(task_)] {
    if (const auto task = weak.lock()) core->listens.TaskChanged(*task);
  });
  task_->set_call(weak_from_this());
  StopDeadline();
  std::string members = R"("resultType":"task",)" + task_->Members();
  AppendRawMember(members, "_meta", core().server_info_meta());
  Answered(Ending());
  if (!nonce_.empty()) core().request_states.Spend(nonce_);
  channel().Finish(ResultMessage(id(), members), 200);
  return {};
}

void ModernCall::Emit(std::string message) {
  if (!task_) CallScope::Emit(std::move(message));
}

void ModernCall::ReplyError(const Error& error) {
  Answered(Ending::Failed(error.code, true));
  if (cancelled_by_client() || error.code == Code::kCancelled) return channel().Abandon();
  channel().Refuse(error);
  channel().Finish(ModernErrorMessage(id(), error), HttpStatusOf(error.code));
}

void ModernCall::Reply(Result<std::string> members, bool cacheable) {
  if (!members) return ReplyError(members.error());
  Answered(Ending());
  if (cancelled_by_client()) return channel().Abandon();
  if (!nonce_.empty()) core().request_states.Spend(nonce_);
  std::string result = R"("resultType":"complete")";
  if (!members->empty()) result.append(",").append(*members);
  if (cacheable) result.append(kCacheHints);
  AppendRawMember(result, "_meta", core().server_info_meta());
  channel().Finish(ResultMessage(id(), result), 200);
}

void ModernCall::ReplyOrAsk(Result<std::string> members, bool cacheable) {
  if (!members && members.error().code == Code::kInputRequired) return ReplyInputRequired();
  Reply(std::move(members), cacheable);
}

void ModernCall::ReplyRead(Result<base::LongMessage> contents) {
  if (!contents) return ReplyOrAsk(std::move(contents).error());
  if (contents->text == nullptr) return ReplyOrAsk(std::move(contents->head), true);
  Answered(Ending());
  if (cancelled_by_client()) return channel().Abandon();
  if (!nonce_.empty()) core().request_states.Spend(nonce_);
  contents->head.insert(0, R"("resultType":"complete",)");
  contents->tail.append(kCacheHints);
  AppendRawMember(contents->tail, "_meta", core().server_info_meta());
  channel().FinishLong(LongResultMessage(id(), *std::move(contents)));
}

void ModernCall::ReplyInputRequired() {
  Answered(Ending());
  JsonObject requests;
  for (const InputRequest& question : questions_) {
    requests[question.key] = JsonObject{{"method", question.method}, {"params", question.params}};
  }
  std::string result = R"("resultType":"input_required")";
  AppendMember(result, "inputRequests", Json(std::move(requests)));
  AppendMember(result, "requestState",
               std::string_view(core().request_states.Seal({answers_, state_, base::RandomHex(16)},
                                                           principal(), message())));
  AppendRawMember(result, "_meta", core().server_info_meta());
  channel().Finish(ResultMessage(id(), result), 200);
}

void ModernCall::ReplyTool(const CallOutcome& outcome) {
  if (task_) {
    // A tool's own failure completes the task; trouble of ours or of the protocol fails it.
    const bool failed = outcome.error &&
                        (outcome.protocol_error || outcome.error->code == Code::kInternal ||
                         outcome.error->code == Code::kTimeout) &&
                        !outcome.error->verbatim;
    if (failed) return task_->Fail(*outcome.error);
    std::string result = R"("resultType":"complete",)";
    AppendToolResult(result, outcome.output, revision());
    return task_->Complete(std::move(result));
  }
  if (DoorRefuses(outcome)) return ReplyError(*outcome.error);
  if (outcome.protocol_error) return ReplyOrAsk(*outcome.error);
  Answered(EndingOf(outcome));
  if (cancelled_by_client()) return channel().Abandon();
  if (!nonce_.empty()) core().request_states.Spend(nonce_);
  std::string result = R"("resultType":"complete",)";
  AppendToolResult(result, outcome.output, revision(), core().server_info_member());
  channel().Finish(ResultMessage(id(), std::move(result)), 200);
}

}  // namespace toolpost::mcp
