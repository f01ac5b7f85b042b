// recv, send, and OpenSSL between memory buffers.
#include "tds_server/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace toolpost::tds_server {

Channel::~Channel() { close(socket_); }

void Channel::Shut() { shutdown(socket_, SHUT_RDWR); }

bool Channel::Read(char* data, std::size_t size) {
  while (size > 0) {
    const long got = Receive(data, size);
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

long Channel::Receive(char* data, std::size_t size) {
  return encrypted() ? ReceiveTls(data, size) : recv(socket_, data, size, 0);
}

long Channel::ReceiveTls(char* data, std::size_t size) {
  for (;;) {
    const int got = SSL_read(tls_.get(), data, static_cast<int>(size));
    if (got > 0) return got;
    if (SSL_get_error(tls_.get(), got) != SSL_ERROR_WANT_READ) return -1;
    char raw[16'384];
    const long arrived = recv(socket_, raw, sizeof raw, 0);
    if (arrived <= 0) return arrived;
    BIO_write(SSL_get_rbio(tls_.get()), raw, static_cast<int>(arrived));
  }
}

bool Channel::Write(std::string_view bytes) {
  if (!encrypted()) return Send(bytes);
  if (SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size())) <= 0) return false;
  return Send(TakeOutput());
}

bool Channel::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const long sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Channel::Input Channel::Await(std::chrono::milliseconds patience) {
  if (encrypted() && SSL_has_pending(tls_.get()) == 1) return Input::kReady;
  pollfd watched{.fd = socket_, .events = POLLIN, .revents = 0};
  if (poll(&watched, 1, static_cast<int>(patience.count())) <= 0) return Input::kNone;
  char byte = 0;
  return recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0 ? Input::kReady : Input::kClosed;
}

void Channel::BeginTls(SSL_CTX* context) {
  tls_.reset(SSL_new(context));
  SSL_set_bio(tls_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(tls_.get());
}

Channel::Handshake Channel::Step(std::string_view received, std::string& to_send) {
  BIO_write(SSL_get_rbio(tls_.get()), received.data(), static_cast<int>(received.size()));
  const int done = SSL_do_handshake(tls_.get());
  to_send = TakeOutput();
  if (done == 1) return Handshake::kDone;
  return SSL_get_error(tls_.get(), done) == SSL_ERROR_WANT_READ ? Handshake::kGoesOn
                                                                : Handshake::kFailed;
}

std::string Channel::TakeOutput() {
  BIO* const output = SSL_get_wbio(tls_.get());
  std::string bytes(BIO_ctrl_pending(output), '\0');
  if (!bytes.empty()) BIO_read(output, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

}  // namespace toolpost::tds_server
