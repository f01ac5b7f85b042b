// One duplex connection that carries whole messages: stdio, WebSocket, HTTP+SSE, in-memory, or a
// user's transport.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "mcp/channel.h"
#include "mcp/registry.h"
#include "mcp/session.h"

namespace toolpost::mcp {

struct Core;

// The era is decided per message: a modern claim is served stateless, everything else by the
// connection's one legacy session (A7.2 of the protocol reference, D4). Receive is called by one
// thread at a time; `write` by any.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct Options {
    std::string transport;  // "stdio", "websocket", "sse" …
    SharedPrincipal principal = std::make_shared<Principal>();
    ToolView view;
    bool allow_modern = true;       // HTTP+SSE never speaks 2026-07-28
    std::function<void()> hang_up;  // ends the connection from our side; empty: it cannot be
  };

  // `write` must be thread-safe, keep messages whole and not block for long.
  static std::shared_ptr<Connection> Open(Core& core, Options options,
                                          std::function<void(std::string)> write);
  ~Connection();

  void Receive(std::string_view text);
  // The peer is gone: everything in flight is cancelled. Safe to call twice.
  void Close();
  // The id of the legacy session, also before it is initialised.
  const std::string& session_id() const { return session_->id(); }

 private:
  class LineChannel;
  class Door;

  Connection(Core& core, Options options, std::function<void(std::string)> write);
  void ReceiveBatch(const std::shared_ptr<const Body>& body);
  void ReceiveOne(std::shared_ptr<const Body> body);
  void ServeModernRequest(std::shared_ptr<const Body> body, const Message& message);
  // Whether a modern request of this id runs, or listens.
  bool InFlight(const std::string& modern_id);
  void CancelModern(const Message& message);
  void Write(std::string message);

  Core& core_;
  const Options options_;
  const std::function<void(std::string)> write_;
  const Arrival arrival_;
  std::shared_ptr<Session> session_;

  std::mutex mutex_;
  bool closed_ = false;
  std::map<std::string, std::function<void()>, std::less<>> modern_in_flight_;
};

}  // namespace toolpost::mcp
