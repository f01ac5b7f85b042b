// An HTTP/1.1 server: bytes to requests and replies to bytes, nothing of MCP. Asio and Beast stay
// behind this header.
//
// One event loop per thread, each with its own SO_REUSEPORT acceptor. The handler runs on the
// loop's thread and must not block. Every function of Exchange and WebSocket may be called from any
// thread, also after the peer has gone (then nothing happens).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/long_message.h"
#include "toolpost/result.h"

namespace toolpost::net {

struct Header {
  std::string_view name;
  std::string_view value;
};

// Valid only during the handler call: all views point into the connection's buffers.
struct Request {
  std::string_view method;  // "POST"
  std::string_view target;  // "/mcp?x=1" as sent
  std::string_view path;    // "/mcp"
  std::string_view query;   // "x=1"
  const std::vector<Header>* headers = nullptr;
  std::string_view body;
  std::string_view remote_address;
  bool secure = false;   // came over TLS
  bool upgrade = false;  // a WebSocket handshake

  // First header of that name (case-insensitive), or empty with data() == nullptr when absent.
  std::string_view Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name).data() != nullptr; }
};

// The reply half of one request. Exactly one of Send, StartStream or AcceptWebSocket must be
// called, once, before or after the handler returns. Dropping the last reference without a reply
// answers 500.
class Exchange {
 public:
  virtual ~Exchange() = default;

  // A complete reply. Content-Length, Connection and Date are added; head and body leave in one
  // write. `headers` is the raw "Name: value\r\n" block of further headers.
  virtual void Send(int status, std::string_view content_type, std::string body,
                    std::string_view headers = {}) = 0;
  // The same, read as the peer takes it: never whole in memory. If that fails the connection ends.
  virtual void SendLong(int status, std::string_view content_type, base::LongMessage body,
                        std::string_view headers = {}) = 0;
  // A chunked reply whose parts are sent by Write (flushed each) and ended by End. They arrive in
  // the order of the calls, whichever threads make them.
  virtual void StartStream(int status, std::string_view content_type,
                           std::string_view headers = {}) = 0;
  virtual void Write(std::string data) = 0;
  // A part that is read as the peer takes it, and counts as backlog only as far as it was read.
  virtual void WriteLong(base::LongMessage data) = 0;
  virtual void End() = 0;
  // Called once, on the loop's thread, if the peer goes away before the reply is complete. At once
  // if it already has.
  virtual void OnClose(std::function<void()> callback) = 0;
  // Bytes written to the stream but not yet taken by the kernel; a slow reader makes this grow.
  virtual std::size_t Backlog() const = 0;
};

// An accepted WebSocket. Text messages only; pings are answered by the implementation.
class WebSocket {
 public:
  virtual ~WebSocket() = default;
  virtual void Send(std::string text) = 0;
  virtual void Close(std::uint16_t code = 1000, std::string_view reason = {}) = 0;
};

struct WebSocketEvents {
  std::function<void(std::shared_ptr<WebSocket>)> on_open;
  std::function<void(std::string_view text)> on_message;
  std::function<void()> on_close;
};

struct ServerOptions {
  std::vector<std::string> hosts{"127.0.0.1",
                                 "::1"};  // a host that cannot be bound for lack of IPv6 is skipped
  std::uint16_t port = 0;                 // 0: one free port, the same for all hosts
  std::size_t threads = 0;                // 0: one per core
  std::size_t max_connections = 10'000;   // over it: 503 with Retry-After, then closed
  std::size_t max_header_bytes = std::size_t{32} * 1024;  // over it: 431
  std::size_t max_body_bytes =
      std::size_t{10} * 1024 * 1024;  // over it: `too_large_body` with 413, then closed
  std::string too_large_body;
  std::size_t max_backlog_bytes =
      std::size_t{16} * 1024 * 1024;  // a stream whose reader is slower than this is closed
  std::chrono::seconds header_timeout{10};
  std::chrono::seconds body_timeout{30};
  std::chrono::seconds idle_timeout{75};
  // PEM files: the certificate chain and its private key. Both empty: no TLS. The handshake must
  // end within header_timeout. Changed files are used for new connections within about a second.
  std::string tls_cert;
  std::string tls_key;
  // Told of every reply as it begins, on the loop's thread; `path` is empty where no request was
  // understood. Must be quick. Empty: nobody.
  std::function<void(std::string_view path, int status)> on_reply;
};

class HttpServer {
 public:
  using Handler = std::function<void(const Request&, std::shared_ptr<Exchange>)>;

  HttpServer(ServerOptions options, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds and starts the threads. Code::kConflict when the port is taken; the message says by which
  // process where that can be told. Code::kInvalidArgument when the TLS files cannot be used.
  Result<void> Start();
  std::uint16_t port() const;
  std::size_t connections() const;
  // Calls `work` on every loop about once a second (keep-alive comments, sweeps of what the handler
  // owns).
  void OnTick(std::function<void()> work);
  // Stops accepting, answers what is in flight with Connection: close, closes idle connections, and
  // after `drain` everything else. Blocks until the threads have ended.
  void Stop(std::chrono::milliseconds drain);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Turns the exchange of an upgrade request into a WebSocket. `subprotocol` is echoed when the
// client offered it.
void AcceptWebSocket(const Request& request, const std::shared_ptr<Exchange>& exchange,
                     std::string_view subprotocol, WebSocketEvents events,
                     std::size_t max_message_bytes);

}  // namespace toolpost::net
