// Listen streams: acknowledge, fan out, end.
#include "mcp/subscriptions.h"

#include <vector>

#include "auth/policy.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

std::string SubscriptionMeta(const ModernCall& call) {
  return base::StrCat(R"("_meta":{"io.modelcontextprotocol/subscriptionId":)", call.id(), "}");
}

bool Flag(const JsonObject& filter, std::string_view name) {
  const Json* value = filter.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

Result<std::set<std::string, std::less<>>> Names(const JsonObject& filter, std::string_view name) {
  std::set<std::string, std::less<>> names;
  const Json* value = filter.if_contains(name);
  if (value == nullptr) return names;
  if (!value->is_array())
    return Error::InvalidParams(base::StrCat(name, " must be an array of strings"));
  for (const Json& entry : value->get_array()) {
    if (!entry.is_string())
      return Error::InvalidParams(base::StrCat(name, " must be an array of strings"));
    names.emplace(entry.get_string());
  }
  if (names.size() > 1'000)
    return Error::InvalidParams(base::StrCat(name, " may name at most 1000"));
  return names;
}

JsonArray ToArray(const std::set<std::string, std::less<>>& names) {
  JsonArray array;
  for (const std::string& name : names) array.emplace_back(name);
  return array;
}

}  // namespace

Result<ListenHub::Listen> ListenHub::Read(const std::shared_ptr<ModernCall>& call) {
  const Json* wanted = call->message().Param("notifications");
  if (wanted == nullptr || !wanted->is_object()) {
    return Error::InvalidParams(
        "subscriptions/listen needs notifications, an object of what to send");
  }
  const JsonObject& filter = wanted->get_object();
  Listen listen{.call = call,
                .tools = Flag(filter, "toolsListChanged"),
                .prompts = Flag(filter, "promptsListChanged"),
                .resources = Flag(filter, "resourcesListChanged"),
                .uris = {},
                .tasks = {}};
  ASSIGN_OR_RETURN(listen.uris, Names(filter, "resourceSubscriptions"));
  std::erase_if(listen.uris, [&](const std::string& uri) {
    const auto watched = call->core().catalog.Watch(uri, call->principal(), call->view());
    return !watched && watched.error().code != Code::kResourceNotFound;
  });
  ASSIGN_OR_RETURN(listen.tasks, Names(filter, "taskIds"));
  if (!listen.tasks.empty() && !call->ClientHasTasks()) {
    return MissingCapability({{"extensions", JsonObject{{kTasksExtension, JsonObject{}}}}});
  }
  std::erase_if(listen.tasks, [&](const std::string& id) {
    return call->core().tasks.Find(id, call->principal(), TaskEra::kModern) == nullptr;
  });
  return listen;
}

std::string ListenHub::Acknowledged(const Listen& listen) {
  JsonObject honoured;
  if (listen.tools) honoured["toolsListChanged"] = true;
  if (listen.prompts) honoured["promptsListChanged"] = true;
  if (listen.resources) honoured["resourcesListChanged"] = true;
  if (!listen.uris.empty()) honoured["resourceSubscriptions"] = ToArray(listen.uris);
  if (!listen.tasks.empty()) honoured["taskIds"] = ToArray(listen.tasks);
  std::string params = SubscriptionMeta(*listen.call);
  AppendMember(params, "notifications", Json(std::move(honoured)));
  return NotificationMessage("notifications/subscriptions/acknowledged", params);
}

Result<void> ListenHub::Open(const std::shared_ptr<ModernCall>& call) {
  ASSIGN_OR_RETURN(Listen read, Read(call));
  const auto listen = std::make_shared<const Listen>(std::move(read));
  std::uint64_t key = 0;
  {
    std::lock_guard lock(mutex_);
    if (listens_.size() >= max_open_) {
      return Error::Internal(
          base::StrCat("Too many open subscriptions (limit ", max_open_, "); close one first"));
    }
    key = next_key_++;
    // Under the lock, so that nothing overtakes the acknowledgement.
    call->channel().Send(Acknowledged(*listen));
    listens_.emplace(key, listen);
  }
  call->channel().OnCancel([this, key] { Close(key); });
  return {};
}

template <typename Wants>
std::size_t ListenHub::Send(std::string_view method, std::string_view params, Wants wants) {
  std::vector<std::shared_ptr<const Listen>> receivers;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [key, listen] : listens_) {
      if (wants(*listen)) receivers.push_back(listen);
    }
  }
  for (const auto& listen : receivers) {
    std::string members = SubscriptionMeta(*listen->call);
    if (!params.empty()) members.append(",").append(params);
    listen->call->channel().Send(NotificationMessage(method, members));
  }
  return receivers.size();
}

void ListenHub::ToolsChanged() {
  Send("notifications/tools/list_changed", {}, [](const Listen& listen) { return listen.tools; });
}

void ListenHub::PromptsChanged() {
  Send("notifications/prompts/list_changed", {},
       [](const Listen& listen) { return listen.prompts; });
}

void ListenHub::ResourcesChanged() {
  Send("notifications/resources/list_changed", {},
       [](const Listen& listen) { return listen.resources; });
}

std::size_t ListenHub::ResourceUpdated(std::string_view uri, std::optional<std::string_view> user) {
  std::string params;
  AppendMember(params, "uri", uri);
  return Send("notifications/resources/updated", params, [&](const Listen& listen) {
    return (!user || listen.call->principal().user == *user) && listen.uris.contains(uri);
  });
}

void ListenHub::TaskChanged(const Task& task) {
  if (open() == 0) return;
  Send("notifications/tasks", task.DetailedMembers(),
       [&](const Listen& listen) { return listen.tasks.contains(task.id()); });
}

template <typename Ends>
void ListenHub::EndIf(Ends ends) {
  std::vector<std::shared_ptr<const Listen>> ending;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(listens_, [&](const auto& entry) {
      if (!ends(*entry.second)) return false;
      ending.push_back(entry.second);
      return true;
    });
  }
  for (const auto& listen : ending) {
    const ModernCall& call = *listen->call;
    call.channel().Finish(
        ResultMessage(
            call.id(),
            base::StrCat(R"("resultType":"complete","_meta":{)", call.core().server_info_member(),
                         R"(,"io.modelcontextprotocol/subscriptionId":)", call.id(), "}")),
        200);
  }
}

void ListenHub::EndAll() {
  EndIf([](const Listen&) { return true; });
}

void ListenHub::EndRefused() {
  EndIf([](const Listen& listen) {
    return auth::EndedRefusal(listen.call->principal()).has_value();
  });
}

std::size_t ListenHub::open() const {
  std::lock_guard lock(mutex_);
  return listens_.size();
}

void ListenHub::Close(std::uint64_t key) {
  std::shared_ptr<const Listen> closing;
  {
    std::lock_guard lock(mutex_);
    const auto found = listens_.find(key);
    if (found == listens_.end()) return;
    closing = found->second;
    listens_.erase(found);
  }
  closing->call->channel().Abandon();
}

}  // namespace toolpost::mcp
