// Routes the messages of one connection to the modern core or to its legacy session.
#include "mcp/connection.h"

#include "base/json_write.h"
#include "mcp/core.h"
#include "mcp/modern.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

Arrival ArrivalBy(std::string_view transport) {
  if (transport == "stdio") return {"pipe", {}};
  if (transport == "websocket") return {"tcp", "websocket"};
  if (transport == "sse") return {"tcp", "http"};
  return {};
}

}  // namespace

// Replies of one request. Modern requests are entered in the connection's map, so that
// notifications/cancelled finds them.
class Connection::LineChannel : public Channel {
 public:
  LineChannel(std::shared_ptr<Connection> connection, std::string modern_id)
      : connection_(std::move(connection)), modern_id_(std::move(modern_id)) {}

  void Send(std::string message) override { connection_->Write(std::move(message)); }
  void Finish(std::string message, int /*http_status*/) override {
    Forget();
    connection_->Write(std::move(message));
  }
  void Abandon() override { Forget(); }
  const Arrival& arrival() const override { return connection_->arrival_; }
  void OnCancel(std::function<void()> cancel) override {
    if (modern_id_.empty()) return;
    {
      std::lock_guard lock(connection_->mutex_);
      if (!connection_->closed_) {
        registered_ = connection_->modern_in_flight_.emplace(modern_id_, std::move(cancel)).second;
        return;
      }
    }
    cancel();
  }

 private:
  void Forget() {
    if (!registered_) return;
    std::lock_guard lock(connection_->mutex_);
    connection_->modern_in_flight_.erase(modern_id_);
  }

  std::shared_ptr<Connection> connection_;
  std::string modern_id_;  // empty for legacy requests: the session tracks those
  std::atomic<bool> registered_{false};
};

class Connection::Door : public SessionDoor {
 public:
  explicit Door(std::weak_ptr<Connection> connection) : connection_(std::move(connection)) {}
  void Push(std::string message) override {
    if (const auto connection = connection_.lock()) connection->Write(std::move(message));
  }
  void Close() override {
    const auto connection = connection_.lock();
    if (connection && connection->options_.hang_up) connection->options_.hang_up();
  }

 private:
  std::weak_ptr<Connection> connection_;
};

Connection::Connection(Core& core, Options options, std::function<void(std::string)> write)
    : core_(core),
      options_(std::move(options)),
      write_(std::move(write)),
      arrival_(ArrivalBy(options_.transport)) {}

std::shared_ptr<Connection> Connection::Open(Core& core, Options options,
                                             std::function<void(std::string)> write) {
  std::shared_ptr<Connection> connection(
      new Connection(core, std::move(options), std::move(write)));
  connection->session_ =
      std::make_shared<Session>(core, connection->options_.transport,
                                connection->options_.principal, connection->options_.view);
  connection->session_->SetDoor(std::make_shared<Door>(connection));
  core.sessions.Adopt(connection->session_);
  return connection;
}

Connection::~Connection() { Close(); }

void Connection::Receive(std::string_view text) {
  Result<std::shared_ptr<const Body>> body = Body::Parse(text);
  if (!body) {
    core_.requests.Count(false);
    return Write(LegacyErrorMessage({}, body.error()));
  }
  if ((*body)->is_batch()) return ReceiveBatch(*body);
  ReceiveOne(*std::move(body));
}

void Connection::ReceiveBatch(const std::shared_ptr<const Body>& body) {
  const bool allowed = session_->initialized() && session_->revision() <= Revision::k2025_03_26;
  if (!allowed || body->batch().empty()) {
    core_.requests.Count(false);
    return Write(LegacyErrorMessage(
        {}, Error::InvalidRequest(
                allowed ? "A batch must not be empty"
                        : "Batches exist in revisions 2024-11-05 and 2025-03-26 only")));
  }
  session_->ReceiveBatch(body, std::make_shared<LineChannel>(shared_from_this(), std::string()));
}

void Connection::ReceiveOne(std::shared_ptr<const Body> body) {
  const Message& message = body->message();
  if (message.kind == Message::Kind::kInvalid) {
    core_.requests.Count(false);
    return Write(LegacyErrorMessage(message.id, message.error));
  }
  if (message.kind == Message::Kind::kRequest && options_.allow_modern && HasModernClaim(message)) {
    return ServeModernRequest(std::move(body), message);
  }
  if (message.method == "notifications/cancelled") CancelModern(message);
  std::shared_ptr<Channel> channel;
  if (message.kind == Message::Kind::kRequest) {
    channel = std::make_shared<LineChannel>(shared_from_this(), std::string());
  }
  session_->Receive(std::move(body), message, std::move(channel));
}

bool Connection::InFlight(const std::string& modern_id) {
  std::lock_guard lock(mutex_);
  return modern_in_flight_.contains(modern_id);
}

void Connection::ServeModernRequest(std::shared_ptr<const Body> body, const Message& message) {
  if (InFlight(message.id)) {
    core_.requests.Count(false);
    return Write(ModernErrorMessage(
        message.id, Error::InvalidRequest("This id is in use by a running request")));
  }
  ServeModern({&core_, std::move(body), &message,
               std::make_shared<LineChannel>(shared_from_this(), message.id), options_.principal,
               options_.view},
              nullptr);
}

void Connection::CancelModern(const Message& message) {
  const Json* id = message.Param("requestId");
  if (id == nullptr) return;
  std::function<void()> cancel;
  {
    std::lock_guard lock(mutex_);
    const auto found = modern_in_flight_.find(base::ToJson(*id));
    if (found != modern_in_flight_.end()) cancel = found->second;
  }
  if (cancel) cancel();
}

void Connection::Close() {
  std::map<std::string, std::function<void()>, std::less<>> in_flight;
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = true;
    in_flight.swap(modern_in_flight_);
  }
  for (const auto& [id, cancel] : in_flight) cancel();
  if (!core_.sessions.Remove(session_->id())) session_->Close();
}

void Connection::Write(std::string message) { write_(std::move(message)); }

}  // namespace toolpost::mcp
