// The client side of one transport, for transcripts.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::transcripts {

// How long a message may take to arrive; only reached when a test fails.
inline constexpr std::chrono::seconds kPatience{20};

// Messages in the order of their arrival, filled by a reader thread and emptied by the test.
class Mailbox {
 public:
  void Push(std::string message);
  // Nothing will come any more.
  void Close();
  // The next message, or nothing when the mailbox is closed or patience ends.
  std::optional<std::string> Pop();
  // Waits for the end. False when it did not come in time or when messages are left.
  bool Ended();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> messages_;
  bool closed_ = false;
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual Result<void> Send(std::string_view text) = 0;
  virtual std::optional<std::string> Receive() = 0;
  // Closes the client side; an error if the server did not end its side in good order.
  virtual Result<void> Close() = 0;

  // HTTP only; elsewhere a mistake in the transcript.
  virtual Result<void> SetHeader(std::string_view line);
  virtual Result<void> SetPath(std::string_view path);
  virtual Result<void> Get();
  virtual Result<void> Delete();
  virtual Result<int> Status();
  // The Mcp-Session-Id of the last response that had one; empty: none.
  virtual std::string Session();
};

std::unique_ptr<Peer> ConnectInMemory(Server& server);
Result<std::unique_ptr<Peer>> ConnectStdio(const std::string& program, std::size_t page_size);
Result<std::unique_ptr<Peer>> ConnectWebSocket(std::uint16_t port);
std::unique_ptr<Peer> ConnectHttp(std::uint16_t port);

}  // namespace toolpost::transcripts
