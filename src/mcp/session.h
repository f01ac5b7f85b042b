// A legacy session (2024-11-05 … 2025-11-25): what the handshake agreed, and the traffic that hangs
// on it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "mcp/call_scope.h"
#include "mcp/channel.h"
#include "mcp/message.h"
#include "mcp/registry.h"
#include "mcp/revision.h"

namespace toolpost::mcp {

struct Core;

// How a session reaches its client outside a request: the GET stream, a line on stdout, a
// WebSocket.
class SessionDoor {
 public:
  virtual ~SessionDoor() = default;
  virtual void Push(std::string message) = 0;
  // The server is going to stop: lets go of what only waits for messages like these.
  virtual void StopWaiting() {}
  virtual void Close() = 0;
};

// A session as status pages show it (PRD 7.4).
struct SessionRecord {
  std::string id;
  std::string transport;
  bool is_initialized = false;
  Json client_info;
  std::string protocol_version;
  Json capabilities;
  base::WallTime created_at;
  base::WallTime last_activity;
  bool is_authenticated = false;
};

// Thread-safe, owned by shared_ptr. Ends by Close(): running calls are cancelled, waiting questions
// fail, the door closes.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Core& core, std::string transport, SharedPrincipal principal, ToolView view);
  ~Session();

  const std::string& id() const { return id_; }
  // The first part of the id: enough for logs and events, not enough to use the session.
  std::string_view label() const { return std::string_view(id_).substr(0, 18); }
  const std::string& transport() const { return transport_; }
  const Principal& principal() const { return *principal_; }
  const SharedPrincipal& shared_principal() const { return principal_; }
  const ToolView& view() const { return view_; }
  Core& core() const { return core_; }
  base::WallTime created_at() const { return created_at_; }
  // Valid once initialized() is true.
  Revision revision() const { return revision_.load(std::memory_order_acquire); }
  bool initialized() const { return initialized_.load(std::memory_order_acquire); }
  const JsonObject* client_capabilities() const;
  LogLevel log_level() const { return log_level_.load(std::memory_order_relaxed); }
  void set_log_level(LogLevel level) { log_level_.store(level, std::memory_order_relaxed); }
  SessionRecord Record() const;
  // Idle since; an open stream counts as activity through Touch().
  std::chrono::steady_clock::time_point last_activity() const;
  void Touch();
  bool HasRunningCalls() const;

  void SetDoor(std::shared_ptr<SessionDoor> door);
  std::shared_ptr<SessionDoor> door() const;

  // One message. Requests are answered through `channel`; notifications and responses do not use it
  // (null allowed).
  void Receive(std::shared_ptr<const Body> body, const Message& message,
               std::shared_ptr<Channel> channel);
  // A batch (2024-11-05 and 2025-03-26 only). False when it holds no request: then nothing will be
  // answered.
  bool ReceiveBatch(const std::shared_ptr<const Body>& body, std::shared_ptr<Channel> channel);

  // Completes the handshake. Result members, or the error to answer.
  Result<std::string> Initialize(const Message& message);
  // Sends a message that belongs to no request, once the handshake is done.
  void Push(std::string message);
  void Close();
  bool closed() const { return closed_.load(std::memory_order_acquire); }

  // Sends a request to the client (through `channel`, or the door when null) and waits for its
  // answer.
  Result<JsonObject> AskClient(std::string_view method, const JsonObject& params, Channel* channel,
                               std::stop_token stop);

  // False when the id is already in flight.
  bool Track(const std::shared_ptr<CallScope>& call);
  void Untrack(const std::string& id);
  void CancelRequest(const std::string& id);

  // The client was asked to send the person to a page, under this id.
  void ExpectVisit(std::string_view id);
  // The visit is over: tells the client, if it is the one that was asked.
  void CompleteVisit(std::string_view id);

  bool Subscribe(std::string_view uri);
  void Unsubscribe(std::string_view uri);
  bool IsSubscribed(std::string_view uri) const;

 private:
  struct Question {
    bool answered = false;
    Result<JsonObject> answer{JsonObject{}};
  };

  void ReceiveNotification(const Message& message);
  void ReceiveResponse(const Message& message);

  Core& core_;
  const std::string id_;
  const std::string transport_;
  const SharedPrincipal principal_;
  const ToolView view_;
  const base::WallTime created_at_;
  std::atomic<std::chrono::steady_clock::time_point> last_activity_;
  std::atomic<bool> initialized_{false};
  std::atomic<bool> closed_{false};
  std::atomic<Revision> revision_{kNewestLegacy};
  std::atomic<LogLevel> log_level_{LogLevel::kInfo};

  mutable std::mutex mutex_;
  std::condition_variable_any answered_;
  Json client_info_;   // written once by Initialize
  Json capabilities_;  // written once by Initialize, before initialized_
  std::shared_ptr<SessionDoor> door_;
  std::map<std::string, std::weak_ptr<CallScope>, std::less<>> in_flight_;
  std::map<std::string, Question, std::less<>> questions_;
  std::uint64_t next_question_ = 1;
  std::set<std::string, std::less<>> subscriptions_;
  std::deque<std::string> visits_;  // asked for and not known to be over
};

}  // namespace toolpost::mcp
