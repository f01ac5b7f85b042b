// Where the messages that belong to one request go. Every door has its own kind: an HTTP reply, a
// line on stdout, a WebSocket.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/long_message.h"
#include "mcp/operation.h"
#include "toolpost/context.h"

namespace toolpost::mcp {

// Who calls, shared by everything a request becomes on its way.
using SharedPrincipal = std::shared_ptr<const Principal>;

// Thread-safe. Nothing is sent after Finish or Abandon.
class Channel {
 public:
  virtual ~Channel() = default;

  // A notification, or a request to the client, that belongs to the request.
  virtual void Send(std::string message) = 0;
  // The response. `http_status` matters on HTTP only.
  virtual void Finish(std::string message, int http_status) = 0;
  // A successful response, too long for memory; those who have no better way put it there.
  virtual void FinishLong(base::LongMessage message);
  // There will be no response: the client cancelled.
  virtual void Abandon() = 0;
  // Calls `cancel` once if the client ends the request by other means than a message: a closed
  // modern stream, a closed connection.
  virtual void OnCancel(std::function<void()> cancel) = 0;
  // Who sent the request, where that may differ from who opened the session; null: the same.
  virtual SharedPrincipal principal() const { return nullptr; }
  // The call was refused. True: the door says so in its own way (HTTP: 403 with a challenge, 429)
  // around the error that follows. False: the refusal is a result like any other failure.
  virtual bool Refuse(const Error&) { return false; }
  // How the request came.
  virtual const Arrival& arrival() const;
  // Lets go of an open HTTP reply stream; later messages wait for the client to come back.
  virtual void Release() {}
};

// Gathers the responses of a batch into one array and gives that to the channel below (2025-03-26).
class BatchReply {
 public:
  BatchReply(std::shared_ptr<Channel> below, std::size_t requests);

  // The channel of one request of the batch.
  static std::shared_ptr<Channel> Member(std::shared_ptr<BatchReply> batch);
  void Add(std::string_view message);
  Channel& below() { return *below_; }

 private:
  std::shared_ptr<Channel> below_;
  std::mutex mutex_;
  std::size_t open_;
  std::string array_ = "[";
};

}  // namespace toolpost::mcp
