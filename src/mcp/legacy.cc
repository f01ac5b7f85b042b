// The method table of the handshake revisions.
#include "mcp/legacy.h"

#include <algorithm>
#include <array>

#include "auth/policy.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "mcp/legacy_call.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

using Call = std::shared_ptr<LegacyCall>;

// Runs `work`, which replies, on the pool with cancellation and deadline.
template <typename Work>
void RunOnPool(const Call& call, Work work) {
  if (!call->Track()) return;
  call->StartTimed();
  const bool queued = call->core().pool.Post([=] { work(*call); });
  if (!queued) call->Reply(Error::Unavailable("The server is busy; try again in a moment"));
}

// The same for work whose result is the reply.
void ReplyFromPool(const Call& call, Result<std::string> (*work)(LegacyCall&)) {
  RunOnPool(call, [work](LegacyCall& self) { self.Reply(work(self)); });
}

// MCP wants an empty result and the conformance suite checks it; the PRD, which speaks of
// 2024-11-05 only, wants to see a pong.
void Ping(const Call& call) {
  const bool pong = call->revision() == Revision::k2024_11_05;
  call->Reply(std::string(pong ? R"("_meta":{"status":"pong"})" : ""));
}

void ToolsList(const Call& call) {
  Result<std::string_view> cursor = call->message().Cursor();
  if (!cursor) return call->Reply(std::move(cursor).error());
  auto page = call->core().registry.ListPage(call->view(), call->revision(), *cursor);
  if (!page) return call->Reply(std::move(page).error());
  call->Reply(**page);
}

void ReplyList(const Call& call, Result<std::string> (Catalog::*list)(Revision, std::string_view,
                                                                      const ToolView&) const) {
  if (auto refused = auth::ReadRefusal(call->principal())) return call->Reply(*std::move(refused));
  Result<std::string_view> cursor = call->message().Cursor();
  if (!cursor) return call->Reply(std::move(cursor).error());
  call->Reply((call->core().catalog.*list)(call->revision(), *cursor, call->view()));
}

// `params.task` of 2025-11-25: replies with the task at once.
Result<void> StartTask(const Call& call, const JsonObject& request) {
  std::chrono::milliseconds ttl = TaskTable::kDefaultTtl;
  if (const Json* wanted = request.if_contains("ttl"); wanted != nullptr && wanted->is_int64()) {
    ttl = std::chrono::milliseconds(wanted->get_int64());
  }
  ASSIGN_OR_RETURN(std::shared_ptr<Task> task,
                   call->core().tasks.Create(TaskEra::kLegacy, call->principal(), ttl));
  task->OnChange(
      [session = std::weak_ptr(call->session().shared_from_this()), weak = std::weak_ptr(task)] {
        const auto to = session.lock();
        const auto changed = weak.lock();
        if (to && changed)
          to->Push(NotificationMessage("notifications/tasks/status", changed->Members()));
      });
  call->Reply("\"task\":{" + task->Members() + "}");
  call->RunAsTask(std::move(task));
  return {};
}

void RunTool(const Call& call, std::string_view name, const JsonObject* arguments,
             std::shared_ptr<const RegisteredTool> tool) {
  if (tool) call->Calls(*tool);
  call->core().registry.Call({name, arguments, call->view(), call, std::move(tool), call->trace()},
                             [call](const CallOutcome& outcome) { call->ReplyTool(outcome); });
}

