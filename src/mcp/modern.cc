// Envelope checks and the method table of 2026-07-28.
#include "mcp/modern.h"

#include <algorithm>
#include <array>
#include <functional>

#include "auth/policy.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "mcp/modern_call.h"
#include "mcp/modern_headers.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";

using Call = std::shared_ptr<ModernCall>;

// Resources are not found with -32602 here, and say which (2026-07-28 resources).
Result<base::LongMessage> ModernRead(ModernCall& call) {
  ASSIGN_OR_RETURN(std::string_view uri, call.message().StringParam("uri"));
  return call.core().catalog.ReadResource(uri, call, call.view());
}

Result<std::string> ModernPrompt(ModernCall& call) {
  ASSIGN_OR_RETURN(std::string_view name, call.message().StringParam("name"));
  const Json* arguments = call.message().Param("arguments");
  static const JsonObject kNone;
  const JsonObject* object = arguments == nullptr ? &kNone : arguments->if_object();
  if (object == nullptr) return Error::InvalidParams("arguments must be an object");
  return call.core().catalog.GetPrompt(name, *object, call.revision(), call, call.view());
}

// Runs `work`, which replies, on the pool with cancellation and deadline.
template <typename Work>
void RunOnPool(const Call& call, Work work) {
  call->StartTimed();
  const bool queued = call->core().pool.Post([=] { work(*call); });
  if (!queued) call->Reply(Error::Unavailable("The server is busy; try again in a moment"));
}

void Discover(const Call& call, const HttpHeaders*) {
  call->Reply(call->core().DiscoverMembers(call->view()), true);
}

void ToolsList(const Call& call, const HttpHeaders*) {
  Result<std::string_view> cursor = call->message().Cursor();
  if (!cursor) return call->ReplyError(cursor.error());
  const auto page = call->core().registry.ListPage(call->view(), call->revision(), *cursor);
  if (!page) return call->ReplyError(page.error());
  call->Reply(**page, true);
}

void ToolsCall(const Call& call, const HttpHeaders* headers) {
  const Message& message = call->message();
  Result<std::string_view> name = message.StringParam("name");
  if (!name) return call->ReplyError(name.error());
  const Json* arguments = message.Param("arguments");
  if (arguments != nullptr && !arguments->is_object() && !arguments->is_null()) {
    return call->ReplyError(Error::InvalidParams("arguments must be an object"));
  }
  const JsonObject* object = arguments == nullptr ? nullptr : arguments->if_object();
  const auto tool = call->core().registry.Find(*name, call->view());
  if (tool != nullptr) {
    call->Calls(*tool);
    const TaskSupport support = tool->tool.info.task;
    if (support == TaskSupport::kRequired && !call->ClientHasTasks()) {
      return call->ReplyError(
          MissingCapability({{"extensions", JsonObject{{kTasksExtension, JsonObject{}}}}}));
    }
    call->set_task_support(support);
    if (headers != nullptr) {
      if (Result<void> match = CheckParameterHeaders(*headers, *tool, object); !match) {
        return call->ReplyError(match.error());
      }
    }
    if (tool->tool.info.run == Run::kPool) {
      if (Result<void> taken = call->TakeInput(); !taken) return call->ReplyError(taken.error());
      call->StartTimed();
    }
  }
  call->core().registry.Call({*name, object, call->view(), call, tool, call->trace()},
                             [call](const CallOutcome& outcome) { call->ReplyTool(outcome); });
}

void ReplyList(const Call& call, Result<std::string> (Catalog::*list)(Revision, std::string_view,
                                                                      const ToolView&) const) {
  if (auto refused = auth::ReadRefusal(call->principal()))
    return call->ReplyError(*std::move(refused));
  Result<std::string_view> cursor = call->message().Cursor();
  if (!cursor) return call->ReplyError(cursor.error());
  call->Reply((call->core().catalog.*list)(call->revision(), *cursor, call->view()), true);
}

void ResourcesList(const Call& call, const HttpHeaders*) {
  ReplyList(call, &Catalog::ListResources);
}
void TemplatesList(const Call& call, const HttpHeaders*) {
  ReplyList(call, &Catalog::ListTemplates);
}
void PromptsList(const Call& call, const HttpHeaders*) { ReplyList(call, &Catalog::ListPrompts); }

void ResourcesRead(const Call& call, const HttpHeaders*) {
  if (Result<void> taken = call->TakeInput(); !taken) return call->ReplyError(taken.error());
  RunOnPool(call, [](ModernCall& self) { self.ReplyRead(ModernRead(self)); });
}

void PromptsGet(const Call& call, const HttpHeaders*) {
  if (Result<void> taken = call->TakeInput(); !taken) return call->ReplyError(taken.error());
  RunOnPool(call, [](ModernCall& self) { self.ReplyOrAsk(ModernPrompt(self)); });
}

void CompletionComplete(const Call& call, const HttpHeaders*) {
  RunOnPool(call, [](ModernCall& self) {
    if (auto refused = auth::ReadRefusal(self.principal()))
      return self.ReplyError(*std::move(refused));
    self.Reply(self.core().catalog.Complete(*self.message().params, self.principal(), self.view()));
  });
}

void Listen(const Call& call, const HttpHeaders*) {
  if (Result<void> opened = call->core().listens.Open(call); !opened)
    call->ReplyError(opened.error());
}

