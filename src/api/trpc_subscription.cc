// Event streams in the words of tRPC: connected, data with ids, ping, serialized-error.
#include "api/trpc_subscription.h"

#include <algorithm>
#include <atomic>

#include "api/trpc_wire.h"
#include "auth/policy.h"
#include "base/strings.h"
#include "mcp/call_failure.h"
#include "mcp/event_log.h"
#include "net/sse.h"
#include "schema/json_schema.h"

namespace toolpost::api {
namespace {

constexpr std::string_view kStreamHeaders =
    "Cache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n";
// Clients that hear nothing for longer come back; pings come every Ticker::kInterval.
constexpr std::string_view kConnected = R"({"reconnectAfterInactivityMs":30000})";
// A reader this far behind is sent away, to come back for what it missed.
constexpr std::size_t kMaxBacklog = std::size_t{1024} * 1024;

void Begin(net::Exchange& exchange, std::string_view headers) {
  exchange.StartStream(200, "text/event-stream", base::StrCat(kStreamHeaders, headers));
}

std::string ErrorEvent(const Error& error, std::string_view path) {
  return net::SseEvent(TrpcErrorShape(error, path), {}, "serialized-error");
}

Result<TrpcEventsInput> InputFrom(const TrpcRequest& request) {
  const std::string_view path = request.calls().front().path;
  ASSIGN_OR_RETURN(const Json* input, request.InputOf(0));
  TrpcEventsInput events;
  if (input != nullptr) {
    static const Result<schema::JsonSchema> kSchema =
        schema::JsonSchema::Compile(InputSchemaOf<TrpcEventsInput>());
    if (!kSchema) return kSchema.error();
    if (const auto violations = kSchema->Validate(*input); !violations.empty())
      return mcp::ArgumentError(path, violations);
    ASSIGN_OR_RETURN(events, Decode<TrpcEventsInput>(input->get_object()));
  }
  if (!request.last_event_id().empty()) events.last_event_id = request.last_event_id();
  return events;
}

}  // namespace

class TrpcSubscriptions::Stream final : public mcp::EventReader, public Ticking {
 public:
  Stream(TrpcSubscriptions& owner, std::shared_ptr<net::Exchange> exchange,
         mcp::SharedPrincipal principal, std::string path,
         std::optional<std::vector<EventKind>> types)
      : owner_(owner),
        exchange_(std::move(exchange)),
        principal_(std::move(principal)),
        path_(std::move(path)),
        types_(std::move(types)),
        sees_all_(auth::IsAdministrator(*principal_)) {}

  // With an id of its own, so that a client which saw nothing yet comes back to this place.
  void Start(std::string_view id) override {
    exchange_->Write(net::SseEvent(kConnected, id, "connected"));
  }

  void Read(const Entry& entry) override {
    if (ended_ || !Wants(entry)) return;
    if (exchange_->Backlog() > kMaxBacklog) return End();
    exchange_->Write(net::SseEvent(entry.json, entry.id));
  }

  bool Tick() override {
    if (const auto ended = auth::EndedRefusal(*principal_); ended && !ended_) {
      exchange_->Write(ErrorEvent(*ended, path_));
      End();
    }
    if (ended_) {
      owner_.Remove(this);
      return false;
    }
    exchange_->Write(net::SseEvent({}, {}, "ping"));
    return true;
  }

  void End() {
    ended_ = true;
    exchange_->End();
  }

 private:
  bool Wants(const Entry& entry) const {
    if (!entry.kind) return true;
    if (!sees_all_ && entry.principal != principal_->id) return false;
    return !types_ || std::ranges::find(*types_, *entry.kind) != types_->end();
  }

  TrpcSubscriptions& owner_;
  const std::shared_ptr<net::Exchange> exchange_;
  const mcp::SharedPrincipal principal_;
  const std::string path_;
  const std::optional<std::vector<EventKind>> types_;
  const bool sees_all_;
  std::atomic<bool> ended_{false};
};

TrpcSubscriptions::~TrpcSubscriptions() { Stop(); }

void TrpcSubscriptions::Open(const TrpcRequest& request,
                             const std::shared_ptr<net::Exchange>& exchange,
                             const RequestContext& context) {
  const std::string headers = base::StrCat(kTrpcVary, context.cors);
  Result<TrpcEventsInput> input = InputFrom(request);
  std::optional<Error> refused = request.calls().front().refusal;
  if (!refused) refused = auth::ReadRefusal(*context.principal);
  if (!refused && !input) refused = input.error();
  if (!refused && open() >= max_open_)
    refused = Error::Unavailable("Too many event streams are open; try again later");
  core_.requests.Count(!refused);
  const std::string_view path = request.calls().front().path;
  if (refused) return SendTrpcStreamError(*exchange, *refused, path, headers);

  const auto stream = std::make_shared<Stream>(*this, exchange, context.principal,
                                               std::string(path), std::move(input->types));
  Begin(*exchange, headers);
  // Before the client hears of it: from then on Stop() has to end it.
  if (!Enter(stream)) return exchange->End();
  core_.event_log.Follow(input->last_event_id.value_or(""), stream);
  ticker_.Watch(stream);
  exchange->OnClose([this, raw = stream.get()] { Remove(raw); });
}

bool TrpcSubscriptions::Enter(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  if (!stopped_) streams_.emplace(stream.get(), stream);
  return !stopped_;
}

void TrpcSubscriptions::Remove(const Stream* stream) {
  std::shared_ptr<Stream> gone;
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end()) return;
    gone = std::move(found->second);
    streams_.erase(found);
  }
  core_.event_log.Leave(*gone);
}

void TrpcSubscriptions::Stop() {
  std::unordered_map<const Stream*, std::shared_ptr<Stream>> ending;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    ending.swap(streams_);
  }
  for (const auto& [raw, stream] : ending) {
    core_.event_log.Leave(*stream);
    stream->End();
  }
}

std::size_t TrpcSubscriptions::open() const {
  const std::lock_guard lock(mutex_);
  return streams_.size();
}

void SendTrpcStreamError(net::Exchange& exchange, const Error& error, std::string_view path,
                         std::string_view headers) {
  Begin(exchange, headers);
  exchange.Write(net::SseEvent(kConnected, {}, "connected"));
  exchange.Write(ErrorEvent(error, path));
  exchange.End();
}

}  // namespace toolpost::api
