// Requests without a session: straight to the registry.
#include "mcp/controller.h"

#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/call_scope.h"
#include "mcp/channel.h"
#include "mcp/core.h"
#include "mcp/tool_result.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

// The listing and result shapes the controller speaks: the newest handshake revision, without MCP's
// own extras.
constexpr Revision kShape = kNewestLegacy;
constexpr std::size_t kPageSize = 100;

class CallbackChannel : public Channel {
 public:
  explicit CallbackChannel(std::function<void(std::string)> done) : done_(std::move(done)) {}
  void Send(std::string) override {}
  void Finish(std::string message, int) override { done_(std::move(message)); }
  void Abandon() override { done_({}); }
  void OnCancel(std::function<void()>) override {}

 private:
  std::function<void(std::string)> done_;
};

using Call = std::shared_ptr<DirectCall>;

// `ending` is that of the tool, where the members hold its failure.
void Reply(const Call& call, const Result<std::string>& members, Ending ending = {}) {
  call->Answered(members ? ending : Ending::Failed(members.error().code, true));
  call->channel().Finish(members ? ResultMessage(call->id(), *members)
                                 : LegacyErrorMessage(call->id(), members.error()),
                         200);
}

// A structure is the tool's own shape of a failure: its text stays the same as it.
void Failed(Output& output, std::string_view name, const Error& error) {
  if (error.verbatim || output.has_structured()) return;
  output.content =
      Output::Text(base::StrCat("Failed to execute tool ", name, ": ", error.message)).content;
}

// tools/call: the result MCP clients get.
void ReplyEnvelope(const Call& call, std::string_view name, CallOutcome outcome) {
  if (outcome.protocol_error || call->DoorRefuses(outcome)) return Reply(call, *outcome.error);
  if (outcome.error) Failed(outcome.output, name, *outcome.error);
  std::string members;
  AppendToolResult(members, outcome.output, kShape);
  if (!outcome.output.is_error) members.append(R"(,"isError":false)");
  Reply(call, members, EndingOf(outcome));
}

// A tool name as method: its data alone.
void ReplyData(const Call& call, const CallOutcome& outcome) {
  if (outcome.protocol_error || call->DoorRefuses(outcome)) return Reply(call, *outcome.error);
  if (outcome.error || outcome.output.is_error) {
    Error error = outcome.error ? *outcome.error : Error::Internal("the tool reported an error");
    if (error.code != Code::kInvalidArgument && !error.verbatim) {
      error = Error::Internal(
          base::StrCat("Failed to execute tool ", call->message().method, ": ", error.message));
    }
    return Reply(call, error);
  }
  if (!outcome.output.has_structured()) {
    std::string members;
    AppendToolResult(members, outcome.output, kShape);
    return Reply(call, members);
  }
  call->Answered(Ending());
  std::string reply = base::StrCat(R"({"jsonrpc":"2.0","id":)", call->id(), R"(,"result":)");
  outcome.output.AppendStructured(reply);
  call->channel().Finish(reply + "}", 200);
}

void CallTool(const Call& call, std::string_view name, const JsonObject* arguments,
              std::function<void(CallOutcome)> done) {
  const auto tool = call->core().registry.Find(name, call->view());
  if (tool) call->Calls(*tool);
  if (tool && tool->tool.info.run == Run::kPool) call->StartTimed();
  call->core().registry.Call({name, arguments, call->view(), call, tool, call->trace()},
                             std::move(done));
}

void ToolsCall(const Call& call) {
  const Json* name = call->message().Param("name");
  if (name == nullptr || !name->is_string()) {
    return Reply(call, Error::InvalidParams("tools/call needs name, a string"));
  }
  const Json* arguments = call->message().Param("arguments");
  if (arguments != nullptr && !arguments->is_object() && !arguments->is_null()) {
    return Reply(call, Error::InvalidParams("arguments must be an object"));
  }
  const std::string_view text = name->get_string();
  CallTool(call, text, arguments == nullptr ? nullptr : arguments->if_object(),
           [call, text](CallOutcome outcome) { ReplyEnvelope(call, text, std::move(outcome)); });
}

void ToolsList(const Call& call) {
  const Result<std::string_view> cursor = call->message().Cursor();
  if (!cursor) return Reply(call, cursor.error());
  const auto page = call->core().registry.ListPage(call->view(), kShape, *cursor, kPageSize);
  if (!page) return Reply(call, page.error());
  Reply(call, **page);
}

void Serve(const Call& call) {
  const std::string_view method = call->message().method;
  if (method == "tools/call") return ToolsCall(call);
  if (method == "tools/list") return ToolsList(call);
  if (method == "ping") return Reply(call, std::string(R"("status":"pong")"));
  if (call->core().registry.Find(method, call->view()) == nullptr)
    return Reply(call, Error::MethodNotFound(method));
  CallTool(call, method, call->message().params,
           [call](const CallOutcome& outcome) { ReplyData(call, outcome); });
}

void ServeMessage(Core& core, const std::shared_ptr<const Body>& body, const Message& message,
                  const SharedPrincipal& principal, const ToolView& view,
                  std::shared_ptr<Channel> channel) {
  if (message.kind == Message::Kind::kRequest) {
    return Serve(std::make_shared<DirectCall>(
        CallScope::Origin{&core, body, &message, std::move(channel), principal, view, kShape}));
  }
  if (message.kind != Message::Kind::kInvalid) return channel->Abandon();
  core.requests.Count(false);
  channel->Finish(LegacyErrorMessage(message.id.empty() ? "null" : message.id, message.error), 200);
}

}  // namespace

void ServeController(Core& core, const std::shared_ptr<const Body>& body,
                     const SharedPrincipal& principal, const ToolView& view,
                     std::function<void(std::string)> done) {
  ServeController(core, body, principal, view, std::make_shared<CallbackChannel>(std::move(done)));
}

void ServeController(Core& core, const std::shared_ptr<const Body>& body,
                     const SharedPrincipal& principal, const ToolView& view,
                     std::shared_ptr<Channel> channel) {
  if (!body->is_batch())
    return ServeMessage(core, body, body->message(), principal, view, std::move(channel));
  if (body->batch().empty()) {
    return channel->Finish(
        LegacyErrorMessage("null", Error::InvalidRequest("A batch must not be empty")), 200);
  }
  const auto batch = std::make_shared<BatchReply>(std::move(channel), body->batch().size());
  for (const Message& message : body->batch()) {
    ServeMessage(core, body, message, principal, view, BatchReply::Member(batch));
  }
}

}  // namespace toolpost::mcp
