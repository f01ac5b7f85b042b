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
  void SendLong(int status, std::string_view content_type, base::LongMessage body,
                std::string_view headers) override;
  void StartStream(int status, std::string_view content_type, std::string_view headers) override;
  void Write(std::string data) override;
  void WriteLong(base::LongMessage data) override;
  void End() override;
  void OnClose(std::function<void()> callback) override;
  std::size_t Backlog() const override;

  bool Upgrade(const Request& request, std::string_view subprotocol, WebSocketEvents events,
               std::size_t max_message_bytes);

 private:
  enum class State { kUnanswered, kOpening, kStreaming, kComplete };
  // Parts of a stream that wait for the loop's thread, in the order in which they came.
  struct Parts;
  bool Step(State from, State to) { return state_.compare_exchange_strong(from, to); }
  // Runs `act` on the loop's thread after all parts of the stream that came before. False if the
  // loop has ended.
  bool InOrder(std::function<void(Connection&)> act);

  std::shared_ptr<Connection> connection_;
  std::uint64_t number_;
  std::atomic<State> state_{State::kUnanswered};
  std::shared_ptr<Parts> parts_;  // of a stream
};

}  // namespace toolpost::net
