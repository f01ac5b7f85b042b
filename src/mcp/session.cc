// Session state, and the traffic in both directions that hangs on it.
#include "mcp/session.h"

#include "base/crypto.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "mcp/legacy.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kMaxSubscriptions = 1'000;
constexpr std::size_t kMaxVisits = 100;
// Kept as long as the session: a thousand of them must not fill the memory.
constexpr std::size_t kMaxClientBytes = std::size_t{16} * 1024;

// Creation time in milliseconds and 128 random bits, both hex.
std::string NewSessionId() {
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(base::Now().time_since_epoch());
  char time[17];
  const auto end = std::to_chars(time, time + sizeof time, ms.count(), 16).ptr;
  return base::StrCat(std::string_view(time, end), '-', base::RandomHex(16));
}

// The PRD spells the first revision with dots; a revision we do not know is answered with our
// newest legacy one.
Revision Negotiate(std::string_view requested) {
  if (requested == "2024.11.5") return Revision::k2024_11_05;
  const std::optional<Revision> known = RevisionFrom(requested);
  return known && *known <= kNewestLegacy ? *known : kNewestLegacy;
}

// A parameter of initialize to be kept; null if there is none.
Result<Json> KeptParam(const Message& message, std::string_view name) {
  const Json* value = message.Param(name);
  if (value == nullptr || !value->is_object()) return Json();
  if (base::ToJson(*value).size() > kMaxClientBytes) {
    return Error::InvalidParams(
        base::StrCat(name, " may have ", kMaxClientBytes, " bytes at most"));
  }
  return Json(*value, boost::json::storage_ptr());
}

ToolView ViewFor(const Principal& principal, ToolView view) {
  view.credential = principal.credential;
  return view;
}

}  // namespace

Session::Session(Core& core, std::string transport, SharedPrincipal principal, ToolView view)
    : core_(core),
      id_(NewSessionId()),
      transport_(std::move(transport)),
      principal_(std::move(principal)),
      view_(ViewFor(*principal_, std::move(view))),
      created_at_(base::Now()),
      last_activity_(std::chrono::steady_clock::now()) {}

Session::~Session() = default;

const JsonObject* Session::client_capabilities() const {
  return initialized() ? capabilities_.if_object() : nullptr;
}

SessionRecord Session::Record() const {
  const auto idle = std::chrono::steady_clock::now() - last_activity();
  SessionRecord record{
      .id = id_,
      .transport = transport_,
      .is_initialized = initialized(),
      .client_info = {},
      .protocol_version = {},
      .capabilities = {},
      .created_at = created_at_,
      .last_activity = base::Now() - std::chrono::duration_cast<base::WallTime::duration>(idle),
      .is_authenticated = principal_->authenticated};
  if (record.is_initialized) {
    record.client_info = client_info_;
    record.protocol_version = NameOf(revision());
    record.capabilities = capabilities_;
  }
  return record;
}

std::chrono::steady_clock::time_point Session::last_activity() const {
  return last_activity_.load(std::memory_order_relaxed);
}

void Session::Touch() {
  last_activity_.store(std::chrono::steady_clock::now(), std::memory_order_relaxed);
}

bool Session::HasRunningCalls() const {
  std::lock_guard lock(mutex_);
  return !in_flight_.empty();
}

void Session::SetDoor(std::shared_ptr<SessionDoor> door) {
  std::lock_guard lock(mutex_);
  door_ = std::move(door);
}

std::shared_ptr<SessionDoor> Session::door() const {
  std::lock_guard lock(mutex_);
  return door_;
}

void Session::Receive(std::shared_ptr<const Body> body, const Message& message,
                      std::shared_ptr<Channel> channel) {
  Touch();
  switch (message.kind) {
    case Message::Kind::kRequest:
      ServeLegacy(shared_from_this(), std::move(body), message, std::move(channel));
      return;
    case Message::Kind::kNotification:
      ReceiveNotification(message);
      return;
    case Message::Kind::kResponse:
      ReceiveResponse(message);
      return;
    case Message::Kind::kInvalid:
      core_.requests.Count(false);
      if (channel) channel->Finish(LegacyErrorMessage(message.id, message.error), 400);
  }
}

bool Session::ReceiveBatch(const std::shared_ptr<const Body>& body,
                           std::shared_ptr<Channel> channel) {
  std::size_t requests = 0;
  for (const Message& message : body->batch()) {
    requests += message.kind == Message::Kind::kRequest || message.kind == Message::Kind::kInvalid;
  }
  const auto reply =
      requests == 0 ? nullptr : std::make_shared<BatchReply>(std::move(channel), requests);
  for (const Message& message : body->batch()) {
    const bool answered =
        message.kind == Message::Kind::kRequest || message.kind == Message::Kind::kInvalid;
    if (answered && message.method == "initialize") {
      reply->Add(LegacyErrorMessage(
          message.id, Error::InvalidRequest("initialize must not be part of a batch")));
    } else {
      Receive(body, message, answered ? BatchReply::Member(reply) : nullptr);
    }
  }
  return requests > 0;
}

