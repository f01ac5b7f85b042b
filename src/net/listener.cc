// Accept loop with a connection limit and back-off.
#include "net/listener.h"

#include <exception>
#include <utility>

#include "base/log.h"
#include "net/connection.h"
#include "net/loop.h"
#include "net/tls.h"

namespace toolpost::net {
namespace {

// Beyond the limit this many are told 503; further ones are only closed.
constexpr std::size_t kRefusalRoom = 128;

}  // namespace

Listener::Listener(Loop& loop, Acceptor acceptor) : loop_(loop), acceptor_(std::move(acceptor)) {}

void Listener::Accept() {
  acceptor_.async_accept(remote_, [this](ErrorCode ec, Socket socket) {
    if (!acceptor_.is_open()) return;
    if (!ec) {
      try {
        Admit(std::move(socket));
      } catch (const std::exception& failure) {  // no memory, also for OpenSSL
        base::Log(base::Severity::kWarning, "connection dropped", {{"reason", failure.what()}});
      }
    } else if (ec != boost::asio::error::connection_aborted) {
      paused_ = true;
      base::Log(base::Severity::kWarning, "cannot accept connections, trying again in a second",
                {{"reason", ec.message()}});
      return;
    }
    Accept();
  });
}

void Listener::Resume() {
  if (!std::exchange(paused_, false)) return;
  Accept();
}

void Listener::Admit(Socket socket) {
  ErrorCode ec;
  socket.set_option(Tcp::no_delay(true), ec);
  socket.non_blocking(true, ec);
  if (ec) return;
  std::size_t limit = loop_.context().options.max_connections;
  std::size_t open = loop_.context().connections.load(std::memory_order_relaxed);
  if (open >= limit + kRefusalRoom) return;
  const TlsCredentials* tls = loop_.context().tls.get();
  auto connection = std::make_shared<Connection>(
      loop_.shared_from_this(),
      tls == nullptr ? Stream(std::move(socket)) : Stream(std::move(socket), *tls->Current()),
      remote_.address().to_string());
  loop_.Add(connection);
  if (open >= limit) {
    connection->RefuseBusy();
  } else {
    connection->Start();
  }
}

void Listener::Close() {
  ErrorCode ec;
  acceptor_.close(ec);
}

}  // namespace toolpost::net