// The task of tasks/*, for clients that declared the extension.
Result<std::shared_ptr<Task>> TaskOf(ModernCall& call) {
  if (!call.ClientHasTasks()) {
    return MissingCapability({{"extensions", JsonObject{{kTasksExtension, JsonObject{}}}}});
  }
  ASSIGN_OR_RETURN(std::string_view id, call.message().StringParam("taskId"));
  auto task = call.core().tasks.Find(id, call.principal(), TaskEra::kModern);
  if (!task)
    return Error::InvalidParams(
        "Unknown task: it does not exist, expired, or belongs to somebody else");
  return task;
}

void TasksGet(const Call& call, const HttpHeaders*) {
  Result<std::shared_ptr<Task>> task = TaskOf(*call);
  if (!task) return call->ReplyError(task.error());
  call->Reply((*task)->DetailedMembers());
}

void TasksUpdate(const Call& call, const HttpHeaders*) {
  Result<std::shared_ptr<Task>> task = TaskOf(*call);
  if (!task) return call->ReplyError(task.error());
  const Json* responses = call->message().Param("inputResponses");
  if (responses == nullptr || !responses->is_object()) {
    return call->ReplyError(
        Error::InvalidParams("tasks/update needs inputResponses, an object of answers by key"));
  }
  (*task)->Update(responses->get_object());
  call->Reply(std::string());
}

void TasksCancel(const Call& call, const HttpHeaders*) {
  Result<std::shared_ptr<Task>> task = TaskOf(*call);
  if (!task) return call->ReplyError(task.error());
  (*task)->Cancel();
  call->Reply(std::string());
}

struct Method {
  std::string_view name;
  void (*serve)(const Call&, const HttpHeaders*);
};

constexpr std::array kMethods = {
    Method{"tools/call", ToolsCall},
    Method{"tools/list", ToolsList},
    Method{"server/discover", Discover},
    Method{"resources/list", ResourcesList},
    Method{"resources/read", ResourcesRead},
    Method{"resources/templates/list", TemplatesList},
    Method{"prompts/list", PromptsList},
    Method{"prompts/get", PromptsGet},
    Method{"completion/complete", CompletionComplete},
    Method{"subscriptions/listen", Listen},
    Method{"tasks/get", TasksGet},
    Method{"tasks/update", TasksUpdate},
    Method{"tasks/cancel", TasksCancel},
};

Error UnsupportedVersion(std::string_view requested) {
  JsonArray supported;
  for (auto name = kRevisionNames.rbegin(); name != kRevisionNames.rend(); ++name)
    supported.emplace_back(*name);
  return {Code::kUnsupportedVersion,
          base::StrCat("Protocol version ", requested,
                       " is not served this way; use 2026-07-28, or initialize"),
          JsonObject{{"supported", std::move(supported)}, {"requested", requested}}};
}

// Rows 8 to 11 of the routing table, in its order.
Result<ModernEnvelope> CheckRequest(const Message& message, const HttpHeaders* headers) {
  ASSIGN_OR_RETURN(ModernEnvelope envelope, ReadEnvelope(message));
  if (headers != nullptr)
    RETURN_IF_ERROR(CheckHeaderConflicts(*headers, message, envelope.version));
  if (envelope.version != NameOf(kModernRevision)) return UnsupportedVersion(envelope.version);
  if (headers != nullptr) RETURN_IF_ERROR(CheckRequiredHeaders(*headers, message));
  return envelope;
}

}  // namespace

bool HasModernClaim(const Message& message) {
  const JsonObject* meta = message.Meta();
  return meta != nullptr && meta->contains(kVersionKey);
}

Result<ModernEnvelope> ReadEnvelope(const Message& message) {
  const JsonObject* meta = message.Meta();
  const Json* version = meta == nullptr ? nullptr : meta->if_contains(kVersionKey);
  if (version == nullptr || !version->is_string()) {
    return Error::InvalidParams(base::StrCat("params._meta needs ", kVersionKey, ", a string"));
  }
  const Json* capabilities = meta->if_contains(kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->is_object()) {
    return Error::InvalidParams(
        base::StrCat("params._meta needs ", kCapabilitiesKey, ", an object (may be empty)"));
  }
  ModernEnvelope envelope{std::string_view(version->get_string()), &capabilities->get_object(),
                          std::nullopt};
  if (const Json* level = meta->if_contains(kLogLevelKey)) {
    if (level->is_string()) envelope.log_level = LogLevelFrom(level->get_string());
    if (!envelope.log_level)
      return Error::InvalidParams(base::StrCat(kLogLevelKey, " is not a log level"));
  }
  return envelope;
}

void ServeModern(CallScope::Origin origin, const HttpHeaders* headers) {
  const Message& message = *origin.message;
  origin.revision = kModernRevision;
  const Result<ModernEnvelope> envelope = CheckRequest(message, headers);
  if (!envelope) {
    origin.core->requests.Count(false);
    return origin.channel->Finish(ModernErrorMessage(message.id, envelope.error()), 400);
  }
  const auto call =
      std::make_shared<ModernCall>(std::move(origin), envelope->capabilities, envelope->log_level);
  const auto method = std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& entry) {
    return entry.name == message.method;
  });
  if (auto ended = auth::EndedRefusal(call->principal())) return call->ReplyError(*ended);
  if (method == kMethods.end()) return call->ReplyError(Error::MethodNotFound(message.method));
  method->serve(call, headers);
}

}  // namespace toolpost::mcp
