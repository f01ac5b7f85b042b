// An HTTP proxy for programs that have no network of their own.
//
// It decides where they may go by the same rules as our own HTTP client (destination.h): every
// host is checked by name, looked up here, and reached only at an address that is allowed. https
// passes through as a tunnel; nothing is decrypted. A refusal is answered with 403 and the reason
// as text, a host that cannot be reached with 502.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/descriptor.h"
#include "net/http_client.h"

namespace toolpost::net {

// One connection somebody asked for.
struct ProxiedConnection {
  std::string host;  // empty: the request could not be read
  std::uint16_t port = 0;
  std::string address;  // of the other end; empty: there was no connection
  std::string refusal;  // why there was none, for the caller
  bool denied = false;  // by the rules
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

// Threads of its own: one that accepts, one per connection, at most 64. Not thread-safe itself.
class ForwardProxy {
 public:
  // Called when a connection has ended, on its thread; must be thread-safe.
  using Observer = std::function<void(const ProxiedConnection&)>;

  // `listener` is a listening, non-blocking stream socket. Of `rules` count what says where to go,
  // `proxy`, `resolver` and `connect_timeout`.
  ForwardProxy(base::Descriptor listener, FetchOptions rules, Observer observer);
  // Ends all connections and waits until the observer was told of them.
  ~ForwardProxy();
  ForwardProxy(const ForwardProxy&) = delete;
  ForwardProxy& operator=(const ForwardProxy&) = delete;

 private:
  struct Served {
    std::thread thread;
    bool ended = false;
  };

  void Accept();
  void Serve(base::Descriptor client);
  bool AwaitRoom();

  const base::Descriptor listener_;
  const FetchOptions rules_;
  const Observer observer_;
  const base::Descriptor ended_;  // readable from the end on
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Served> served_;
  std::thread accepting_;
};

}  // namespace toolpost::net