void ToolsCall(const Call& call) {
  const Message& message = call->message();
  Result<std::string_view> name = message.StringParam("name");
  if (!name) return call->Reply(std::move(name).error());
  const Json* arguments = message.Param("arguments");
  if (arguments != nullptr && !arguments->is_object() && !arguments->is_null()) {
    return call->Reply(Error::InvalidParams("arguments must be an object"));
  }
  const JsonObject* object = arguments == nullptr ? nullptr : arguments->if_object();
  const auto tool = call->core().registry.Find(*name, call->view());
  if (tool == nullptr || tool->tool.info.run == Run::kInline)
    return RunTool(call, *name, object, tool);

  const Json* task = call->revision() == Revision::k2025_11_25 ? message.Param("task") : nullptr;
  const TaskSupport support = tool->tool.info.task;
  if (task != nullptr && (!task->is_object() || support == TaskSupport::kForbidden)) {
    return call->Reply(Error{
        Code::kMethodNotFound, base::StrCat("The tool ", *name, " cannot run as a task"), {}});
  }
  if (task == nullptr && support == TaskSupport::kRequired &&
      call->revision() == Revision::k2025_11_25) {
    return call->Reply(
        Error{Code::kMethodNotFound,
              base::StrCat("The tool ", *name, " runs only as a task: send params.task"),
              {}});
  }
  if (!call->Track()) return;
  call->StartTimed();
  if (task != nullptr) {
    if (Result<void> started = StartTask(call, task->get_object()); !started) {
      return call->Reply(std::move(started).error());
    }
  }
  RunTool(call, *name, object, tool);
}

void ResourcesList(const Call& call) { ReplyList(call, &Catalog::ListResources); }

void TemplatesList(const Call& call) { ReplyList(call, &Catalog::ListTemplates); }

Result<base::LongMessage> ReadResource(LegacyCall& call) {
  ASSIGN_OR_RETURN(std::string_view uri, call.message().StringParam("uri"));
  return call.core().catalog.ReadResource(uri, call, call.view());
}

void ResourcesRead(const Call& call) {
  RunOnPool(call, [](LegacyCall& self) { self.ReplyRead(ReadResource(self)); });
}

Result<std::string> SubscribeTo(LegacyCall& call) {
  ASSIGN_OR_RETURN(std::string_view uri, call.message().StringParam("uri"));
  Result<void> watched = call.core().catalog.Watch(uri, call.principal(), call.view());
  if (!watched && watched.error().code == Code::kNotFound)
    return Error{Code::kResourceNotFound, base::StrCat("Resource not found: ", uri.substr(0, 256)),
                 JsonObject{{"uri", uri}}};
  RETURN_IF_ERROR(std::move(watched));
  if (!call.session().Subscribe(uri))
    return Error::Unavailable("Too many subscriptions in this session");
  return std::string();
}

void ResourcesSubscribe(const Call& call) { call->Reply(SubscribeTo(*call)); }

void ResourcesUnsubscribe(const Call& call) {
  Result<std::string_view> uri = call->message().StringParam("uri");
  if (!uri) return call->Reply(std::move(uri).error());
  call->session().Unsubscribe(*uri);
  call->Reply(std::string());
}

void PromptsList(const Call& call) { ReplyList(call, &Catalog::ListPrompts); }

void PromptsGet(const Call& call) {
  ReplyFromPool(call, [](LegacyCall& self) -> Result<std::string> {
    ASSIGN_OR_RETURN(std::string_view name, self.message().StringParam("name"));
    const Json* arguments = self.message().Param("arguments");
    static const JsonObject kNone;
    const JsonObject* object = arguments == nullptr ? &kNone : arguments->if_object();
    if (object == nullptr) return Error::InvalidParams("arguments must be an object");
    return self.core().catalog.GetPrompt(name, *object, self.revision(), self, self.view());
  });
}

void CompletionComplete(const Call& call) {
  ReplyFromPool(call, [](LegacyCall& self) -> Result<std::string> {
    if (self.message().params == nullptr)
      return Error::InvalidParams("completion/complete needs ref and argument");
    if (auto refused = auth::ReadRefusal(self.principal())) return *std::move(refused);
    return self.core().catalog.Complete(*self.message().params, self.principal(), self.view());
  });
}

void SetLevel(const Call& call) {
  Result<std::string_view> name = call->message().StringParam("level");
  if (!name) return call->Reply(std::move(name).error());
  const std::optional<LogLevel> level = LogLevelFrom(*name);
  if (!level) {
    return call->Reply(Error::InvalidParams(
        "level must be one of debug, info, notice, warning, error, critical, alert, emergency"));
  }
  call->session().set_log_level(*level);
  call->Reply(std::string());
}

