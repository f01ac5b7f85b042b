// Check, connect, and pass bytes on.
#include "net/proxied_exchange.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "net/destination.h"

namespace toolpost::net {
namespace {

using base::StrCat;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxHead = std::size_t{32} * 1024;
constexpr std::size_t kBuffer = std::size_t{64} * 1024;
constexpr std::chrono::seconds kHeadTime{30};

socklen_t ToSocketAddress(const IpAddress& address, std::uint16_t port, sockaddr_storage& out) {
  out = {};
  if (address.v6) {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(out);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    v6.sin6_scope_id = address.scope;
    std::memcpy(&v6.sin6_addr, address.bytes.data(), sizeof v6.sin6_addr);
    return sizeof v6;
  }
  auto& v4 = reinterpret_cast<sockaddr_in&>(out);
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  std::memcpy(&v4.sin_addr, address.bytes.data(), sizeof v4.sin_addr);
  return sizeof v4;
}

std::string_view StatusLine(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return "400 Bad Request";
    case Code::kPermissionDenied:
      return "403 Forbidden";
    case Code::kTimeout:
      return "504 Gateway Timeout";
    default:
      return "502 Bad Gateway";
  }
}

}  // namespace

ProxiedExchange::ProxiedExchange(base::Descriptor client, const FetchOptions& rules, int ended,
                                 std::stop_token stop)
    : client_(std::move(client)), rules_(rules), ended_(ended), stop_(std::move(stop)) {}

ProxiedConnection ProxiedExchange::Run() {
  if (const Result<void> started = Start(); !started) {
    Answer(started.error());
  } else {
    Relay();
  }
  return std::move(connection_);
}

Result<void> ProxiedExchange::Start() {
  ASSIGN_OR_RETURN(const std::string head, ReadHead());
  ASSIGN_OR_RETURN(request_, ProxyRequest::Parse(head));
  const HttpUrl& url = request_.url;
  connection_.host = url.host;
  connection_.port = url.port;
  if (rules_.check_url) RETURN_IF_ERROR(rules_.check_url(url));
  std::optional<HttpUrl> via;
  if (!rules_.proxy.empty()) {
    ASSIGN_OR_RETURN(via, HttpUrl::Parse(rules_.proxy));
  }
  const auto deadline = Clock::now() + rules_.connect_timeout;
  ASSIGN_OR_RETURN(const auto addresses,
                   AllowedAddresses(url, via ? &*via : nullptr, rules_, deadline, stop_));
  RETURN_IF_ERROR(Connect(addresses, via ? *via : url));
  // Another proxy answers a tunnel itself.
  if (request_.tunnel && !via) {
    to_client_ = "HTTP/1.1 200 Connection established\r\n\r\n";
    return {};
  }
  if (!request_.tunnel) to_server_.resize(request_.body.Take(to_server_));
  connection_.sent = to_server_.size();
  to_server_.insert(0, request_.Head(via.has_value()));
  return {};
}