Result<std::string> Session::Initialize(const Message& message) {
  const Json* requested = message.Param("protocolVersion");
  if (requested == nullptr || !requested->is_string()) {
    return Error::InvalidParams(
        "initialize needs protocolVersion, a string such as \"2025-11-25\"");
  }
  const Revision revision = Negotiate(requested->get_string());
  ASSIGN_OR_RETURN(Json client_info, KeptParam(message, "clientInfo"));
  ASSIGN_OR_RETURN(Json capabilities, KeptParam(message, "capabilities"));
  {
    std::lock_guard lock(mutex_);
    if (initialized()) return Error::InvalidRequest("This session is initialized already");
    client_info_ = std::move(client_info);
    capabilities_ = std::move(capabilities);
    revision_.store(revision, std::memory_order_release);
    initialized_.store(true, std::memory_order_release);
  }
  return core_.InitializeMembers(revision, view_);
}

void Session::Push(std::string message) {
  if (!initialized() || closed()) return;
  if (const auto to = door()) to->Push(std::move(message));
}

void Session::Close() {
  if (closed_.exchange(true)) return;
  std::map<std::string, std::weak_ptr<CallScope>, std::less<>> in_flight;
  std::shared_ptr<SessionDoor> door;
  {
    std::lock_guard lock(mutex_);
    in_flight.swap(in_flight_);
    door = std::move(door_);
    for (auto& [id, question] : questions_) {
      question.answered = true;
      question.answer = Error::Unavailable("The session ended before the client answered");
    }
  }
  answered_.notify_all();
  for (const auto& [id, weak] : in_flight) {
    if (const auto call = weak.lock()) call->Cancel(true);
  }
  if (door) door->Close();
}

Result<JsonObject> Session::AskClient(std::string_view method, const JsonObject& params,
                                      Channel* channel, std::stop_token stop) {
  std::string id;
  {
    std::lock_guard lock(mutex_);
    id = base::StrCat("\"toolpost-", next_question_++, '"');
    questions_.emplace(id, Question{});
  }
  std::string request = RequestMessage(id, method, params);
  if (channel != nullptr) {
    channel->Send(std::move(request));
  } else {
    Push(std::move(request));
  }
  std::unique_lock lock(mutex_);
  const auto question = questions_.find(id);
  const bool answered =
      answered_.wait(lock, stop, [&] { return question->second.answered || closed(); });
  Result<JsonObject> answer = std::move(question->second.answer);
  const bool done = question->second.answered;
  questions_.erase(question);
  if (!answered || !done) return Error::Cancelled();
  return answer;
}

bool Session::Track(const std::shared_ptr<CallScope>& call) {
  std::lock_guard lock(mutex_);
  return in_flight_.emplace(call->id(), call).second;
}

void Session::Untrack(const std::string& id) {
  std::lock_guard lock(mutex_);
  in_flight_.erase(id);
}

void Session::CancelRequest(const std::string& id) {
  std::shared_ptr<CallScope> call;
  {
    std::lock_guard lock(mutex_);
    const auto found = in_flight_.find(id);
    if (found != in_flight_.end()) call = found->second.lock();
  }
  if (call) call->Cancel(true);
}

void Session::ExpectVisit(std::string_view id) {
  std::lock_guard lock(mutex_);
  visits_.emplace_back(id);
  if (visits_.size() > kMaxVisits) visits_.pop_front();
}

void Session::CompleteVisit(std::string_view id) {
  {
    std::lock_guard lock(mutex_);
    if (std::erase(visits_, id) == 0) return;
  }
  std::string params;
  AppendMember(params, "elicitationId", id);
  Push(NotificationMessage("notifications/elicitation/complete", params));
}

bool Session::Subscribe(std::string_view uri) {
  std::lock_guard lock(mutex_);
  if (subscriptions_.size() >= kMaxSubscriptions && !subscriptions_.contains(uri)) return false;
  subscriptions_.emplace(uri);
  return true;
}

void Session::Unsubscribe(std::string_view uri) {
  std::lock_guard lock(mutex_);
  if (const auto found = subscriptions_.find(uri); found != subscriptions_.end())
    subscriptions_.erase(found);
}

bool Session::IsSubscribed(std::string_view uri) const {
  std::lock_guard lock(mutex_);
  return subscriptions_.contains(uri);
}

void Session::ReceiveNotification(const Message& message) {
  if (message.method != "notifications/cancelled") return;
  const Json* id = message.Param("requestId");
  if (id == nullptr) return;
  CancelRequest(base::ToJson(*id));
}

void Session::ReceiveResponse(const Message& message) {
  std::lock_guard lock(mutex_);
  const auto question = questions_.find(message.id);
  if (question == questions_.end() || question->second.answered) return;
  question->second.answered = true;
  if (const Json* result = message.object->if_contains("result");
      result != nullptr && result->is_object()) {
    question->second.answer = JsonObject(result->get_object(), {});
  } else {
    const Json* error = message.object->if_contains("error");
    const Json* text = error != nullptr && error->is_object()
                           ? error->get_object().if_contains("message")
                           : nullptr;
    question->second.answer = Error::Unavailable(base::StrCat(
        "The client refused the request: ", text != nullptr && text->is_string()
                                                ? std::string_view(text->get_string())
                                                : std::string_view("no reason given")));
  }
  answered_.notify_all();
}

}  // namespace toolpost::mcp