Result<std::shared_ptr<Task>> TaskOf(LegacyCall& call) {
  ASSIGN_OR_RETURN(std::string_view id, call.message().StringParam("taskId"));
  auto task = call.core().tasks.Find(id, call.principal(), TaskEra::kLegacy);
  if (!task)
    return Error::InvalidParams(
        "Unknown task: it does not exist, expired, or belongs to somebody else");
  return task;
}

void TasksGet(const Call& call) {
  Result<std::shared_ptr<Task>> task = TaskOf(*call);
  if (!task) return call->Reply(std::move(task).error());
  call->Reply((*task)->Members());
}

void TasksResult(const Call& call) {
  Result<std::shared_ptr<Task>> found = TaskOf(*call);
  if (!found) return call->Reply(std::move(found).error());
  std::shared_ptr<Task> task = *found;
  task->WhenDone([call, task] {
    Result<std::string> outcome = task->Outcome();
    if (!outcome && outcome.error().code == Code::kCancelled) {
      outcome = Error::InvalidParams("The task was cancelled");
    }
    call->Reply(std::move(outcome));
  });
}

void TasksList(const Call& call) {
  std::string tasks = "\"tasks\":[";
  for (const auto& task : call->core().tasks.List(call->principal(), TaskEra::kLegacy)) {
    if (tasks.back() != '[') tasks.push_back(',');
    tasks.append("{").append(task->Members()).append("}");
  }
  call->Reply(tasks + "]");
}

void TasksCancel(const Call& call) {
  Result<std::shared_ptr<Task>> task = TaskOf(*call);
  if (!task) return call->Reply(std::move(task).error());
  if (!(*task)->Cancel()) return call->Reply(Error::InvalidParams("The task has ended already"));
  call->Reply((*task)->Members());
}

struct Method {
  std::string_view name;
  void (*serve)(const Call&);
  Revision since = Revision::k2024_11_05;
};

constexpr std::array kMethods = {
    Method{"tools/call", ToolsCall},
    Method{"tools/list", ToolsList},
    Method{"ping", Ping},
    Method{"resources/list", ResourcesList},
    Method{"resources/read", ResourcesRead},
    Method{"resources/templates/list", TemplatesList},
    Method{"resources/subscribe", ResourcesSubscribe},
    Method{"resources/unsubscribe", ResourcesUnsubscribe},
    Method{"prompts/list", PromptsList},
    Method{"prompts/get", PromptsGet},
    Method{"completion/complete", CompletionComplete},
    Method{"logging/setLevel", SetLevel},
    Method{"tasks/get", TasksGet, Revision::k2025_11_25},
    Method{"tasks/result", TasksResult, Revision::k2025_11_25},
    Method{"tasks/list", TasksList, Revision::k2025_11_25},
    Method{"tasks/cancel", TasksCancel, Revision::k2025_11_25},
};

}  // namespace

void ServeLegacy(const std::shared_ptr<Session>& session, std::shared_ptr<const Body> body,
                 const Message& message, std::shared_ptr<Channel> channel) {
  const Revision revision = session->revision();
  SharedPrincipal principal = channel->principal();
  if (principal == nullptr) principal = session->shared_principal();
  const auto call = std::make_shared<LegacyCall>(
      CallScope::Origin{&session->core(), std::move(body), &message, std::move(channel),
                        std::move(principal), session->view(), revision},
      session);
  if (auto ended = auth::EndedRefusal(call->principal())) return call->Reply(*std::move(ended));
  if (message.method == "initialize") return call->Reply(session->Initialize(message));
  if (message.method == "ping") return Ping(call);
  if (!session->initialized()) return call->Reply(Error::NotInitialized());
  const auto method = std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& entry) {
    return entry.name == message.method;
  });
  if (method == kMethods.end() || method->since > revision) {
    return call->Reply(Error::MethodNotFound(message.method));
  }
  method->serve(call);
}

}  // namespace toolpost::mcp