// What comes after the head stays in `to_server_`.
Result<std::string> ProxiedExchange::ReadHead() {
  const auto deadline = Clock::now() + kHeadTime;
  std::string head;
  for (;;) {
    if (!Await(client_.get(), POLLIN, deadline)) return Error::Cancelled();
    char buffer[4096];
    const ssize_t length = recv(client_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (length <= 0) return Error::Cancelled();
    const std::size_t before = head.size();
    head.append(buffer, static_cast<std::size_t>(length));
    const std::size_t end = head.find("\r\n\r\n", before - std::min<std::size_t>(before, 3));
    if (end == head.npos && head.size() > kMaxHead)
      return Error::InvalidParams("The head of the request is longer than 32 KiB.");
    if (end == head.npos) continue;
    to_server_ = head.substr(end + 4);
    head.resize(end + 4);
    return head;
  }
}

Result<void> ProxiedExchange::Connect(const std::vector<IpAddress>& addresses, const HttpUrl& to) {
  const Error unreachable =
      Error::Unavailable(StrCat("No connection to ", to.host, " port ", to.port, "."));
  for (const IpAddress& address : addresses) {
    sockaddr_storage storage;
    const socklen_t size = ToSocketAddress(address, to.port, storage);
    server_ = base::Descriptor(
        socket(address.v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!server_) return unreachable;
    const auto* const where = reinterpret_cast<const sockaddr*>(&storage);
    if (connect(server_.get(), where, size) != 0 && errno != EINPROGRESS) continue;
    if (!Await(server_.get(), POLLOUT, Clock::now() + rules_.connect_timeout)) {
      if (stop_.stop_requested()) return Error::Cancelled();
      continue;
    }
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(server_.get(), SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0)
      continue;
    const int on = 1;
    setsockopt(server_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection_.address = address.ToString();
    return {};
  }
  return unreachable;
}

void ProxiedExchange::Answer(const Error& error) {
  connection_.refusal = error.message;
  connection_.denied = error.code == Code::kPermissionDenied;
  if (error.code == Code::kCancelled) return;
  std::string reply = StrCat(
      "HTTP/1.1 ", StatusLine(error.code),
      "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ", error.message.size() + 1,
      "\r\nConnection: close\r\n\r\n", error.message, "\n");
  const auto deadline = Clock::now() + kHeadTime;
  while (!reply.empty() && Await(client_.get(), POLLOUT, deadline) && Send(client_, reply)) {
  }
  // Bytes left unread would turn the answer into a reset.
  shutdown(client_.get(), SHUT_WR);
  char ignored[4096];
  while (Await(client_.get(), POLLIN, deadline) &&
         recv(client_.get(), ignored, sizeof ignored, MSG_DONTWAIT) > 0) {
  }
}

void ProxiedExchange::Relay() {
  const RequestBody& body = request_.body;
  bool client_open = request_.tunnel || !body.done();
  bool server_open = true;
  bool told_server = false;
  while (server_open || !to_client_.empty()) {
    if (body.malformed()) return;
    if (request_.tunnel && !client_open && to_server_.empty() && !told_server) {
      shutdown(server_.get(), SHUT_WR);
      told_server = true;
    }
    const auto wants = [](bool read, bool write) {
      return static_cast<short>((read ? POLLIN : 0) | (write ? POLLOUT : 0));
    };
    pollfd polled[] = {
        {client_.get(), wants(client_open && to_server_.empty(), !to_client_.empty()), 0},
        {server_.get(), wants(server_open && to_client_.empty(), !to_server_.empty()), 0},
        {ended_, POLLIN, 0}};
    // A side with nothing to wait for must not wake us with its hang-up over and over.
    for (pollfd& each : polled) {
      if (each.events == 0) each.fd = -1;
    }
    if (poll(polled, 3, -1) < 0 && errno != EINTR) return;
    if (polled[2].revents != 0) return;
    if ((polled[0].revents & POLLOUT) != 0 && !Send(client_, to_client_)) return;
    if ((polled[1].revents & POLLOUT) != 0 && !Send(server_, to_server_)) return;
    if (client_open && to_server_.empty() && (polled[0].revents & (POLLIN | POLLHUP)) != 0) {
      client_open = Move(client_, to_server_, true);
      if (!request_.tunnel && body.done()) client_open = false;
    }
    if (server_open && to_client_.empty() && (polled[1].revents & (POLLIN | POLLHUP)) != 0)
      server_open = Move(server_, to_client_, false);
    const bool broken = ((polled[0].revents | polled[1].revents) & (POLLERR | POLLNVAL)) != 0;
    if (broken && to_client_.empty()) return;
  }
}

// False at the end of what `from` sends.
bool ProxiedExchange::Move(const base::Descriptor& from, std::string& buffer, bool to_server) {
  buffer.resize(kBuffer);
  const ssize_t length = recv(from.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  const bool later = length < 0 && (errno == EAGAIN || errno == EINTR);
  std::size_t kept = length > 0 ? static_cast<std::size_t>(length) : 0;
  if (to_server && !request_.tunnel)
    kept = request_.body.Take(std::string_view(buffer).substr(0, kept));
  buffer.resize(kept);
  (to_server ? connection_.sent : connection_.received) += kept;
  return length > 0 || later;
}

bool ProxiedExchange::Send(const base::Descriptor& to, std::string& buffer) {
  const ssize_t sent = send(to.get(), buffer.data(), buffer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  buffer.erase(0, static_cast<std::size_t>(sent));
  return true;
}

bool ProxiedExchange::Await(int fd, short events, base::SteadyTime deadline) const {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd polled[] = {{fd, events, 0}, {ended_, POLLIN, 0}};
    const int ready = poll(polled, 2, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0 && polled[1].revents == 0;
  }
}

}  // namespace toolpost::net
