// Exchange over a Connection, from any thread.
#include "net/exchange.h"

#include <deque>
#include <mutex>
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

void ConnectionExchange::SendLong(int status, std::string_view content_type, base::LongMessage body,
                                  std::string_view headers) {
  if (!Step(State::kUnanswered, State::kComplete)) return;
  connection_->loop().Post([connection = connection_, number = number_, status,
                            type = std::string(content_type), body = std::move(body),
                            headers = std::string(headers)]() mutable {
    connection->SendLong(number, status, type, std::move(body), headers);
  });
}

struct ConnectionExchange::Parts {
  std::mutex mutex;
  std::deque<std::function<void(Connection&)>> waiting;
};

// The loop may run what it posts itself after what other threads post later: what is run next is
// the oldest part, whoever's turn it is.
bool ConnectionExchange::InOrder(std::function<void(Connection&)> act) {
  {
    std::unique_lock lock(parts_->mutex);
    if (connection_->loop().OnThisThread() && parts_->waiting.empty()) {
      lock.unlock();
      act(*connection_);
      return true;
    }
    parts_->waiting.push_back(std::move(act));
  }
  return connection_->loop().Post([connection = connection_, parts = parts_] {
    std::unique_lock lock(parts->mutex);
    const auto next = std::move(parts->waiting.front());
    lock.unlock();
    next(*connection);
    lock.lock();
    parts->waiting.pop_front();  // only now: what `next` leads to comes after it
  });
}

void ConnectionExchange::StartStream(int status, std::string_view content_type,
                                     std::string_view headers) {
  if (!Step(State::kUnanswered, State::kOpening)) return;
  parts_ = std::make_shared<Parts>();
  state_.store(State::kStreaming);
  InOrder([number = number_, status, type = std::string(content_type),
           headers = std::string(headers)](Connection& connection) {
    connection.StartStream(number, status, type, headers);
  });
}

void ConnectionExchange::Write(std::string data) {
  if (state_.load() != State::kStreaming) return;
  // Counted here already, so that a producer faster than the loop sees its own backlog.
  const std::size_t size = data.size();
  connection_->AddBacklog(size);
  const bool done = InOrder([number = number_, data = std::move(data)](Connection& connection) {
    connection.SubtractBacklog(data.size());
    connection.Write(number, data);
  });
  if (!done) connection_->SubtractBacklog(size);
}

void ConnectionExchange::WriteLong(base::LongMessage data) {
  if (state_.load() != State::kStreaming) return;
  InOrder([number = number_, data = std::move(data)](Connection& connection) {
    connection.WriteLong(number, data);
  });
}

void ConnectionExchange::End() {
  if (!Step(State::kStreaming, State::kComplete)) return;
  InOrder([number = number_](Connection& connection) { connection.End(number); });
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
