// Exchange over a Connection, from any thread.
#include "net/exchange.h"

#include <utility>

#include "net/connection.h"

namespace toolpost::net {

ConnectionExchange::ConnectionExchange(std::shared_ptr<Connection> connection, std::uint64_t number)
    : connection_(std::move(connection)), number_(number) {}

ConnectionExchange::~ConnectionExchange() {
  if (state_.load(std::memory_order_relaxed) == State::kComplete) return;
  if (connection_->loop().OnThisThread()) {
    connection_->Abandon(number_);
  } else {
    connection_->loop().Post(
        [connection = connection_, number = number_] { connection->Abandon(number); });
  }
}

void ConnectionExchange::Send(int status, std::string_view content_type, std::string body,
                              std::string_view headers) {
  if (!Step(State::kUnanswered, State::kComplete)) return;
  if (connection_->loop().OnThisThread()) {
    return connection_->Send(number_, status, content_type, std::move(body), headers);
  }
  connection_->loop().Post([connection = connection_, number = number_, status,
                            type = std::string(content_type), body = std::move(body),
                            headers = std::string(headers)]() mutable {
    connection->Send(number, status, type, std::move(body), headers);
  });
}

void ConnectionExchange::StartStream(int status, std::string_view content_type,
                                     std::string_view headers) {
  if (!Step(State::kUnanswered, State::kStreaming)) return;
  if (connection_->loop().OnThisThread()) {
    return connection_->StartStream(number_, status, content_type, headers);
  }
  connection_->loop().Post(
      [connection = connection_, number = number_, status, type = std::string(content_type),
       headers = std::string(headers)] { connection->StartStream(number, status, type, headers); });
}

void ConnectionExchange::Write(std::string data) {
  if (state_.load(std::memory_order_relaxed) != State::kStreaming) return;
  if (connection_->loop().OnThisThread()) return connection_->Write(number_, data);
  // Counted here already, so that a producer faster than the loop sees its own backlog.
  std::size_t size = data.size();
  connection_->AddBacklog(size);
  bool posted = connection_->loop().Post(
      [connection = connection_, number = number_, data = std::move(data)] {
        connection->SubtractBacklog(data.size());
        connection->Write(number, data);
      });
  if (!posted) connection_->SubtractBacklog(size);
}

void ConnectionExchange::End() {
  if (!Step(State::kStreaming, State::kComplete)) return;
  if (connection_->loop().OnThisThread()) return connection_->End(number_);
  connection_->loop().Post(
      [connection = connection_, number = number_] { connection->End(number); });
}

void ConnectionExchange::OnClose(std::function<void()> callback) {
  if (connection_->loop().OnThisThread()) return connection_->OnClose(number_, std::move(callback));
  // shared: when the loop has ended the callback is still ours to call.
  auto shared = std::make_shared<std::function<void()>>(std::move(callback));
  bool posted = connection_->loop().Post([connection = connection_, number = number_, shared] {
    connection->OnClose(number, std::move(*shared));
  });
  if (!posted && state_.load() != State::kComplete) (*shared)();
}

std::size_t ConnectionExchange::Backlog() const { return connection_->Backlog(number_); }

bool ConnectionExchange::Upgrade(const Request& request, std::string_view subprotocol,
                                 WebSocketEvents events, std::size_t max_message_bytes) {
  if (!connection_->Upgrade(number_, request, subprotocol, std::move(events), max_message_bytes)) {
    return false;
  }
  state_.store(State::kComplete);
  return true;
}

}  // namespace toolpost::net
