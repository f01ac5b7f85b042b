// Exchange over a Connection: acts at once on the loop's thread, else posts to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/http_server.h"

namespace toolpost::net {

class Connection;

class ConnectionExchange final : public Exchange {
 public:
  ConnectionExchange(std::shared_ptr<Connection> connection, std::uint64_t number);
  ~ConnectionExchange() override;

  void Send(int status, std::string_view content_type, std::string body,
            std::string_view headers) override;
  void StartStream(int status, std::string_view content_type, std::string_view headers) override;
  void Write(std::string data) override;
  void End() override;
  void OnClose(std::function<void()> callback) override;
  std::size_t Backlog() const override;

  bool Upgrade(const Request& request, std::string_view subprotocol, WebSocketEvents events,
               std::size_t max_message_bytes);

 private:
  enum class State { kUnanswered, kStreaming, kComplete };
  bool Step(State from, State to) { return state_.compare_exchange_strong(from, to); }

  std::shared_ptr<Connection> connection_;
  std::uint64_t number_;
  std::atomic<State> state_{State::kUnanswered};
};

}  // namespace toolpost::net
