// A transport carries JSON-RPC messages between one client and the server. Public, so that a user
// can attach one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "toolpost/result.h"

namespace toolpost {

// Read() is called by one thread at a time, not always the same; Write(), Close() and Health() may
// be called by any thread at any time.
class Transport {
 public:
  struct HealthState {
    bool open = true;
    std::string detail;  // for people: "reading standard input", "closed by peer"
  };

  virtual ~Transport() = default;

  // Blocks for the next message (one JSON text, no newline). Code::kUnavailable after the end of
  // input or Close().
  virtual Result<std::string> Read() = 0;
  // Queues or writes one message; messages never interleave. Ignored after Close().
  virtual void Write(std::string_view message) = 0;
  virtual void Close() = 0;
  virtual HealthState Health() const = 0;
  // "stdio", "memory" …: recorded in the session.
  virtual std::string_view name() const = 0;
};

// Two connected in-memory ends: give one to Server::Serve, use the other as the client.
std::pair<std::shared_ptr<Transport>, std::shared_ptr<Transport>> MakeMemoryTransport();

}  // namespace toolpost
