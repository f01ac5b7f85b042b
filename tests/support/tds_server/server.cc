// Sockets and threads.
#include "tds_server/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tds_server/session.h"

namespace toolpost::tds_server {

Result<Server::Context> Server::MakeContext(const Script& script) {
  if (script.certificate.empty()) return Context();
  Context context(SSL_CTX_new(TLS_server_method()));
  // FreeTDS waits for ever after a handshake of TLS 1.3 inside TDS 7.4.
  SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
  if (SSL_CTX_use_certificate_chain_file(context.get(), script.certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context.get(), script.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Error::InvalidParams("The certificate or its key cannot be read");
  }
  return context;
}

Result<std::unique_ptr<Server>> Server::Start(Script script, const Options& options) {
  ASSIGN_OR_RETURN(Context tls, MakeContext(script));
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  socklen_t size = sizeof address;
  if (inet_pton(AF_INET, options.address.c_str(), &address.sin_addr) != 1 ||
      bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener, SOMAXCONN) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    close(listener);
    return Error::Unavailable("The port cannot be opened");
  }
  return std::unique_ptr<Server>(
      new Server(listener, ntohs(address.sin_port), std::move(tls), std::move(script), options));
}

Server::Server(int listener, std::uint16_t port, Context tls, Script script, const Options& options)
    : listener_(listener),
      port_(port),
      tls_(std::move(tls)),
      record_(options.record_file),
      rules_(std::make_shared<Rules>(std::move(script))),
      acceptor_([this] { Accept(); }) {}

Server::~Server() {
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  CutAll();
  for (Connection& connection : connections_) connection.thread.join();
}

void Server::Load(Script script) {
  auto rules = std::make_shared<Rules>(std::move(script));
  const std::lock_guard lock(mutex_);
  rules_ = std::move(rules);
}

std::shared_ptr<Rules> Server::CurrentRules() const {
  const std::lock_guard lock(mutex_);
  return rules_;
}

void Server::CutAll() {
  const std::lock_guard lock(mutex_);
  for (Connection& connection : connections_) connection.channel.Shut();
}

void Server::Accept() {
  for (int number = 1;; ++number) {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const int on = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const std::lock_guard lock(mutex_);
    Connection& connection = connections_.emplace_back(client);
    connection.thread = std::thread([this, &connection, number] {
      Session session(
          connection.channel, number,
          {.rules = [this] { return CurrentRules(); }, .record = &record_, .tls = tls_.get()});
      session.Run();
      connection.channel.Shut();
    });
  }
}

}  // namespace toolpost::tds_server
