// The bytes of one connection: a socket, or TLS on one.
//
// A plain stream costs one predictable branch per operation over the socket itself. At most one
// read and one write may be under way. A stream may be moved between operations, and while one of
// TLS is under way. On the loop's thread.
#pragma once

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <memory>
#include <utility>

#include "net/socket.h"

namespace toolpost::net {

class Stream {
 public:
  using executor_type = Executor;
  using Tls = boost::asio::ssl::stream<Socket>;

  explicit Stream(Socket socket) : socket_(std::move(socket)) {}
  // TLS, as server, once Handshake has succeeded.
  Stream(Socket socket, boost::asio::ssl::context& context)
      : socket_(socket.get_executor()), tls_(std::make_unique<Tls>(std::move(socket), context)) {}

  bool secure() const { return tls_ != nullptr; }
  Socket& socket() { return tls_ ? tls_->next_layer() : socket_; }
  const Socket& socket() const { return tls_ ? tls_->next_layer() : socket_; }
  executor_type get_executor() { return socket_.get_executor(); }

  // Only when secure().
  template <typename Handler>
  void Handshake(Handler&& handler) {
    tls_->async_handshake(Tls::server, std::forward<Handler>(handler));
  }

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) {
      tls_->async_read_some(buffers, std::forward<Handler>(handler));
    } else {
      socket_.async_read_some(buffers, std::forward<Handler>(handler));
    }
  }

  // Without waiting. TLS always says would_block: a record that only half fits into the kernel
  // must be remembered, which the asynchronous operation does.
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, ErrorCode& ec) {
    if (!tls_) return socket_.write_some(buffers, ec);
    ec = boost::asio::error::would_block;
    return 0;
  }

  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) {
      tls_->async_write_some(buffers, std::forward<Handler>(handler));
    } else {
      socket_.async_write_some(buffers, std::forward<Handler>(handler));
    }
  }

  // Tells the peer that nothing follows; reading goes on. `keep` holds the stream until that is
  // done. Not while a write is under way.
  template <typename Owner>
  void ShutdownSend(Owner keep) {
    if (tls_) {
      tls_->async_shutdown([keep = std::move(keep)](ErrorCode) {});
      return;
    }
    ErrorCode ec;
    socket_.shutdown(Socket::shutdown_send, ec);
  }

  // The end of a WebSocket, for Beast.
  template <typename Handler>
  void AsyncTlsShutdown(Handler&& handler) {
    tls_->async_shutdown(std::forward<Handler>(handler));
  }

  // Aborts what is under way.
  void Close() {
    ErrorCode ec;
    socket().close(ec);
  }

 private:
  Socket socket_;  // without TLS
  std::unique_ptr<Tls> tls_;
};

}  // namespace toolpost::net
